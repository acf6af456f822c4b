# `cuinstrument nvcc` against a stub nvcc and a stub rewriter: what goes on nvcc's line, and what comes back.
. "$SOURCE/tests/cli/lib.sh"
use_stubs
library=$(dirname "$(dirname "$CUINSTRUMENT")")/lib/libcuinstrument.a

case_compile() {
  echo 'int a;' >a.cu
  run 0 "$CUINSTRUMENT" nvcc -O3 -arch=sm_90 -c a.cu -o out/../a.o
  instrumented a.cu
  nvcc_has -O3
  nvcc_has out/../a.o
  nvcc_lacks "$library"  # nothing is linked
  nvcc_lacks -Xlinker
  temporary_files_gone
}

case_output_absent() {
  mkdir sub && echo 'int a;' >sub/a.cu
  run 0 "$CUINSTRUMENT" nvcc -c sub/a.cu
  exists a.o
  run 0 "$CUINSTRUMENT" nvcc -ptx sub/a.cu
  exists a.ptx
  run 0 "$CUINSTRUMENT" nvcc sub/a.cu
  exists a.out
}

case_link_line_with_sources() {
  echo 'int a;' >a.cu; echo 'int b;' >b.cu; echo 'int c;' >c.cpp; touch d.o
  run 0 "$CUINSTRUMENT" nvcc a.cu c.cpp b.cu d.o -lfoo -o prog
  instrumented a.cu; instrumented b.cu; untouched c.cpp
  nvcc_has c.cpp  # its own path, not a copy
  [ "$(nvcc_arguments | grep -vE '^-isystem$|/include$|^-Xlinker$|^--wrap=' | sed "s|.*/\([ab].cu\)$|\1|" | tr '\n' ' ')" = \
    "a.cu c.cpp b.cu d.o -lfoo -o prog $library -lpthread -ldl -lm " ] || fail "order of nvcc's arguments"
}

case_link_objects_only() {
  touch a.o b.o
  run 0 "$CUINSTRUMENT" nvcc a.o b.o -o prog
  nvcc_has "$library"
  absent "$STUB_LOG.rewriter"
  # Allocations and launches by objects that were not instrumented: each function of the catalogue, behind -Xlinker.
  sed -nE 's/^CUI_LIBRARY_(CALL|LAUNCH)\((.*)\)$/--wrap=\2/p' "$SOURCE/devlib/include/cuinstrument/host/library_calls.def" >expected
  [ -s expected ] || fail 'no names in library_calls.def'
  nvcc_arguments | grep -A1 -x -- -Xlinker | grep -e '^--wrap' | cmp - expected || fail 'wrapped functions'
}

# What -include names goes off nvcc's line where the sources of it include that themselves, all of them.
case_forced_includes() {
  echo '// TAKES' >a.cu; echo '// CAN_TAKE' >b.cu; echo 'int c;' >c.cpp; echo >forced.h; echo '-G -include forced.h' >words
  echo 'CANNOT_REWRITE TAKES' >d.cu; echo 'int e;' >e.cu
  run 0 "$CUINSTRUMENT" nvcc -include forced.h -O2 --pre-include=forced.h -c a.cu -o a.o
  instrumented a.cu
  nvcc_has -O2
  nvcc_lacks -include; nvcc_lacks --pre-include=forced.h; nvcc_lacks forced.h
  temporary_files_gone
  for line in 'b.cu' 'a.cu c.cpp' 'a.cu d.cu' 'a.cu e.cu' 'a.cu -Xcompiler -include,forced.h'; do
    rm -f "$STUB_LOG"*
    run 0 "$CUINSTRUMENT" nvcc -include forced.h -c $line
    nvcc_has -include
  done
  rm -f "$STUB_LOG"*
  run 0 "$CUINSTRUMENT" nvcc -include forced.h -c a.cu b.cu
  nvcc_lacks -include
  # It can stand in option files and in the environment, too.
  rm -f "$STUB_LOG"*
  run 0 "$CUINSTRUMENT" nvcc -optf words -include forced.h -c a.cu
  nvcc_lacks -include
  ! nvcc_arguments | grep -q -x words || fail 'the option file as it was'
  for variable in NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS; do
    rm -f "$STUB_LOG"*
    (export $variable='-G -include forced.h'; run 0 "$CUINSTRUMENT" nvcc -c a.cu)
    grep -qx "$variable=-G" "$STUB_LOG.environment" || fail "$variable: $(cat "$STUB_LOG.environment")"
    rm -f "$STUB_LOG"*
    (export $variable='-include forced.h -DA="b c"'; run 0 "$CUINSTRUMENT" nvcc -c a.cu)
    grep -qx "$variable=-include forced.h -DA=\"b c\"" "$STUB_LOG.environment" || fail "$variable: $(cat "$STUB_LOG.environment")"
  done
}

# Of two sources one turns out to break in its instrumented form: that one needs the option, and so the other has it.
case_forced_includes_fall_back() {
  echo '// TAKES' >a.cu; echo '// TAKES BREAKS_WHEN_INSTRUMENTED' >b.cu; echo >forced.h
  run 0 "$CUINSTRUMENT" nvcc -include forced.h -c a.cu b.cu
  instrumented a.cu; untouched b.cu
  nvcc_arguments "$(nvcc_calls)" | grep -qx -- -include || fail 'without the option'
}

case_device_link() {
  touch a.o
  run 0 "$CUINSTRUMENT" nvcc -dlink a.o -o d.o
  nvcc_lacks "$library"
}

# A program that is there already: Meson asks so whether one can be run, with quotes in the word.
case_run_of_a_program() {
  touch prog prog.exe a.o
  for program in prog "$PWD/prog.exe" '"prog.exe"'; do
    rm -f "$STUB_LOG"*
    run 0 "$CUINSTRUMENT" nvcc --run "$program"
    [ "$(nvcc_arguments | tr '\n' ' ')" = "--run $program " ] || fail "nvcc got more than $program"
  done
  rm -f "$STUB_LOG"*
  run 0 "$CUINSTRUMENT" nvcc -run a.o
  nvcc_has "$library"
}

case_called_nvcc() {
  mkdir "$work/shim" && ln -s "$CUINSTRUMENT" "$work/shim/nvcc"
  echo 'int a;' >a.cu
  PATH=$work/shim:$PATH run 0 nvcc -O3 -c a.cu -o a.o
  instrumented a.cu
  nvcc_has -O3
  [ "$(nvcc_calls)" = 1 ] || fail "nvcc was called $(nvcc_calls) times"
  # Not instrumented twice.
  PATH=$work/shim:$PATH run 0 "$CUINSTRUMENT" nvcc -c a.cu -o b.o
  [ "$(nvcc_calls)" = 2 ] || fail "nvcc was called $(nvcc_calls) times"
  [ "$(grep -c '^CUI_UNIT' "$STUB_SEEN/a.cu")" = 1 ] || fail 'instrumented twice'
  CUINSTRUMENT_NVCC=$work/bin/nvcc PATH=$work/shim:/usr/bin:/bin run 0 nvcc -c a.cu -o c.o
  exists c.o
  rm "$work/bin/nvcc"
  PATH=$work/shim run 2 nvcc -c a.cu
  err_has CUINSTRUMENT_NVCC
}

# A script of that name, to give flags, finds itself as the nvcc on PATH.
case_a_script_called_nvcc() {
  mkdir "$work/shim" && printf '#!/bin/sh\nexec "%s" nvcc "$@" -DBY_SCRIPT\n' "$CUINSTRUMENT" >"$work/shim/nvcc"
  chmod +x "$work/shim/nvcc"
  echo 'int a;' >a.cu
  PATH=$work/shim:$PATH run 0 timeout 20 nvcc -O3 -c a.cu -o a.o
  instrumented a.cu
  nvcc_has -DBY_SCRIPT
  [ "$(nvcc_calls)" = 1 ] || fail "nvcc was called $(nvcc_calls) times"
  [ "$(grep -c '^CUI_UNIT' "$STUB_SEEN/a.cu")" = 1 ] || fail 'instrumented twice'
  PATH=$work/shim:$PATH run 0 timeout 20 "$CUINSTRUMENT" nvcc -c a.cu -o b.o
  [ "$(nvcc_calls)" = 2 ] || fail "nvcc was called $(nvcc_calls) times"
  PATH=$work/shim:/usr/bin:/bin run 2 timeout 20 nvcc -c a.cu
  err_has CUINSTRUMENT_NVCC
}

case_same_base_name_twice() {
  mkdir x y && echo 'int x;' >x/k.cu && echo 'int y;' >y/k.cu
  run 0 "$CUINSTRUMENT" nvcc x/k.cu y/k.cu -o prog
  [ "$(nvcc_arguments | grep -c '/k.cu$')" = 2 ] || fail 'two inputs'
  [ "$(nvcc_arguments | grep '/k.cu$' | sort -u | wc -l)" = 2 ] || fail 'one file stands for both'
}

case_preprocess_passes_the_original() {
  echo 'int a;' >a.cu
  for option in -E -M -MM --preprocess --generate-dependencies --dryrun; do
    : >"$STUB_LOG"
    run 0 "$CUINSTRUMENT" nvcc $option a.cu
    nvcc_has a.cu
    untouched a.cu
  done
}

# Under -x, nvcc takes every input for a source: our library is none.
case_language_and_libraries() {
  echo 'int a;' >a.cpp
  for language in cu c++; do
    rm -f "$STUB_LOG"
    run 0 "$CUINSTRUMENT" nvcc -x $language a.cpp -o a
    [ "$(nvcc_arguments | grep -B1 'libcuinstrument\.a$' | head -1)" = -Xlinker ] || fail "-x $language: libcuinstrument.a is an input"
  done
  echo 'int a;' >a.cu
  rm -f "$STUB_LOG"
  run 0 "$CUINSTRUMENT" nvcc a.cu -o a
  [ "$(nvcc_arguments | grep -B1 'libcuinstrument\.a$' | head -1)" != -Xlinker ] || fail 'needlessly'
}

case_language_cu_makes_cpp_cuda() {
  echo 'int a;' >a.cpp; echo 'int b;' >b.cu
  run 0 "$CUINSTRUMENT" nvcc -x cu -c a.cpp
  instrumented a.cpp
  run 0 "$CUINSTRUMENT" nvcc -x c++ -c b.cu
  untouched b.cu
}

case_spaces_in_paths() {
  mkdir 'my dir' && echo 'int a;' >'my dir/a b.cu'
  run 0 "$CUINSTRUMENT" nvcc -c 'my dir/a b.cu' -o 'my dir/a b.o' '-DTEXT="x, y"'
  instrumented 'a b.cu'
  nvcc_has 'my dir/a b.o'
  nvcc_has '-DTEXT="x, y"'
}

case_option_file_with_input() {
  echo 'int a;' >a.cu
  printf -- '-c\n"a.cu" -o\ta.o -DX=\\"y\\"\n' >options
  run 0 "$CUINSTRUMENT" nvcc --options-file options
  instrumented a.cu
  exists a.o
}

case_option_file_without_input_stays() {
  echo 'int a;' >a.cu
  echo '-O3' >options
  run 0 "$CUINSTRUMENT" nvcc -c a.cu -optf options
  nvcc_has options
}

case_option_file_missing() {
  echo 'int a;' >a.cu
  run 3 "$CUINSTRUMENT" nvcc -c a.cu --options-file=absent
  err_lines 1
  err_has "'absent'"
}

case_option_without_value() {
  echo 'int a;' >a.cu
  run 2 "$CUINSTRUMENT" nvcc -c a.cu -o
  err_lines 1
}

case_flags_for_the_rewriter() {
  echo 'int a;' >a.cu
  NVCC_APPEND_FLAGS='-DFROM_ENV' CUINSTRUMENT_REWRITE_FLAGS='--exclude "x y"' \
    run 0 "$CUINSTRUMENT" --values --root=src nvcc -c a.cu -Iinc,inc2 --define-macro A=1 -std=c++20 \
    -gencode arch=compute_80,code=sm_80 -Xcompiler=-Wall,-DB -rdc true -o a.o
  tr '\n' ' ' <"$STUB_LOG.rewriter" >"$work/out"
  out_has '--backend=cuda --header-cache='
  out_has '/headers --exclude=x y --values --root=src -o '
  out_has 'a.cu -- -I inc -I inc2 -D A=1 -std=c++20 -gencode=arch=compute_80,code=sm_80 -Wall -DB -rdc=true -D FROM_ENV'
  NVCC_CCBIN=clang++ run 0 "$CUINSTRUMENT" nvcc -c a.cu --compiler-bindir g++ -o a.o
  tr '\n' ' ' <"$STUB_LOG.rewriter" >"$work/out"
  out_has 'a.cu -- -ccbin=clang++ -ccbin=g++ -arch=default'
  rm "$STUB_LOG.rewriter"
  NVCC_PREPEND_FLAGS='-arch=sm_80' run 0 "$CUINSTRUMENT" nvcc -c a.cu -o a.o
  tr '\n' ' ' <"$STUB_LOG.rewriter" >"$work/out"
  out_lacks default
  # What only nvcc knows, it is asked; where it does not say, the rewriter is told the word.
  run 0 "$CUINSTRUMENT" nvcc -arch all-major -c a.cu -o a.o
  tr '\n' ' ' <"$STUB_LOG.rewriter" >"$work/out"
  out_has 'a.cu -- -gencode=arch=compute_75,code=sm_75 -gencode=arch=compute_120,code=sm_120 -gencode=arch=compute_90,code=sm_90'
  run 0 "$CUINSTRUMENT" nvcc --gpu-architecture=native -c a.cu -o a.o
  tr '\n' ' ' <"$STUB_LOG.rewriter" >"$work/out"
  out_has 'a.cu -- -arch=native'
}

# Our headers need C++14. What nvcc compiles of the user's own is in the standard that they ask for.
case_older_standards() {
  echo 'int a;' >a.cu
  echo '--std c++03' >options
  for words in '-std=c++11' '-std c++11' '--std=c++03' '--options-file options'; do
    rm -f "$STUB_LOG" "$STUB_LOG.rewriter"
    # shellcheck disable=SC2086
    run 0 "$CUINSTRUMENT" nvcc $words -c a.cu -o a.o
    instrumented a.cu
    tr '\n' ' ' <"$STUB_LOG.rewriter" | grep -q -- ' -std=c++14 ' || fail "the rewriter's standard: $words"
    [[ $words == *options || "$(nvcc_arguments | grep -A1 -- -std | tr -d '\n')" =~ ^-+std=?c\+\+14 ]] || fail "nvcc's standard: $words"
    nvcc_lacks -std=c++11
  done
  echo 'int b;' >b.cpp
  rm -f "$STUB_LOG"
  run 0 "$CUINSTRUMENT" nvcc -std=c++11 -c b.cpp -o b.o
  nvcc_has -std=c++11
}

# Two at most, and what they say is in the order of the line.
case_sources_are_rewritten_beside_each_other() {
  echo '// MEETS WARNS' >a.cu; echo '// MEETS WARNS' >b.cu; echo '// WARNS' >c.cu
  run 0 timeout 20 "$CUINSTRUMENT" nvcc -c a.cu b.cu c.cu
  instrumented a.cu; instrumented b.cu; instrumented c.cu
  [ "$(cut -d: -f1 "$work/err" | tr '\n' ' ')" = 'a.cu b.cu c.cu ' ] || fail 'the order of warnings'
  rm "$STUB_LOG".met.*
  # One whose neighbour cannot be rewritten.
  echo '// MEETS CANNOT_REWRITE' >a.cu
  run 0 timeout 20 "$CUINSTRUMENT" nvcc -c a.cu b.cu
  untouched a.cu; instrumented b.cu
  rm "$STUB_LOG".met.*
  run 1 timeout 20 "$CUINSTRUMENT" --strict nvcc -c a.cu b.cu
  temporary_files_gone
  # One at a time, the first waits for ever.
  rm "$STUB_LOG".met.*
  run 124 timeout 1 "$CUINSTRUMENT" --jobs 1 nvcc -c a.cu b.cu
  [ -e "$STUB_LOG.met.a.cu" ] && [ ! -e "$STUB_LOG.met.b.cu" ] || fail 'both at a time'
  run 0 "$CUINSTRUMENT" --jobs 3 nvcc -c c.cu
  for wrong in 0 -1 two 1000 ''; do
    run 2 "$CUINSTRUMENT" --jobs "$wrong" nvcc -c a.cu
    err_has "--jobs is a number from 1 to 999, not '$wrong'"
  done
}

case_one_mode() {
  echo 'int a;' >a.cu
  run 0 "$CUINSTRUMENT" --mode trace nvcc -c a.cu
  nvcc_has -DCUI_TRACE_ONLY
  instrumented a.cu
  CUINSTRUMENT_REWRITE_FLAGS=--mode=trace run 0 "$CUINSTRUMENT" --mode=profile nvcc -c a.cu
  nvcc_arguments 2 | grep -qxF -- -DCUI_PROFILE_ONLY || fail 'the last --mode counts'
  CUINSTRUMENT_REWRITE_FLAGS=--mode=trace run 0 "$CUINSTRUMENT" --mode=both nvcc -c a.cu
  ! nvcc_arguments 3 | grep -q ONLY || fail 'both modes are the default'
  run 2 "$CUINSTRUMENT" --mode off nvcc -c a.cu
  err_has "--mode is trace, profile or both, not 'off'"
  err_lines 1
}

case_compiler_from_environment() {
  echo 'int a;' >a.cu
  printf '#!/bin/bash\necho wrapped >"%s/wrapped"\nexec "$@"\n' "$work" >"$work/bin/wrapper"
  chmod +x "$work/bin/wrapper"
  CUINSTRUMENT_NVCC='wrapper nvcc' run 0 "$CUINSTRUMENT" nvcc -c a.cu
  exists "$work/wrapped" a.o
}

case_several_sources() {
  echo 'int a;' >a.cu; echo 'int b;' >b.cu; echo 'int c;' >c.cpp
  run 0 "$CUINSTRUMENT" nvcc -dc a.cu b.cu c.cpp
  exists a.o b.o c.o
  instrumented a.cu; instrumented b.cu; untouched c.cpp
}

case_run() {
  echo 'int a;' >a.cu
  STUB_EXIT=9 run 9 "$CUINSTRUMENT" nvcc -run a.cu
  [ "$(nvcc_calls)" = 1 ] || fail 'a program that fails is not a compile that fails'
  nvcc_has "$library"
}

case_launcher() {
  echo 'int a;' >a.cu
  run 0 "$CUINSTRUMENT" launcher "$work/bin/nvcc" -c a.cu
  instrumented a.cu
  printf '#!/bin/bash\nexec "$@"\n' >"$work/bin/ccache"
  chmod +x "$work/bin/ccache"
  run 0 "$CUINSTRUMENT" launcher ccache "$work/bin/nvcc" -c a.cu
  run 0 "$CUINSTRUMENT" ccache nvcc -c a.cu
  [ "$(nvcc_calls)" = 3 ] || fail 'nvcc ran through the launchers'
  instrumented a.cu
}

case_exit_code_is_nvccs() {
  touch a.o
  STUB_EXIT=7 run 7 "$CUINSTRUMENT" nvcc a.o
  echo '#error' >e.cu
  run 2 "$CUINSTRUMENT" nvcc -c e.cu
  err_has 'stub verdict'
}

case_rewrite_fails_passes_through() {
  echo CANNOT_REWRITE >a.cu
  run 0 "$CUINSTRUMENT" nvcc -c a.cu
  err_lines 1
  err_has 'warning: a.cu is not instrumented: a.cu:3:1: error: stub cannot parse this'
  exists a.o
  untouched a.cu
  temporary_files_gone
}

case_rewriter_crash_passes_through() {
  echo CRASHES >a.cu; echo 'int b;' >b.cu
  run 0 "$CUINSTRUMENT" nvcc a.cu b.cu -o prog
  err_has 'a.cu is not instrumented: the rewriter was ended by signal 11'
  untouched a.cu
  instrumented b.cu
}

case_strict_refuses() {
  echo CANNOT_REWRITE >a.cu
  run 1 "$CUINSTRUMENT" --strict nvcc -c a.cu
  absent a.o "$STUB_LOG"
  CUINSTRUMENT_STRICT=1 run 1 "$CUINSTRUMENT" nvcc -c a.cu
  CUINSTRUMENT_STRICT=0 run 0 "$CUINSTRUMENT" nvcc -c a.cu
}

# Standard input is no file that we could rewrite; where it holds C++, there is nothing to.
case_standard_input() {
  echo 'int a;' >text
  for language in cu c++; do
    run 0 "$CUINSTRUMENT" nvcc -x $language -c - <text
    if [ $language = cu ]; then
      err_has 'cuinstrument: warning: standard input is not instrumented: give nvcc a file'
    else
      err_lines 0
    fi
  done
  rm "$STUB_LOG"
  run 1 "$CUINSTRUMENT" --strict nvcc -x cu -c - <text
  err_has 'cuinstrument: standard input cannot be instrumented: give nvcc a file'
  absent "$STUB_LOG"
  run 0 "$CUINSTRUMENT" --strict nvcc -x c++ -c - <text
}

# Where it cannot be, as with this nvcc, which is no toolkit's, and with -G.
case_a_recorder_that_is_to_be_linked() {
  echo 'int a;' >a.cu
  run 0 "$CUINSTRUMENT" nvcc -c a.cu
  err_lines 0
  run 0 "$CUINSTRUMENT" --recorder=linked nvcc -c a.cu
  err_has "cuinstrument: warning: the recorder is compiled in a.cu, not linked: nvcc does more than run"
  err_lines 1
  instrumented a.cu
  for line in '-G -c' '-rdc=true -arch=sm_100 -c' -ptx; do
    run 0 "$CUINSTRUMENT" --recorder linked nvcc $line a.cu
    err_has 'the recorder is compiled in a.cu, not linked: '
    err_has '; --recorder=compiled has it compiled without this message'
    rm -f "$STUB_LOG" a.o
    run 1 "$CUINSTRUMENT" --recorder linked --strict nvcc $line a.cu
    err_has 'cuinstrument: the recorder cannot be linked to a.cu: '
    absent a.o
    absent "$STUB_LOG"
    run 0 "$CUINSTRUMENT" --recorder compiled --strict nvcc $line a.cu
    err_lines 0
  done
}

case_instrumented_form_fails_passes_through() {
  echo BREAKS_WHEN_INSTRUMENTED >a.cu
  run 0 "$CUINSTRUMENT" nvcc -c a.cu
  err_has 'warning: nvcc accepts a.cu but not the instrumented form'
  err_has 'error: instrumented form'
  exists a.o
  untouched a.cu
  run 2 "$CUINSTRUMENT" --strict nvcc -c a.cu
}

# One source's instrumented form fails: the others of the line stay instrumented, and all outputs are there.
case_one_of_several_falls_back() {
  echo 'int a;' >a.cu; echo BREAKS_WHEN_INSTRUMENTED >b.cu; echo 'int c;' >c.cu
  run 0 "$CUINSTRUMENT" nvcc -dc a.cu b.cu c.cu
  err_has 'warning: nvcc accepts b.cu but not the instrumented form'
  err_has 'error: instrumented form'
  exists a.o b.o c.o
  instrumented a.cu; untouched b.cu; instrumented c.cu
  temporary_files_gone
  run 2 "$CUINSTRUMENT" --strict nvcc -dc a.cu b.cu c.cu
}

# The last try fails, so that the line that worked must run again for its outputs.
case_last_of_several_falls_back() {
  printf 'int a;\n' >a.cu; echo BREAKS_WHEN_INSTRUMENTED >b.cu; echo BREAKS_WHEN_INSTRUMENTED >c.cu
  run 0 "$CUINSTRUMENT" nvcc a.cu b.cu c.cu -o prog
  err_has 'warning: nvcc accepts b.cu, c.cu but not'
  exists prog
  instrumented a.cu; untouched b.cu; untouched c.cu
  nvcc_has "$library"
}

# A function left alone in one source, another source left alone as a whole.
case_several_fall_back_in_different_ways() {
  echo FAILS_UNLESS_LEFT >a.cu; echo BREAKS_WHEN_INSTRUMENTED >b.cu
  run 0 "$CUINSTRUMENT" nvcc -dc a.cu b.cu
  err_has 'their functions are not instrumented: a.cu:7'
  err_has 'nvcc accepts b.cu but not'
  instrumented a.cu; untouched b.cu
}

# The rewriter is asked again, without what is on the lines that nvcc complained about.
case_line_that_fails_instrumented_is_left_alone() {
  echo 'FAILS_UNLESS_LINE_LEFT' >a.cu
  run 0 "$CUINSTRUMENT" nvcc -c a.cu
  err_has 'what is on them is not instrumented: a.cu:5'
  err_lines 1
  instrumented a.cu
  [ "$(nvcc_calls)" = 3 ] || fail 'instrumented, plain, instrumented without that line'
}

# in_another_way REFUSED WORD [CALLS]: what nvcc refuses costs another call, with that word, and none of ours.
in_another_way() {
  calls=${3:-2}
  echo "$1" >a.cu
  run 0 "$CUINSTRUMENT" nvcc -c a.cu
  err_lines 0
  instrumented a.cu
  [ "$(nvcc_calls)" = "$calls" ] || fail 'instrumented, and so again in another way'
  nvcc_arguments "$calls" | grep -qx -- "$2" || fail 'the recorder was not told'
}

# cicc's own mistake about what the recorder asks.
case_form_that_cicc_mistakes_is_compiled_in_another_way() { in_another_way MISTAKEN_BY_CICC -DCUI_SPACES_BY_ASSEMBLY; }
# Where very many sites ask, these have a way of their own before that.
case_many_sites_that_cicc_mistakes_are_compiled_in_another_way() { in_another_way MISTAKEN_AT_MANY_SITES -DCUI_SPACES_BY_DETOUR; }
# By a detour, and by assembly.
case_many_sites_that_cicc_mistakes_again_are_compiled_in_a_third_way() { in_another_way 'MISTAKEN_BY_CICC MANY_SITES' -DCUI_SPACES_BY_ASSEMBLY 3; }

# A program that has all of the constant memory for itself.
case_full_constant_memory_has_the_state_elsewhere() { in_another_way FILLS_CONSTANT_MEMORY -DCUI_STATE_IN_GLOBAL_MEMORY; }

# And where that is not enough, without the functions on these lines.
case_function_that_fails_instrumented_is_left_alone() {
  echo 'FAILS_UNLESS_LEFT' >a.cu; echo 'int b;' >b.cu
  run 0 "$CUINSTRUMENT" nvcc a.cu b.cu -o prog
  err_has 'their functions are not instrumented: a.cu:7'
  err_lines 1
  instrumented a.cu
  instrumented b.cu
  [ "$(nvcc_calls)" = 4 ] || fail 'instrumented, plain, without the lines, without their functions'
  run 2 "$CUINSTRUMENT" --strict nvcc -c a.cu
  temporary_files_gone
}

# What the rewriter has to say about a file it did rewrite matters only if nvcc takes the file.
case_rewriters_warnings_come_after_nvccs_verdict() {
  echo 'WARNS' >a.cu; printf 'WARNS\n#error\n' >bad.cu
  run 0 "$CUINSTRUMENT" nvcc -c a.cu
  err_has 'a.cu:5:1: warning: stub does not know this'
  run 2 "$CUINSTRUMENT" nvcc -c bad.cu
  ! grep -q 'stub does not know' "$work/err" || fail 'a warning about a file that nvcc refuses'
}

case_strict_refuses_errors() {
  echo 'int a;' >a.cu
  run 0 "$CUINSTRUMENT" --strict nvcc -c a.cu
  grep -qx -- --refuse-errors "$STUB_LOG.rewriter" || fail 'the rewriter was not told'
}

case_metadata() {
  echo 'int a;' >a.cu; echo 'int b;' >b.cu
  run 0 "$CUINSTRUMENT" --emit-metadata sites.json nvcc -c a.cu
  grep -qx -- --emit-metadata=sites.json "$STUB_LOG.rewriter" || fail 'the rewriter was not told'
  run 2 "$CUINSTRUMENT" --emit-metadata=sites.json nvcc -c a.cu b.cu
  err_lines 1
}

case_missing_input_is_nvccs_to_report() {
  run 1 "$CUINSTRUMENT" nvcc -c absent.cu
  err_has 'nvcc fatal'
}

case_no_nvcc() {
  echo 'int a;' >a.cu
  CUINSTRUMENT_NVCC=no-such-nvcc run 3 "$CUINSTRUMENT" nvcc -c a.cu
  err_lines 1
  err_has "cannot run 'no-such-nvcc'"
  temporary_files_gone
}

case_dependency_file_names_the_users_files() {
  mkdir 'src dir' && cd 'src dir' && touch plain.h mirrored.h && cd ..
  printf '#include "plain.h"\n#include "mirrored.h"\nint a;\n' >'src dir/a.cu'
  run 0 "$CUINSTRUMENT" nvcc -MD -MF deps.d -c 'src dir/a.cu' -o a.o
  tr -d '\\\n' <deps.d | tr -s ' ' >"$work/out"
  [ "$(cat "$work/out")" = "a.o : src dir/a.cu cuinstrument/instrument.h src dir/plain.h src dir/mirrored.h" ] || fail "deps.d: $(cat deps.d)"
  run 0 "$CUINSTRUMENT" nvcc -MD -c 'src dir/a.cu' -o b.o
  run 0 "$CUINSTRUMENT" nvcc -MD -c 'src dir/a.cu'
  for file in a.d b.d; do grep -q 'src\\ dir/a.cu' $file || fail "$file: $(cat $file)"; done
  ! grep -q cuinstrument- ./*.d || fail 'a temporary path is left'
}

case_read_only_source_folder() {
  mkdir ro build && echo 'int a;' >ro/a.cu && chmod a-w ro
  cd build && run 0 "$CUINSTRUMENT" nvcc -c ../ro/a.cu
  cd ..
  chmod u+w ro
  instrumented a.cu
  [ "$(ls ro)" = a.cu ] || fail 'something was written beside the source'
}

case_temporary_folder_missing() {
  echo 'int a;' >a.cu
  TMPDIR=$work/none run 3 "$CUINSTRUMENT" nvcc -c a.cu
  err_lines 1
  err_has 'set TMPDIR'
}

case_same_path_each_time() {
  echo 'int a;' >a.cu
  run 0 "$CUINSTRUMENT" nvcc -c a.cu
  run 0 "$CUINSTRUMENT" nvcc -c a.cu
  [ "$(nvcc_arguments 1)" = "$(nvcc_arguments 2)" ] || fail "objects would differ from build to build"
}

case_keep_rewritten() {
  echo 'int a;' >a.cu
  run 0 "$CUINSTRUMENT" --keep-rewritten kept nvcc -c a.cu
  grep -q CUI_UNIT kept/0/a.cu || fail 'the rewritten file was not kept'
}

case_signal_ends_children_and_cleans_up() {
  echo 'int a;' >a.cu
  for signal in INT TERM; do
    rm -f "$STUB_SEEN/sleeper"
    # A shell starts background jobs with SIGINT ignored; python gives it back.
    STUB_SLEEP=60 python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])' "$CUINSTRUMENT" nvcc -c a.cu >"$work/out" 2>"$work/err" &
    local pid=$!
    for _ in $(seq 200); do [ -s "$STUB_SEEN/sleeper" ] && break; sleep 0.05; done
    kill -$signal $pid
    wait $pid
    local code=$?
    [ $code = $((128 + $(kill -l $signal))) ] || fail "exit code $code after SIG$signal"
    for _ in $(seq 100); do kill -0 "$(cat "$STUB_SEEN/sleeper")" 2>/dev/null || break; sleep 0.05; done
    ! kill -0 "$(cat "$STUB_SEEN/sleeper")" 2>/dev/null || fail "nvcc's child outlived SIG$signal"
    temporary_files_gone
  done
}

case_other_options_stay_as_they_are() {
  echo 'int a;' >a.cu
  local options=(-ccbin g++ -gencode 'arch=compute_80,code=[sm_80,compute_80]' -gencode arch=compute_90,code=sm_90
    --expt-relaxed-constexpr --extended-lambda -lineinfo -G --keep --keep-dir kept -Xcompiler -Wall,-fopenmp -Xptxas -v -t 4)
  run 0 "$CUINSTRUMENT" nvcc "${options[@]}" -c a.cu -o a.o
  instrumented a.cu
  [ "$(nvcc_arguments | head -${#options[@]})" = "$(printf '%s\n' "${options[@]}")" ] || fail 'options changed'
}

case_device_code_only() {
  echo 'int a;' >a.cu
  for option in -cubin -fatbin -ptx --cubin --ptx; do
    run 0 "$CUINSTRUMENT" nvcc $option a.cu -o a.out
    instrumented a.cu
    ! grep -qF "$library" "$STUB_LOG" || fail "a library on a line with $option"
  done
}

case_symlinked_source() {
  mkdir real && echo 'int a;' >real/a.cu && ln -s real linked && ln -s ../real/a.cu real/b.cu
  run 0 "$CUINSTRUMENT" nvcc -dc linked/b.cu
  instrumented b.cu
  exists b.o
  grep -qx linked/b.cu "$STUB_LOG.rewriter" || fail 'the rewriter was given another name'
}

case_parallel_make() {
  for i in 1 2 3 4 5 6 7 8; do echo "int v$i;" >v$i.cu; done
  printf 'all: $(addsuffix .o,v1 v2 v3 v4 v5 v6 v7 v8)\n%%.o: %%.cu\n\t$(NVCC) -c $< -o $@\n' >Makefile
  run 0 make -s -j8 NVCC="$CUINSTRUMENT nvcc"
  exists v1.o v8.o
  instrumented v5.cu
  temporary_files_gone
}

main "$1"
