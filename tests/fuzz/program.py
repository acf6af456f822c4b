"""Random CUDA programs that know what they compute and which accesses they make.

A node is C++ text and a Python function that evaluates it for one thread, counting its accesses on the way. So a
program's output and its access totals are derived here, from what CUDA means, and not from any tool of ours.
Programs are free of races and of undefined behaviour: values are `unsigned`, indices are taken modulo the size, a
thread writes elements of its own only, shared memory is written before a barrier and read behind it.
"""
import random
from collections import Counter

MASK = 0xFFFFFFFF
TYPES = {"unsigned": (4, False), "int": (4, True), "short": (2, True), "unsigned char": (1, False),
         "long long": (8, True)}
STRUCT = {"a": "int", "b": "short", "c": "unsigned char"}  # struct Pair; its size is 8


def wrapped(value, ctype):
    """What a variable of that type holds after `value` was assigned to it."""
    size, signed = TYPES[ctype]
    value &= (1 << 8 * size) - 1
    return value - (1 << 8 * size) if signed and value >> (8 * size - 1) else value


class Machine:
    """Memory, access totals {kind: Counter(accesses, bytes)}, and the running thread's variables."""

    def __init__(self):
        self.memory, self.totals, self.thread = {}, {}, {}

    def count(self, kind, size):
        self.totals.setdefault(kind, Counter()).update(accesses=1, bytes=size)

    def load(self, array, index, ctype, member=None):
        self.count("load", TYPES[ctype][0])
        element = self.memory[array][index]
        return (element[member] if member else element) & MASK


class Expression:
    def __init__(self, text, evaluate):
        self.text, self.evaluate = text, evaluate


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.block, self.grid = self.random.choice([32, 48, 64]), self.random.choice([1, 2, 3])
        self.size = self.block * self.grid  # of every array, one element a thread
        self.inputs = {f"in{i}": self.random.choice(list(TYPES)) for i in range(3)}
        self.outputs = {f"out{i}": self.random.choice(list(TYPES)) for i in range(2)}
        self.locals, self.barrier_passed, self.depth = [], False, 0

    # Expressions of type unsigned.

    def constant(self):
        value = self.random.choice([0, 1, 2, 3, 7, 31, 255, 65537, 4000000000])
        return Expression(f"{value}u", lambda m: value)

    def variable(self):
        name = self.random.choice(["i", "t", *self.locals])
        return Expression(name, lambda m: m.thread[name])

    def arithmetic(self):
        left, right = self.expression(), self.expression()
        operator, compute = self.random.choice([("+", lambda a, b: a + b), ("-", lambda a, b: a - b),
                                                ("*", lambda a, b: a * b), ("^", lambda a, b: a ^ b),
                                                ("&", lambda a, b: a & b)])
        return Expression(f"({left.text} {operator} {right.text})",
                          lambda m: compute(left.evaluate(m), right.evaluate(m)) & MASK)

    def condition(self):
        divisor = self.random.choice([2, 3, 5])
        value = self.expression()
        return Expression(f"{value.text} % {divisor}u == 0", lambda m: value.evaluate(m) % divisor == 0)

    def choice(self):
        condition, yes, no = self.condition(), self.expression(), self.expression()
        return Expression(f"({condition.text} ? {yes.text} : {no.text})",
                          lambda m: (yes if condition.evaluate(m) else no).evaluate(m))

    def shortcut(self):
        left, right = self.condition(), self.condition()
        return Expression(f"unsigned({left.text} && {right.text})",
                          lambda m: int(left.evaluate(m) and right.evaluate(m)))

    def index(self, size=None):
        value, size = self.expression(), size or self.size
        return Expression(f"{value.text} % {size}u", lambda m: value.evaluate(m) % size)

    def element(self):
        array = self.random.choice(list(self.inputs))
        ctype, index = self.inputs[array], self.index()
        form = self.random.choice(["{a}[{i}]", "*({a} + ({i}))", "AT({a}, {i})", "({a})[({i})]", "pick({a}, {i})",
                                   "Reader<{t}>{{{a}}}({i})", "__ldg(&{a}[{i}])", "(&{a}[{i}])[0]",
                                   "reinterpret_cast<const {t}*>({a})[{i}]"])

        def evaluate(m):
            at = index.evaluate(m)
            if form.startswith("Reader"):
                m.count("load", 8)  # this->data: *this may be anywhere
            return m.load(array, at, ctype)
        return Expression("unsigned(" + form.format(a=array, i=index.text, t=ctype) + ")", evaluate)

    def member(self):
        member, index = self.random.choice(list(STRUCT)), self.index()
        form = self.random.choice(["pairs[{i}].{m}", "(pairs + ({i}))->{m}", "(*(pairs + ({i}))).{m}"])
        return Expression("unsigned(" + form.format(i=index.text, m=member) + ")",
                          lambda m: m.load("pairs", index.evaluate(m), STRUCT[member], member))

    def table(self):
        index = self.index(16)
        return Expression(f"table[{index.text}]", lambda m: m.load("table", index.evaluate(m), "unsigned"))

    def tile(self):
        index = self.index(self.block)
        return Expression(f"tile[{index.text}]", lambda m: m.load("tile", index.evaluate(m), "unsigned"))

    def unevaluated(self):
        array = self.random.choice(list(self.inputs))
        size = TYPES[self.inputs[array]][0]
        return Expression(f"unsigned(sizeof({array}[{self.index().text}]))", lambda m: size)

    def expression(self):
        if self.depth > 3:
            return self.random.choice([self.constant, self.variable])()
        self.depth += 1
        makers = [self.constant, self.variable, self.arithmetic, self.arithmetic, self.element, self.element,
                  self.member, self.choice, self.shortcut, self.table, self.unevaluated]
        if self.barrier_passed:
            makers += [self.tile, self.tile]
        result = self.random.choice(makers)()
        self.depth -= 1
        return result

    # Statements: text lines and a function to execute them.

    def store(self):
        array = self.random.choice(list(self.outputs))
        ctype, value = self.outputs[array], self.expression()
        operator = self.random.choice(["=", "=", "+=", "^=", "++"])
        target = self.random.choice(["{a}[i]", "*({a} + i)", "AT({a}, i)"]).format(a=array)
        text = f"++{target};" if operator == "++" else f"{target} {operator} {value.text};"

        def execute(m):
            # In C++14 the operands' order is free, and it does not matter here.
            right = 1 if operator == "++" else value.evaluate(m)
            m.count("store" if operator == "=" else "rmw", TYPES[ctype][0])
            old, i = m.memory[array][m.thread["i"]], m.thread["i"]
            new = right if operator == "=" else old ^ wrapped(right, "unsigned") if operator == "^=" else old + right
            m.memory[array][i] = wrapped(new, ctype)
        return [text], execute

    def atomic(self):
        index, value = self.index(4), self.expression()

        def execute(m):
            at = index.evaluate(m)
            m.memory["sums"][at] = (m.memory["sums"][at] + value.evaluate(m)) & MASK
            m.count("atomic", 4)
        return [f"atomicAdd(&sums[{index.text}], {value.text});"], execute

    def declaration(self):
        value, name = self.expression(), f"v{len(self.locals)}"
        self.locals.append(name)

        def execute(m):
            m.thread[name] = value.evaluate(m)
        return [f"unsigned {name} = {value.text};"], execute

    def branch(self):
        condition = self.condition()
        lines, yes = self.block_of(2)
        other_lines, no = self.block_of(1)
        text = [f"if ({condition.text}) {{", *lines, "} else {", *other_lines, "}"]
        return text, lambda m: (yes if condition.evaluate(m) else no)(m)

    def loop(self):
        count, name = self.random.choice([1, 2, 3]), f"k{len(self.locals)}"
        self.locals.append(name)
        lines, body = self.block_of(2)
        self.locals.remove(name)

        def execute(m):
            for m.thread[name] in range(count):
                body(m)
        return [f"for (unsigned {name} = 0; {name} < {count}u; ++{name}) {{", *lines, "}"], execute

    def block_of(self, count):
        known = len(self.locals)
        self.depth += 1
        makers = [self.store, self.store, self.atomic, self.declaration]
        if self.depth < 3:
            makers += [self.branch, self.loop]
        parts = [self.random.choice(makers)() for _ in range(count)]
        self.depth -= 1
        del self.locals[known:]

        def execute(m):
            for _, part in parts:
                part(m)
        return [line for lines, _ in parts for line in lines], execute

    def kernel(self):
        """Text of the body, and its two halves, before and behind the barrier."""
        self.locals, self.barrier_passed = [], False
        value = self.expression()

        def first(m):
            m.memory["tile"][m.thread["t"]] = value.evaluate(m)
            m.count("store", 4)
        self.barrier_passed = True
        lines, second = self.block_of(4)
        return ["__shared__ unsigned tile[%d];" % self.block, f"tile[t] = {value.text};", "__syncthreads();",
                *lines], first, second

    def program(self):
        """(source text, output, {kind: (accesses, bytes)})."""
        machine, kernels = Machine(), [self.kernel() for _ in range(self.random.choice([1, 2]))]
        memory = machine.memory
        for number, (array, ctype) in enumerate({**self.inputs, **self.outputs}.items()):
            memory[array] = [wrapped(7919 * i + 31 * number, ctype) for i in range(self.size)]
        memory["pairs"] = [{m: wrapped(i * (5 + j), t) for j, (m, t) in enumerate(STRUCT.items())}
                           for i in range(self.size)]
        memory["sums"], memory["table"] = [0] * 4, [3 * i + 1 for i in range(16)]
        for _, first, second in kernels:
            for block in range(self.grid):
                memory["tile"], threads = [0] * self.block, []
                for t in range(self.block):
                    machine.thread = {"i": block * self.block + t, "t": t}
                    first(machine)
                    threads.append(machine.thread)
                for machine.thread in threads:
                    second(machine)
        output = []
        for array in [*self.outputs, "sums"]:
            total = 0
            for value in memory[array]:
                total = (total * 31 + value) & MASK
            output.append(f"{array} {total}\n")
        totals = {kind: (c["accesses"], c["bytes"]) for kind, c in machine.totals.items()}
        return self.text([lines for lines, _, _ in kernels]), "".join(output), totals

    def text(self, kernels):
        arrays = {**self.inputs, **self.outputs}
        parameters = ", ".join([f"const {t}* __restrict__ {a}" for a, t in self.inputs.items()] +
                               [f"{t}* {a}" for a, t in self.outputs.items()] + ["const Pair* pairs", "unsigned* sums"])
        lines = ["#include <cstdio>", "#include <vector>", "#define AT(array, index) array[index]",
                 "struct Pair { int a; short b; unsigned char c; };",
                 "__constant__ unsigned table[16] = {%s};" % ", ".join(str(3 * i + 1) for i in range(16)),
                 "template <class T> __device__ T pick(const T* p, unsigned n) { return p[n]; }",
                 "template <class T> struct Reader {", "  const T* data;",
                 "  __device__ T operator()(unsigned n) const { return data[n]; }", "};"]
        for number, body in enumerate(kernels):
            lines += [f"__global__ void kernel{number}({parameters}) {{",
                      "  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;",
                      *("  " + line for line in body), "}"]
        lines += ["template <class T> T* filled(unsigned number) {", f"  std::vector<T> host({self.size});",
                  f"  for (unsigned i = 0; i < {self.size}; ++i) host[i] = T(7919 * i + 31 * number);", "  T* p;",
                  f"  cudaMalloc(&p, {self.size} * sizeof(T));",
                  f"  cudaMemcpy(p, host.data(), {self.size} * sizeof(T), cudaMemcpyHostToDevice);", "  return p;", "}",
                  "template <class T> void print(const char* name, const T* p, unsigned count) {",
                  "  std::vector<T> host(count);",
                  "  cudaMemcpy(host.data(), p, count * sizeof(T), cudaMemcpyDeviceToHost);", "  unsigned total = 0;",
                  "  for (T value : host) total = total * 31 + unsigned(value);", '  printf("%s %u\\n", name, total);', "}",
                  "int main() {"]
        lines += [f"  {t}* {a} = filled<{t}>({number});" for number, (a, t) in enumerate(arrays.items())]
        lines += [f"  std::vector<Pair> host({self.size});",
                  f"  for (int i = 0; i < {self.size}; ++i) host[i] = Pair{{i * 5, short(i * 6), (unsigned char)(i * 7)}};",
                  "  Pair* pairs;", "  cudaMalloc(&pairs, host.size() * sizeof(Pair));",
                  "  cudaMemcpy(pairs, host.data(), host.size() * sizeof(Pair), cudaMemcpyHostToDevice);",
                  "  unsigned* sums;", "  cudaMalloc(&sums, 4 * sizeof(unsigned));", "  cudaMemset(sums, 0, 4 * sizeof(unsigned));"]
        lines += [f"  kernel{number}<<<{self.grid}, {self.block}>>>({', '.join([*arrays, 'pairs', 'sums'])});"
                  for number in range(len(kernels))]
        lines += [f'  print("{a}", {a}, {self.size});' for a in self.outputs] + ['  print("sums", sums, 4);', "}"]
        return "\n".join(lines) + "\n"
