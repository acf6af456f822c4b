# Our ptxas and fatbinary against stubs of the toolkit's: what runs beside what, and what becomes of it.
. "$SOURCE/tests/cli/lib.sh"
export CUINSTRUMENT_TOOLCHAIN=$work/toolchain CUINSTRUMENT_PLAIN_CODE=$work/plain
export STUB_LOG=$work/log STUB_GO=$work/go STUB_WAIT='' STUB_FAIL='' STUB_REGISTERS=10
mkdir -p "$work/toolchain/toolkit" "$work/plain"
for program in ptxas nvlink fatbinary; do cp "$here/stub_toolkit.sh" "$work/toolchain/toolkit/$program"; done
for program in ptxas fatbinary; do ln -s "$CUINSTRUMENT" "$work/toolchain/$program"; done
touch "$work/toolchain"/recorder.sm_90.{few,convention}.64.cubin "$work/toolchain/recorder.sm_90.convention.32.cubin" # the cache has them
cat >unit.ptx <<'END'
.version 9.0
.target sm_90
.address_size 64

.extern .func _ZN3cui7backend10recordWarpEv
(
	.param .b64 recordWarp_param_0
)
;
.visible .entry first()
{
	call.uni _ZN3cui7backend10recordWarpEv, (param0);
	ret;

}
END
ptxas=("$work/toolchain/ptxas" -arch=sm_90 -m64 unit.ptx -o unit.cubin)
plain_code() { (cd "$work/plain" && shopt -s nullglob && set -- *.cubin && echo "$*"); }
logged() { grep -qx "$1" "$STUB_LOG"; }
wait_for() {
  for _ in $(seq 500); do logged "$1" && return; sleep 0.02; done
  fail "never: $1"
}
# Lines of the log in this order.
in_order() { [ "$(grep -nxE "$(IFS='|'; echo "$*")" "$STUB_LOG" | sed 's/^[0-9]*://' | tr '\n' ',')" = "$(printf '%s,' "$@")" ] || fail "order: $*"; }

case_both_at_the_same_time() {
  # Each is ready only once the other has begun.
  STUB_WAIT='ptxas plain-ptxas' "${ptxas[@]}" >"$work/out" 2>"$work/err" &
  wait_for 'begin ptxas'
  wait_for 'begin plain-ptxas'
  touch "$STUB_GO.ptxas" "$STUB_GO.plain-ptxas"
  wait $! || fail 'failed'
  [ "$(cat unit.cubin)" = nvlink ] || fail 'the code is not the linked one'
  [ "$(cat "$work/plain/$(plain_code)")" = plain-ptxas ] || fail 'no plain code'
  temporary_files_gone
}

case_output_is_of_the_one_in_its_order() {
  # The plain one is ready first.
  STUB_WAIT=ptxas "${ptxas[@]}" >"$work/out" 2>"$work/err" &
  wait_for 'end plain-ptxas'
  touch "$STUB_GO.ptxas"
  wait $! || fail 'failed'
  [ "$(cat "$work/out")" = $'ptxas says\nnvlink says' ] || fail 'standard output'
  [ "$(cat "$work/err")" = $'ptxas warns\nnvlink warns' ] || fail 'standard error'
}

case_one_at_a_time() {
  CUINSTRUMENT_JOBS=1 run 0 "${ptxas[@]}"
  in_order 'end plain-ptxas' 'begin ptxas' 'begin nvlink'
  [ -n "$(plain_code)" ] || fail 'no plain code'
}

# A unit with state has kernels of ours, too: with those of the user's they are two.
with_kernels_of_ours() {
  sed -i 's/^\.address_size.*/&\n.const .align 8 .b8 _ZN3cui12_GLOBAL__N_19unitStateE[112];/; s/call.uni /&\n\t/' unit.ptx
}

case_kernels_of_ours_are_compiled_side_by_side() {
  with_kernels_of_ours
  CUINSTRUMENT_JOBS=3 run 0 "${ptxas[@]}"
  logged 'ptxas --split-compile=3' || fail "$(cat "$STUB_LOG")"
  grep -q 'plain-ptxas --split' "$STUB_LOG" && fail 'what is only the user'\''s is, too'
  CUINSTRUMENT_JOBS=6 run 0 "${ptxas[@]}"
  logged 'ptxas --split-compile=6' || fail "$(cat "$STUB_LOG")"
  # Two, as usual, where it takes ptxas a second.
  { printf '// '; head -c 270000 /dev/zero | tr '\0' x; echo; } >>unit.ptx
  run 0 "${ptxas[@]}"
  logged 'ptxas --split-compile=2' || fail "$(grep -v begin "$STUB_LOG")"
  : >"$STUB_LOG"
  CUINSTRUMENT_JOBS=1 run 0 "${ptxas[@]}"
  grep -q split-compile "$STUB_LOG" && fail 'one'
  return 0
}

case_kernels_are_compiled_side_by_side_where_nothing_else_is_wanted() {
  not_split() {
    grep -q 'ptxas --split-compile=4' "$STUB_LOG" && fail "$1"
    : >"$STUB_LOG"
  }
  CUINSTRUMENT_JOBS=4 run 0 "${ptxas[@]}"
  not_split 'there are none of ours'
  with_kernels_of_ours
  run 0 "${ptxas[@]}"
  grep -q split-compile "$STUB_LOG" && fail 'two, as usual'
  export CUINSTRUMENT_JOBS=4
  CUINSTRUMENT_PLAIN_CODE='' run 0 "${ptxas[@]}"
  not_split 'without plain code there are none of ours'
  for own in -split-compile=1 --split-compile=3; do
    run 0 "${ptxas[@]}" $own
    logged "ptxas $own" || fail 'what the user wants'
    not_split 'the user wants something else'
  done
  sed -i 's/^\.version.*/.version 8.5/' unit.ptx
  touch "$work/toolchain/recorder.sm_90.convention.64.cubin"
  run 0 "${ptxas[@]}"
  not_split 'a ptxas that may not know it'
}

case_what_is_made_of_a_unit_is_made_once() {
  touch "$work/toolchain/recorder.sm_90.ptx"
  with_kernels_of_ours
  run 0 "${ptxas[@]}"
  for text in recording plain; do echo "// kept $text" >>"$(echo "$work"/plain/*.texts)/$text.ptx"; done
  run 0 "${ptxas[@]}" # another architecture's, say
  cp unit.ptx first.ptx
  run 0 "$work/toolchain/fatbinary" -64 "--image3=kind=ptx,sm=90,file=$PWD/unit.ptx" --embedded-fatbin="$PWD/unit.fatbin.c"
  grep -q 'kept recording' unit.ptx || fail 'the text is made twice'
  grep -q 'first$cuiWhole\|first$cuiRest' unit.ptx || fail 'kernels of ours'
  [ "$(echo "$work"/plain/*.texts | wc -w)" = 1 ] || fail 'several of one unit'
  # Of another unit with the same name.
  echo '// other' >>first.ptx
  cp first.ptx unit.ptx
  run 0 "$work/toolchain/fatbinary" -64 "--image3=kind=ptx,sm=90,file=$PWD/unit.ptx" --embedded-fatbin="$PWD/unit.fatbin.c"
  grep -q 'kept recording' unit.ptx && fail 'the text of another'
  temporary_files_gone
}

case_without_plain_code_the_rest_stays() {
  STUB_FAIL=plain-ptxas run 0 "${ptxas[@]}"
  [ "$(cat unit.cubin)" = nvlink ] || fail 'the code is not the linked one'
  [ -z "$(plain_code)" ] || fail "plain code that was not compiled: $(plain_code)"
  [ "$(cat "$work/err")" = $'ptxas warns\nnvlink warns' ] || fail 'standard error'
  temporary_files_gone
}

# It is compiled for blocks of 1,024 threads while nothing else is known.
case_a_kernel_of_few_registers_is_compiled_once() {
  STUB_REGISTERS=64 run 0 "${ptxas[@]}"
  [ "$(grep -c 'begin ptxas' "$STUB_LOG")" = 1 ] || fail "$(cat "$STUB_LOG")"
  in_order 'ptxas .maxnreg 64' 'end ptxas'
}

case_a_kernel_of_many_registers_has_as_many_with_the_recorder() {
  # What was begun is not waited for.
  STUB_REGISTERS=65 STUB_WAIT='ptxas plain-ptxas' "${ptxas[@]}" >"$work/out" 2>"$work/err" &
  wait_for 'begin ptxas'
  touch "$STUB_GO.plain-ptxas"
  wait_for 'signal ptxas'
  wait_for 'ptxas .maxnreg 72'
  touch "$STUB_GO.ptxas"
  wait $! || fail 'failed'
  [ "$(cat unit.cubin)" = nvlink ] || fail 'the code is not the linked one'
  [ "$(cat "$work/plain/$(plain_code)")" = plain-ptxas ] || fail 'no plain code'
  [ "$(cat "$work/err")" = $'ptxas warns\nnvlink warns' ] || fail 'standard error'
  temporary_files_gone
  rm -f "$STUB_LOG"
  CUINSTRUMENT_JOBS=1 STUB_REGISTERS=65 run 0 "${ptxas[@]}"
  in_order 'end plain-ptxas' 'ptxas .maxnreg 72' 'begin ptxas' 'end nvlink'
}

# As ptxas says itself of functions that are called through pointers. The recorder need not be compiled in the unit for that.
case_functions_have_no_more_registers_than_a_kernel_that_calls_them() {
  { sed '/entry first/,$d' unit.ptx
    printf '.visible .func called()\n{\n\tcall.uni _ZN3cui7backend10recordWarpEv, (param0);\n\tret;\n\n}\n'
    sed -n '/entry first/,$p' unit.ptx; } >pointers.ptx
  mv pointers.ptx unit.ptx
  STUB_LIMIT=64 run 0 "${ptxas[@]}"
  in_order 'begin ptxas' 'begin ptxas' 'ptxas -maxrregcount=64' 'end ptxas' 'begin nvlink'
  [ "$(cat unit.cubin)" = nvlink ] || fail 'the code is not the linked one'
  grep -q regcount "$work/err" && fail 'what is no error in the end is said'
  # Fewer than the recorder can be compiled for.
  rm -f "$STUB_LOG"
  STUB_LIMIT=16 run 255 "${ptxas[@]}"
  err_has 'max regcount of 16'
  temporary_files_gone
}

# Its calls are by the convention, and what they call has as few registers: one try.
case_a_kernel_whose_bounds_leave_few_registers_is_compiled_once() {
  sed -i 's/10recordWarpEv/10warpInModeEv/; s/^\.visible .entry first()/&\n.maxntid 1024, 1, 1\n.minnctapersm 2/' unit.ptx
  STUB_LINK_LIMIT=32 run 0 "${ptxas[@]}"
  in_order 'begin ptxas' 'end ptxas' 'nvlink recorder.sm_90.convention.32.cubin' 'begin nvlink' 'end nvlink'
}

# Where only nvlink can say it, what has been compiled by the convention is linked once more.
case_a_kernel_of_few_registers_is_linked_to_another_recorder() {
  STUB_LINK_LIMIT=32 run 0 "${ptxas[@]}"
  in_order 'begin ptxas' 'begin ptxas' 'end ptxas' 'nvlink recorder.sm_90.convention.64.cubin' 'begin nvlink' \
    'nvlink recorder.sm_90.convention.32.cubin' 'begin nvlink' 'end nvlink'
  [ "$(cat unit.cubin)" = nvlink ] || fail 'the code is not the linked one'
}

case_a_failure_leaves_nothing() {
  for failing in ptxas nvlink; do
    rm -f "$STUB_LOG"
    STUB_FAIL=$failing run 3 "${ptxas[@]}"
    [ -z "$(plain_code)" ] || fail "plain code: $(plain_code)"
    out_has "$failing says"
    err_has "$failing warns"
    temporary_files_gone
  done
}

case_a_signal_ends_both() {
  for signal in INT TERM; do
    rm -f "$STUB_LOG"
    # A shell starts background jobs with SIGINT ignored; python gives it back.
    STUB_WAIT='ptxas plain-ptxas' python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "${ptxas[@]}" >"$work/out" 2>"$work/err" &
    local pid=$!
    wait_for 'begin ptxas'
    wait_for 'begin plain-ptxas'
    kill -$signal $pid
    wait $pid
    local code=$?
    [ $code = $((128 + $(kill -l $signal))) ] || fail "exit code $code after SIG$signal"
    logged 'signal ptxas' || fail "SIG$signal: ptxas was not told"
    logged 'signal plain-ptxas' || fail "SIG$signal: plain-ptxas was not told"
    [ -z "$(plain_code)" ] || fail "plain code: $(plain_code)"
    temporary_files_gone
  done
}

# What the stub compiles is no machine code that could be joined with the recorder's.
case_relocatable_code_that_is_not_known_is_refused() {
  run 1 "$work/toolchain/ptxas" -arch=sm_90 -c unit.ptx -o joined.cubin
  err_has 'machine code cannot be joined'
  in_order 'begin ptxas' 'end ptxas'
  absent joined.cubin
  temporary_files_gone
}

# What much text needs by itself is asked before the recorder's calls are compiled in it, which takes several times as long.
case_large_relocatable_functions_are_compiled_once() {
  { sed '/entry first/,$d' unit.ptx
    printf '.visible .func large()\n{\n\tcall.uni _ZN3cui7backend10recordWarpEv, (param0);\n'
    yes '	mul.f32 	%f1, %f2, %f3;' | head -n 3000
    printf '\tret;\n\n}\n'; } >large.ptx
  # The stub's code says nothing of registers.
  run 1 "$work/toolchain/ptxas" -arch=sm_90 -c large.ptx -o joined.cubin
  in_order 'begin plain-ptxas' 'end plain-ptxas'
  logged 'begin ptxas' && fail 'the other did not wait'
  run 1 "$work/toolchain/ptxas" -arch=sm_90 -c unit.ptx -o joined.cubin
  logged 'begin ptxas' || fail 'one of little text waits'
  temporary_files_gone
}

case_relocatable_code_that_does_not_compile() {
  STUB_FAIL=ptxas run 3 "$work/toolchain/ptxas" -arch=sm_90 -c unit.ptx -o joined.cubin
  out_has 'ptxas says'
  err_has 'ptxas warns'
  absent joined.cubin
  temporary_files_gone
}

# What compiles relocatable PTX goes by the options beside it: the recorder's functions have no more registers then than kernels.
case_relocatable_text_has_a_limit_beside_it() {
  touch "$work/toolchain/recorder.sm_90.ptx"
  cp unit.ptx first.ptx
  image() { CUINSTRUMENT_PLAIN_CODE='' run 0 "$work/toolchain/fatbinary" -64 "--cmdline=$1" "--image3=kind=ptx,sm=90,file=$PWD/unit.ptx" --embedded-fatbin="$PWD/unit.fatbin.c" $2; }
  image --compile-only --device-c
  grep -q maxnreg unit.ptx || fail 'a kernel has no limit'
  logged 'fatbinary --cmdline=--compile-only -maxrregcount=64 ' || fail "$(cat "$STUB_LOG")"
  cp first.ptx unit.ptx
  image '-maxrregcount=96 ' --device-c
  grep -q maxnreg unit.ptx && fail 'a kernel has another limit than the program says'
  logged 'fatbinary --cmdline=-maxrregcount=96 ' || fail "$(cat "$STUB_LOG")"
  cp first.ptx unit.ptx
  image '' ''
  logged 'fatbinary --cmdline=' || fail "$(cat "$STUB_LOG")"
}

case_code_of_link_time_is_refused() {
  run 1 "$work/toolchain/fatbinary" "--image3=kind=nvvm,sm=90,file=$PWD/unit.ltoir" --device-c
  err_has 'compiled at link time'
}

embed() {
  echo >"$work/plain/$(basename "$(plain_code)" .cubin).cubin"
  run "$1" "$work/toolchain/fatbinary" -64 "--image3=kind=elf,sm=90,file=$PWD/unit.cubin" --embedded-fatbin="$PWD/unit.fatbin.c"
}

case_images_of_both() {
  run 0 "${ptxas[@]}"
  embed 0
  grep -q 'of fatbinary' unit.fatbin.c || fail 'the images'
  grep -q 'cuiPlainDeviceText of plain-fatbinary' unit.fatbin.c || fail 'the plain images'
  [ "$(cat "$work/out")" = $'fatbinary says\nplain-fatbinary says' ] || fail 'standard output'
  temporary_files_gone
}

case_machine_code_with_the_recorder_is_compressed() {
  image() {
    : >"$STUB_LOG"
    run 0 "$work/toolchain/fatbinary" -64 $1 "--image3=kind=elf,sm=90,file=$PWD/$2" --embedded-fatbin="$PWD/unit.fatbin.c"
  }
  echo _ZN3cui7backend13calibrateGridE >with.cubin
  echo _Z5first >without.cubin
  image '' with.cubin
  logged 'fatbinary --compress-all' || fail "$(cat "$STUB_LOG")"
  image '' without.cubin
  logged 'fatbinary --compress-all' && fail 'a program of the user'\''s own is compressed'
  for own in -compress=false --compress-mode=size; do
    image $own with.cubin
    logged 'fatbinary --compress-all' && fail "in spite of $own"
  done
  true
}

case_images_that_cannot_be_made() {
  run 0 "${ptxas[@]}"
  for failing in fatbinary plain-fatbinary; do
    (export STUB_FAIL=$failing; embed 3) || exit 1
    out_has "$failing says"
    temporary_files_gone
  done
}

main "$1"
