"""Prints the registers of each thread for every function of a cubin, as `name registers`.

Machine code says it in the section .nv.info (what `cuobjdump -res-usage` reads): attributes of a format, a number and
a length of 16 bits; attribute 0x2f is a symbol's index and its registers. Usage: kernel_registers.py FILE.cubin"""
import struct
import sys

SIZED, REGISTERS = 4, 0x2F


def sections(data):
    offset, = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    found = [struct.unpack_from("<IIQQQQIIQQ", data, offset + i * size) for i in range(count)]
    texts = data[found[names][4]:]
    return {texts[s[0]:texts.index(b"\0", s[0])].decode(): data[s[4]:s[4] + s[5]] for s in found}


def name(tables, symbol):
    text, = struct.unpack_from("<I", tables[".symtab"], 24 * symbol)
    return tables[".strtab"][text:tables[".strtab"].index(b"\0", text)].decode()


def main():
    with open(sys.argv[1], "rb") as file:
        tables = sections(file.read())
    info, at = tables[".nv.info"], 0
    while at < len(info):
        kind, attribute, size = struct.unpack_from("<BBH", info, at)
        at += 4
        if kind != SIZED:
            continue  # the value stands in place of the length
        if attribute == REGISTERS:
            symbol, registers = struct.unpack_from("<II", info, at)
            print(name(tables, symbol), registers)
        at += size


main()
