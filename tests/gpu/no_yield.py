#!/usr/bin/env python3
"""Recording must not split warps: where ptxas puts a YIELD, lanes that wait for the others at the end of a
branch go on alone (devlib/include/cuinstrument/backend/cuda/pool.h). Compiles recorder.cu with relocatable code, and the
recorder as a module, takes what nvcc has made of recorder.cu without, and looks for the instruction in the machine code of every function of the recorder; only the slow paths named here may have it.

  no_yield.py NVCC INCLUDE SOURCE KEPT   KEPT: the folder of `nvcc --keep`, in which the recorder is inlined
  no_yield.py --linked CUBIN…       the recorder as it is linked, where none may have it (cli/compile/yields.h)
"""
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

YIELD = 0x946  # the low 12 bits of a 16-byte instruction, sm_70 to sm_120
# beginRun, writeAtOnce: where a kernel begins no lane waits for others yet.
# Those of host_chunks.h replace a chunk once the pool is used up, as takeChunks does before; logAnew takes a part of the pool, too.
ALLOWED = {"reserveSlots", "writeAtOnce", "waitForSpace", "takeChunks", "beginRun", "takeHostChunks", "handOver", "refreshFreed", "takeFree", "awaitFree", "logAnew"}
MUST_BE_SEEN = {"recordWarp", "recordPart", "findPlaceAndEmit", "recordGeneral", "recordGroup", "emitAffine", "emitSaved", "takeSlots", "findCounter", "takeChunks", "tellProgress", "passBarrier",
                "addToProfile", "profileWarp", "makeReady", "profileLanes", "profileMemory", "profileShared", "profileStride", "profileRows",
                "moveEntry"}


def functions(cubin):
    """(mangled name, opcodes) of each function of an ELF image. In a whole program a kernel's section has its callees in it."""
    table, = struct.unpack_from("<Q", cubin, 0x28)
    count, = struct.unpack_from("<H", cubin, 0x3C)
    sections = [struct.unpack_from("<IIQQQQII", cubin, table + 64 * i) for i in range(count)]
    _, _, _, _, begin, size, strings, _ = next(section for section in sections if section[1] == 2)  # SHT_SYMTAB
    for at in range(begin, begin + size, 24):
        name, kind, _, section, value, length = struct.unpack_from("<IBBHQQ", cubin, at)
        if kind & 15 == 2 and 0 < section < count:  # STT_FUNC
            first = sections[strings][4] + name
            code = sections[section][4] + value
            yield (cubin[first:cubin.index(b"\0", first)].decode().split("$")[-1],
                   [struct.unpack_from("<Q", cubin, code + i)[0] & 0xFFF for i in range(0, length, 16)])


def linked(cubins):
    found = [(path, name) for path in cubins for name, opcodes in functions(Path(path).read_bytes())
             if "7backend" in name and YIELD in opcodes]
    print("\n".join(f"{path}: {name} has a YIELD" for path, name in found))
    sys.exit(1 if found or not cubins else 0)


def main():
    if sys.argv[1] == "--linked":
        linked(sys.argv[2:])
    nvcc, include, source, kept = sys.argv[1:]
    inlined, = Path(kept).glob("*.cubin")
    wrong, seen, slow = [], set(), set()
    with tempfile.TemporaryDirectory() as directory:
        image = Path(directory) / "recorder.cubin"
        module = Path(include) / "cuinstrument/backend/cuda/recorder_module.cu"
        for unit in source, inlined, module:
            if unit != inlined:
                subprocess.run([nvcc, "-std=c++17", "-O3", "-arch=sm_90", "-rdc=true", "-I", include, "-cubin", unit, "-o", image],
                               check=True)
            for name, opcodes in functions((inlined if unit == inlined else image).read_bytes()):
                if "7backend" not in name:
                    continue
                seen |= {part for part in MUST_BE_SEEN if part in name}
                if YIELD in opcodes:
                    slow |= {part for part in ALLOWED if part in name}
                    if not any(part in name for part in ALLOWED):
                        wrong.append(f"{name} has a YIELD ({Path(unit).name})")
    wrong += [f"{name} was not found" for name in sorted(MUST_BE_SEEN - seen)]
    if not slow:
        wrong.append("no slow path has a YIELD, so this test no longer knows one")
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
