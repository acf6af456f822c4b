"""Random CUDA programs of loops, for what is recorded in front of them and together: see `fuzz.py loops`.

Each thread stores in a part of the arrays that is its own, so that nothing depends on the order of threads. What a program computes is
not known here; the same program recorded access by access says what its accesses are.
"""
import random

PARAMETERS = "int* a_, int* b_, {cc}* c_, const float* f, const int*{restricted} index, Pair* pairs_, int (*rows_)[32], const int* row, " \
             "int n, int w, int few"
HEAD = """#include <cstdio>
struct Pair {{ int x, y; }};
__device__ void helper(int* p, int i, int& sum) {{ p[i] += 1; sum += p[i + 1]; }}
{kernels}
int main() {{
  const int own = 16384, all = 310 * own;
  int *a, *b, *c, *index, *row, (*rows)[32];
  float* f;
  Pair* pairs;
  for (int** p : {{&a, &b, &c, &index}}) cudaMallocManaged(p, all * sizeof(int));
  cudaMallocManaged(&row, 4096 * sizeof(int));
  cudaMallocManaged(&f, all * sizeof(float));
  cudaMallocManaged(&pairs, all * sizeof(Pair));
  cudaMallocManaged(&rows, 310 * 8 * sizeof *rows);
  for (int i = 0; i < all; ++i) {{
    a[i] = i % 7, b[i] = i % 5, c[i] = i % 3, index[i] = i * 37ll % 1021, f[i] = i % 11, pairs[i] = {{i % 4, i % 6}};
  }}
  for (int i = 0; i < 310 * 8 * 32; ++i) rows[i / 32][i % 32] = i;
  row[0] = 0;
  for (int i = 1; i < 4096; ++i) row[i] = row[i - 1] + i % 4;
{launches}  long long sum = 0;
  for (int i = 0; i < all; ++i) sum += a[i] * 3ll + b[i] * 5 + c[i];
  printf("%s %lld\\n", cudaGetErrorString(cudaDeviceSynchronize()), sum);
}}
"""
KERNEL = """{template}__global__ void kernel{number}({parameters}) {{
  __shared__ int shared[320];
  const int tid = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x, lane = tid % 32;
  int *const a = a_ + tid * 16384, *const b = b_ + tid * 16384;
  {cc}* const c = c_ + tid * 16384;
  Pair* const pairs = pairs_ + tid * 16384;
  int (*const rows)[32] = rows_ + tid * 8;
  int sum = 0;
  for (int z = threadIdx.x; z < 320; z += blockDim.x) shared[z] = z;
  __syncthreads();
{body}  a[tid] += sum + lane;
}}
"""


class Loops:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = 0

    def one(self, *choices):
        return self.random.choice(choices)

    def likely(self, chance):
        return self.random.random() < chance

    def name(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    def index(self, variables):
        terms = []
        if self.likely(0.8):
            terms.append(self.one("tid", "tid", "threadIdx.x", "lane", "tid * 2", "tid * 3", "int(threadIdx.x + blockIdx.x * blockDim.x)"))
        for v in variables:
            if self.likely(0.75):
                # The second variable of a loop is up to 700, others up to 40; a thread's part has 16,384 elements.
                times = self.one(2, 3, 5) if v.startswith("j") else self.one(2, 3, 32, 33, 64, "w")
                terms.append(self.one(v, v, f"{v} * {times}", f"{times} * {v}", f"({v} + 1) * {times}", f"{v} / 2", f"({v} & 3)",
                                      f"({v} << 2)", f"{v} % 5"))
        if self.likely(0.5):
            terms.append(self.one("0", "1", "5", "31", "32", "100"))
        if self.likely(0.12):
            terms.append(f"(index[{self.index(variables)}] & 1023)")
        self.random.shuffle(terms)
        return " + ".join(terms or ["7"])

    def stored(self, variables):
        at = self.index(variables)
        column = self.one(*variables) if variables else "lane"
        return self.one(f"{self.one('a', 'b', 'c')}[{at}]", f"{self.one('a', 'b', 'c')}[{at}]", f"pairs[{at}].{self.one('x', 'y')}",
                        f"*({self.one('a', 'b')} + {at})", f"rows[{self.one('tid', 'lane')} & 7][{column} & 31]")

    def element(self, variables):
        if self.likely(0.75):
            return self.stored(variables)
        at = self.index(variables)
        return self.one(f"f[{at}]", f"shared[({at}) & 255]", f"shared[threadIdx.x + {self.one(0, 1, 32)}]", f"index[{at}]")

    def value(self, variables, depth=0):
        if depth > 2 or self.likely(0.5):
            return self.element(variables)
        if self.likely(0.3):
            return self.one("sum", "tid", "3", "w", *(variables or ["lane"]))
        left, right = self.value(variables, depth + 1), self.value(variables, depth + 1)
        if self.likely(0.8):
            return f"{left} {self.one('+', '-', '*')} {right}"
        return f"(({left}) > 2 ? {right} : 1)"

    def condition(self, variables):
        v = self.one(*(variables or ["lane"]))
        return self.one(f"tid < {self.one(5, 40, 100)}", f"lane % 3 == {self.one(0, 1)}", f"({v} & 1) == 0", f"{self.element(variables)} > 3",
                        f"tid + {v} < n", f"{v} != 2 && {self.element(variables)} != 5", "w == 8")

    def statement(self, variables, depth, in_loop):
        kind = self.random.random()
        if kind < 0.3:
            return f"{self.stored(variables)} {self.one('=', '=', '+=', '-=')} int({self.value(variables)});\n"
        if kind < 0.45:
            return f"sum += int({self.value(variables)});\n"
        if kind < 0.5:
            return f"{self.one('++', '--')}{self.stored(variables)};\n"
        if kind < 0.56:
            at = self.name("at")
            other = f"{self.one('a', 'f')}[{at} + {self.one('1', 'w')}]"
            return f"const int {at} = {self.index(variables)};\n{self.one('a', 'b', 'c')}[{at}] = int({other});\n"
        if kind < 0.6:
            to = self.name("to")
            return f"int& {to} = {self.one('a', 'b')}[{self.index(variables)}];\n{to} = {to} + {self.one('1', 'sum')};\n"
        if kind < 0.64:
            return f"helper({self.one('a', 'b')}, {self.index(variables)}, sum);\n"
        if kind < 0.67:
            return f"atomicAdd(&{self.one('a', 'b')}[{self.index(variables)}], 1);\n"
        if kind < 0.77:
            other = f" else {{\n{self.body(variables, depth + 1, in_loop)}}}" if self.likely(0.3) else ""
            return f"if ({self.condition(variables)}) {{\n{self.body(variables, depth + 1, in_loop)}}}{other}\n"
        if kind < 0.8 and in_loop:
            return f"if ({self.condition(variables)}) {self.one('continue', 'break')};\n"
        return self.loop(variables, depth + 1) if depth < 3 else f"sum ^= {self.element(variables)} > 1;\n"

    def body(self, variables, depth, in_loop, count=None):
        return "".join(self.statement(variables, depth, in_loop) for _ in range(count or self.random.randint(1, 3)))

    def loop(self, variables, depth):
        k, times, step = self.name("k"), self.one(1, 2, 3, 4, 5, 7, 9, 12) if depth < 2 else self.one(1, 2, 3, 4), self.one(1, 1, 1, 2, 3)
        begin = self.one(0, 0, 0, 1, 2)
        end = self.one(begin + times * step, "few" if step == 1 else begin + times * step)
        inside = self.body([*variables, k], depth, True)
        plain = self.body([*variables, k], depth, False)  # without `continue`, which would leave out the step
        unroll = self.one("", "", "", "#pragma unroll\n", "#pragma unroll 2\n")
        kind = self.random.randint(0, 10)
        if kind <= 2:
            ctype = self.one("int", "int", "unsigned", "long long", "short")
            onward = self.one(f"{k} += {step}", f"++{k}") if step == 1 else f"{k} += {step}"
            return f"{unroll}for ({ctype} {k} = {begin}; {k} < {end}; {onward}) {{\n{inside}}}\n"
        if kind == 3:
            head = f"int {k} = {begin + times * step}; {k} {self.one('>=', '>')} {begin}; {self.one(f'--{k}', f'{k} -= {step}')}"
            return f"{unroll}for ({head}) {{\n{inside}}}\n"
        if kind == 4:
            return f"for (unsigned {k} = {times}; {k}-- > 0;) {{\n{inside}}}\n"
        if kind == 5:
            return f"{{\nint {k} = {begin};\nwhile ({k} < {end}) {{\n{plain}{k} += {step};\n}}\n}}\n"
        if kind == 6:
            return f"{{\nint {k} = {begin};\ndo {{\n{plain}}} while (++{k} < {end});\n}}\n"
        if kind == 7:
            it = self.name("it")
            stored = self.one("sum", "tid", f"{it}[1]", self.element(variables))
            return (f"for (int *{it} = {self.one('a', 'b')} + {self.index(variables)}, *const end{it} = {it} + {times * step}; "
                    f"{it} {self.one('<', '!=')} end{it}; {it} += {step}) *{it} {self.one('=', '+=')} {stored};\n")
        if kind == 8:
            return f"for (int {k} = row[tid]; {k} < row[tid + 1]; ++{k}) {{\n{inside}}}\n"
        if kind == 9:
            j = self.name("j")
            return (f"{unroll}for (int {k} = 0, {j} = {self.one('tid', '3', 'lane')}; {k} < {times}; ++{k}, {j} += {self.one('1', '32', 'w')}) {{\n"
                    f"{self.body([*variables, k, j], depth, True)}}}\n")
        uneven = self.one("(tid & 7) + 1", "lane % 5", "min(tid, 6)")
        return f"for (int {k} = {self.one('0', 'tid % 2')}; {k} < {uneven}; {k}++) {{\n{inside}}}\n"

    def program(self, count=8):
        kernels, launches = "", ""
        for number in range(count):
            template = self.one("", "", "template <class T>\n")
            cc = "T" if template else "int"
            body = self.body([], 1, False, self.random.randint(2, 4)) + self.loop([], 1) + self.body([], 1, False, 1)
            parameters = PARAMETERS.format(cc=cc, restricted=self.one("", " __restrict__"))
            kernels += KERNEL.format(template=template, number=number, parameters=parameters, cc=cc, body=body)
            launches += (f"  kernel{number}<<<{self.one(1, 2, 3)}, {self.one('32', '64', '50', 'dim3(16, 2)', '96')}>>>(a, b, c, f, "
                         f"index, pairs, rows, row, {self.one(100, 150, 64)}, {self.one(8, 32, 3)}, {self.one(3, 4, 6)});\n")
        return HEAD.format(kernels=kernels, launches=launches)
