# `cuinstrument cpu` with the real g++ and a stub rewriter that changes nothing but adds a preamble: which flags
# reach which compiler call, and what objects and programs come out.
. "$SOURCE/tests/cli/lib.sh"
export STUB_LOG=$work/log CUINSTRUMENT_REWRITER=$here/stub_rewriter.sh
mkdir "$work/bin"
export PATH=$work/bin:$PATH
# Notes its arguments and makes the output.
cat >"$work/bin/g++" <<'EOF'
#!/bin/bash
{ printf '%s\n' "$@"; echo --; } >>"$STUB_LOG"
while (($#)); do
  case $1 in
    -o) touch "$2" ;;
    -MF) echo "$dependency_text" >"$2" ;;
  esac
  shift
done
exit "${STUB_EXIT:-0}"
EOF
chmod +x "$work/bin/g++"
prefix=$(dirname "$(dirname "$CUINSTRUMENT")")

# The N-th call's words on one line.
call() { awk -v n="$1" 'BEGIN {c = 1} /^--$/ {c++; next} c == n' "$STUB_LOG" | tr '\n' ' ' >"$work/out"; }

case_compile_and_link() {
  echo 'int a;' >a.cu; echo 'int b;' >b.cpp
  run 0 "$CUINSTRUMENT" cpu a.cu b.cpp -Iinc -lfoo -o prog
  call 1
  out_has "-std=c++17 -I inc -O2 -I $prefix/include -I $prefix/include/cuinstrument/backend/cpu/toolkit -include cuda_runtime.h -x c++ "
  out_has '/0/a.cu -c -o '
  call 2
  out_lacks cuda_runtime.h
  cpu=$prefix/lib/libcuinstrument_cpu.a
  out_has "/a.o b.cpp -lfoo -o prog $cpu $prefix/lib/libcuinstrument.a $cpu -Xlinker --wrap=cudaMalloc "
  out_has ' -lpthread -ldl -lm '
  temporary_files_gone
}

case_forced_includes() {
  echo '// TAKES' >a.cu; echo 'int b;' >b.cu; echo 'int c;' >c.cpp; echo >forced.h
  run 0 "$CUINSTRUMENT" cpu a.cu b.cu c.cpp -include forced.h -o prog
  call 1
  out_lacks forced.h
  call 2
  out_has '-include forced.h'
  call 3
  out_has '-include forced.h'
}

case_compile_only() {
  echo 'int a;' >a.cu; echo 'int b;' >b.cu
  run 0 "$CUINSTRUMENT" cpu -c -O0 -std=c++20 a.cu b.cu
  exists a.o b.o
  [ "$(grep -c '^--$' "$STUB_LOG")" = 2 ] || fail 'one call a source, and nothing is linked'
  call 2
  out_lacks -O2
  out_has '-std=c++17 -O0 -std=c++20'
}

# Our headers need C++14.
case_older_standards() {
  echo 'int a;' >a.cu
  run 0 "$CUINSTRUMENT" cpu -c -std=gnu++11 -Xcompiler -std=c++0x a.cu
  call 1
  out_has '-std=c++17 -std=gnu++14 -std=c++14 '
}

case_nvcc_options_are_translated() {
  echo 'int a;' >a.cu
  run 0 "$CUINSTRUMENT" cpu -arch=sm_90 -gencode arch=compute_80,code=sm_80 --expt-relaxed-constexpr \
    --extended-lambda -rdc=true -lineinfo -Xptxas -v -Xcompiler -Wall,-fopenmp --use_fast_math -O 3 -Werror all-warnings \
    --define-macro A,B=1 -lcudart -lcudadevrt -dc a.cu -o a.o
  call 1
  [ "$(sed "s| -I .*||" "$work/out")" = "-std=c++17 -Wall -fopenmp -O3 -Werror -D A -D B=1" ] || fail "compile options"
  out_has '-c -o a.o'
}

case_host_options_pass() {
  echo 'int a;' >a.cu
  run 0 "$CUINSTRUMENT" cpu -march=native -g3 -pthread -Wl,-rpath,x -isystemdir -MQ t -DX -Ofast -Werror=vla a.cu -oprog
  call 1
  out_has '-march=native -g3 -pthread -Wl,-rpath,x -isystem dir -MQ t -D X -Ofast -Werror=vla'
  exists prog
}

case_objects_only() {
  touch a.o
  run 0 "$CUINSTRUMENT" cpu a.o -lcudart -lcurand -o prog
  call 1
  out_has "a.o -o prog $prefix/lib/libcuinstrument_cpu.a"
  out_lacks cudart
  out_lacks curand
}

case_device_link_makes_an_object() {
  touch a.o
  run 0 "$CUINSTRUMENT" cpu -dlink a.o -o d.o
  exists d.o
}

case_dependency_file() {
  mkdir s && echo 'int a;' >s/a.cu
  run 0 env dependency_text='x' "$CUINSTRUMENT" cpu -MD -MF deps.d -MT target -c s/a.cu -o a.o
  call 1
  out_has '-MD -MF deps.d -MT target'
  run 0 "$CUINSTRUMENT" --verbose cpu -MMD -c s/a.cu
  err_has '-MMD -MF a.d -MT a.o'
}

case_dependency_file_of_a_host_source() {
  echo 'int a;' >a.cpp
  run 0 "$CUINSTRUMENT" cpu -MMD -MF deps.d -c a.cpp
  call 1
  out_has 'a.cpp -MMD -MF deps.d -MT a.o -c'
}

case_preprocess_passes_the_original() {
  echo 'int a;' >a.cu; echo 'int b;' >b.cpp
  run 0 "$CUINSTRUMENT" cpu -E a.cu b.cpp
  call 1
  out_has '-include cuda_runtime.h -x c++ a.cu'
  call 2
  out_has ' b.cpp'
  out_lacks cuda_runtime.h
}

# A real toolkit's headers must not come before ours; nvcc searches its cccl folder, too.
case_toolkit_folder_comes_last() {
  mkdir -p cuda/include/crt cuda/include/cccl && touch cuda/include/crt/host_config.h
  echo 'int a;' >a.cu
  run 0 "$CUINSTRUMENT" cpu -Iinc -Icuda/include -c a.cu
  call 1
  out_has '-I inc -idirafter cuda/include/cccl -idirafter cuda/include '
  tr '\n' ' ' <"$STUB_LOG.rewriter" >"$work/out"
  out_has '-I inc -idirafter cuda/include/cccl -idirafter cuda/include '
}

case_compiler_from_environment() {
  echo 'int a;' >a.cu
  cp "$work/bin/g++" "$work/bin/other++"
  CUINSTRUMENT_CXX='other++ -fno-exceptions' run 0 "$CUINSTRUMENT" --verbose cpu -c a.cu
  err_has 'other++ -fno-exceptions -std=c++17'
}

case_clang_takes_values_that_lanes_have_not_set() {
  echo 'int a;' >a.cu
  cp "$work/bin/g++" "$work/bin/clang++-22"
  CUINSTRUMENT_CXX='env clang++-22 -fno-exceptions' run 0 "$CUINSTRUMENT" cpu -c a.cu
  call 1
  out_has '-Xclang -no-enable-noundef-analysis'
  run 0 "$CUINSTRUMENT" cpu -c a.cu
  call 2
  out_lacks -Xclang
}

case_source_that_does_not_compile() {
  echo 'CANNOT_REWRITE' >a.cu
  run 1 "$CUINSTRUMENT" cpu a.cu -o prog
  err_has 'a.cu:3:1: error: stub cannot parse this'
  absent prog "$STUB_LOG"
}

case_compiler_failure_is_passed_on() {
  echo 'int a;' >a.cu
  STUB_EXIT=5 run 5 "$CUINSTRUMENT" cpu a.cu -o prog
}

case_bad_input() {
  run 3 "$CUINSTRUMENT" cpu absent.cu
  err_lines 1
  err_has "'absent.cu' does not exist"
  echo 'int a;' >a.cu; echo 'int b;' >b.cu
  run 2 "$CUINSTRUMENT" cpu -ptx a.cu
  err_lines 1
  err_has "'-ptx'"
  touch a.ptx
  run 2 "$CUINSTRUMENT" cpu a.ptx -o x
  err_has 'GPU code'
  run 2 "$CUINSTRUMENT" cpu -c a.cu b.cu -o x.o
  err_lines 1
  run 2 "$CUINSTRUMENT" cpu
  err_lines 1
}

main "$1"
