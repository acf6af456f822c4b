"""Whether two linked cubins are the same program: the same symbols in the same sections, and the same contents of these but for symbols' numbers.

Symbols are numbered, and names kept, in an order of nvlink's, so that tables of such numbers are compared by length only, and what names the tools
(.note) or the file that was compiled (lines) is left out. Usage: same_code.py FIRST.cubin SECOND.cubin; exits 1 with what differs."""
import struct
import sys

NO_CONTENTS = {8, 0x70000007, 0x7000000A}  # of variables: nothing in the file
NUMBERS = (".symtab", ".strtab", ".shstrtab", ".rel", ".nv.info", ".nv.callgraph", ".nv.prototype", ".nv.merc.symtab", ".nv.merc.rel", ".nv.merc.nv.info")


class Cubin:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        offset, = struct.unpack_from("<Q", self.data, 0x28)
        size, count, names = struct.unpack_from("<HHH", self.data, 0x3A)
        self.headers = [struct.unpack_from("<IIQQQQIIQQ", self.data, offset + i * size) for i in range(count)]
        self.names = [self.text(self.headers[names], header[0]) for header in self.headers]
        self.sections = {name: self.contents(header) for name, header in zip(self.names, self.headers)}
        table = self.headers[self.names.index(".symtab")]
        self.symbols = sorted(self.symbol(self.headers[table[6]], at) for at in range(table[4], table[4] + table[5], 24))

    def text(self, strings, at):
        begin = strings[4] + at
        return self.data[begin:self.data.index(b"\0", begin)].decode()

    def contents(self, header):
        return (header[5], b"" if header[1] in NO_CONTENTS else self.data[header[4]:header[4] + header[5]])

    def symbol(self, strings, at):
        name, info, other, section, value, size = struct.unpack_from("<IBBHQQ", self.data, at)
        return (self.text(strings, name), info, other, self.names[section] if section < len(self.names) else section, value, size)


first, second = Cubin(sys.argv[1]), Cubin(sys.argv[2])
LEFT_OUT = (".note", ".debug_line", ".nv_debug")
wrong = sorted(name for name in set(first.sections) ^ set(second.sections) if not name.startswith(LEFT_OUT))
wrong += [str(symbol[0]) for symbol in set(first.symbols) ^ set(second.symbols) if not symbol[0].startswith(LEFT_OUT)]
for name in set(first.sections) & set(second.sections):
    if name.startswith(LEFT_OUT) or name == ".nv.info":  # a module without kernels says there what kernels say themselves
        continue
    (length, text), (other_length, other_text) = first.sections[name], second.sections[name]
    if length != other_length and name not in (".strtab", ".shstrtab"):
        wrong.append(f"{name}: {length} and {other_length} bytes")
    elif text != other_text and not name.startswith(NUMBERS):
        wrong.append(f"{name}: other contents")
if wrong:
    sys.exit("\n".join(wrong[:20]))
