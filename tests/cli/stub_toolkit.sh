#!/bin/bash
# Stands in for the toolkit's ptxas, nvlink and fatbinary (its name says which): notes its beginning and end in $STUB_LOG, says its name on both
# streams, and makes its outputs. Where the recorder is left out it is called `plain`.
# $STUB_REGISTERS: what the plain one says that the kernel `first` has. Directives for registers in its input are in the log, too, and fatbinary's options.
# $STUB_WAIT: names that wait until `$STUB_GO.<name>` is there, or for a signal. $STUB_FAIL: names that end with 3.
name=$(basename "$0")
case " $* " in *plain*) name=plain-$name ;; esac
trap 'echo "signal $name" >>"$STUB_LOG"; exit 1' INT TERM
for word; do
  case $word in
    *file=*) ;;
    *.ptx) grep '^.maxnreg' "$word" | sed "s/^/$name /" >>"$STUB_LOG" ;;
    */recorder.*.cubin) echo "$name ${word##*/}" >>"$STUB_LOG" ;;
    --cmdline=* | --compress* | *-split-compile=*) echo "$name $word" >>"$STUB_LOG" ;;
  esac
done
echo "begin $name" >>"$STUB_LOG"
case " $STUB_WAIT " in *" $name "*) until [ -e "$STUB_GO.$name" ]; do sleep 0.01; done ;; esac
echo "$name says"
echo "$name warns" >&2
[ "$name" != plain-ptxas ] || printf "ptxas info    : Compiling entry function 'first' for 'sm_90'\nptxas info    : Used %s registers\n" "$STUB_REGISTERS" >&2
# $STUB_LIMIT: ptxas wants functions to have no more registers than that.
[ "$name" != ptxas ] || [ -z "${STUB_LIMIT-}" ] || case " $* " in
  *" -maxrregcount=$STUB_LIMIT "*) echo "$name -maxrregcount=$STUB_LIMIT" >>"$STUB_LOG" ;;
  *) echo "ptxas error   : Entry function 'first' with max regcount of $STUB_LIMIT calls function 'f' with regcount of 70" >&2; exit 255 ;;
esac
# $STUB_LINK_LIMIT: nvlink wants a recorder of as many registers, and ptxas has too few for calls that preserve few.
[ "$name" != ptxas ] || [ -z "${STUB_LINK_LIMIT-}" ] || ! grep -q abi_preserve unit.ptx "${@: -3:1}" || { echo 'ptxas fatal : too few (C7019)' >&2; exit 255; }
[ "$name" != nvlink ] || case "${STUB_LINK_LIMIT-none} $* " in
  none* | *".$STUB_LINK_LIMIT.cubin "*) ;;
  *) echo "nvlink error   : entry function 'first' with max regcount of $STUB_LINK_LIMIT calls function 'f' with regcount of 64" >&2; exit 255 ;;
esac
case " $STUB_FAIL " in *" $name "*) echo "end $name" >>"$STUB_LOG"; exit 3 ;; esac
while (($#)); do
  case $1 in
    -o) echo "$name" >"$2"; shift ;;
    --embedded-fatbin=*) echo "fatbinData __fatDeviceText of $name" >"${1#*=}" ;;
  esac
  shift
done
echo "end $name" >>"$STUB_LOG"
