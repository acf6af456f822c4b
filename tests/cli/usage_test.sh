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

case_rewrite_runs_the_rewriter() {
  export STUB_LOG=$work/log
  echo 'int a;' >a.cu
  CUINSTRUMENT_REWRITER=$here/stub_rewriter.sh run 0 "$CUINSTRUMENT" rewrite a.cu -o b.cu -- -DX
  grep -q CUI_UNIT b.cu || fail 'no output'
  CUINSTRUMENT_REWRITER=$work/none run 3 "$CUINSTRUMENT" rewrite a.cu
  err_lines 1
}

main "$1"
