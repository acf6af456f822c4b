# The front door: help, versions, and what happens to wrong command lines.
. "$SOURCE/tests/cli/lib.sh"

case_version() {
  run 0 "$CUINSTRUMENT" --version
  grep -qxE 'cuinstrument [0-9]+\.[0-9]+\.[0-9]+' "$work/out" || fail 'version line'
}

case_help_names_every_command() {
  run 0 "$CUINSTRUMENT" --help
  for command in nvcc launcher cpu rewrite report query validate materialize flags; do
    grep -qE "^  $command " "$work/out" || fail "help lacks $command"
  done
  out_has 'Exit codes'
}

case_unknown_command() {
  run 2 "$CUINSTRUMENT" frobnicate
  err_lines 1
  err_has "'frobnicate'"
  run 2 "$CUINSTRUMENT"
  err_lines 1
}

case_unknown_option() {
  run 2 "$CUINSTRUMENT" --frobnicate nvcc -c a.cu
  err_lines 1
  err_has "'--frobnicate'"
  run 2 "$CUINSTRUMENT" report --frobnicate x.db
  err_lines 1
  CUINSTRUMENT_REWRITE_FLAGS=--frobnicate run 2 "$CUINSTRUMENT" cpu a.cu
  err_lines 1
}

case_flags_are_usable_in_a_shell() {
  run 0 "$CUINSTRUMENT" flags --backend cpu --link
  out_has 'libcuinstrument_cpu.a'
  out_lacks ' -I '
  run 0 "$CUINSTRUMENT" flags --compile
  out_has '-I '
  out_lacks .a
  run 2 "$CUINSTRUMENT" flags --backend gpu
}

# A program of C's or Fortran's, linked by their compilers.
case_flags_are_usable_by_a_compiler_of_c() {
  command -v gcc >/dev/null && command -v g++ >/dev/null || return 0
  echo 'int cuiRecording(); int main() { return cuiRecording(); }' >main.c
  printf '%s\n' '#include <string>' 'extern "C" int cuiRecording() { return std::to_string(0).size() != 1; }' >part.cpp
  mkdir lib
  g++ -c part.cpp -o part.o
  ar rc lib/libcuinstrument.a part.o
  local words
  words=$("$CUINSTRUMENT" flags --link | sed "s#[^ ]*/libcuinstrument.a#lib/libcuinstrument.a#")
  gcc main.c $words -o main || fail 'it is not linked'
  run 0 ./main
  gcc main.c lib/libcuinstrument.a -o main 2>/dev/null && fail 'the test shows nothing'
  true
}

# As LDFLAGS of setup.py and its like: the linker comes to our library before anything needs it.
case_flags_may_stand_in_front_of_the_objects() {
  command -v g++ >/dev/null || return 0
  echo 'extern "C" int cuiRecording(); int main() { return cuiRecording(); }' >main.cpp
  mkdir lib
  g++ -c main.cpp -o main.o
  echo 'extern "C" int cuiRecording() { return 0; }' >part.cpp
  g++ -c part.cpp -o part.o
  ar rc lib/libcuinstrument.a part.o
  run 0 "$CUINSTRUMENT" flags --link --whole
  out_has '--whole-archive'
  out_has '--pop-state'
  local words
  words=$("$CUINSTRUMENT" flags --link --whole | sed "s#[^ ]*/libcuinstrument.a#lib/libcuinstrument.a#")
  g++ $words main.o -o main || fail 'it is not linked'
  words=$("$CUINSTRUMENT" flags --link | sed "s#[^ ]*/libcuinstrument.a#lib/libcuinstrument.a#")
  g++ $words main.o -o main 2>/dev/null && fail 'the test shows nothing'
  run 2 "$CUINSTRUMENT" flags --compile --whole
  err_has '--whole'
  true
}

case_rewrite_runs_the_rewriter() {
  export STUB_LOG=$work/log
  echo 'int a;' >a.cu
  CUINSTRUMENT_REWRITER=$here/stub_rewriter.sh run 0 "$CUINSTRUMENT" rewrite a.cu -o b.cu -- -DX
  grep -q CUI_UNIT b.cu || fail 'no output'
  CUINSTRUMENT_REWRITER=$work/none run 3 "$CUINSTRUMENT" rewrite a.cu
  err_lines 1
}

main "$1"
