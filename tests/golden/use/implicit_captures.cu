// What `[=]` copies of a reference, or of a name of a structured binding, is read where the lambda is made: there is no name
// to wrap, so each has a row. Uses in the lambda name the copy.
// standard: 17 20
// expect: skipped, 4, 0, "uses", "number",
// expect: skipped, 4, 0, "uses", "y",
// expect: skipped, 4, 0, "uses", "z",
// expect: skipped, 12, 0, "uses", "table",
// expect: skipped, 12, 0, "uses", "point",
// expect: auto both = [kept = CUI_ACCESS(#, numbers[4])] { return kept; };
// expect: auto own = [=] { return i + mine; };
struct Point {
  int x, y, z;
};

__global__ void uses(int* numbers, Point* points) {
  const int i = threadIdx.x;
  int& number = numbers[i];
  auto one = [=]() mutable { return number; };
  auto& [x, y, z] = points[1];
  auto two = [=] { return y + z; };
  auto& table = *reinterpret_cast<int(*)[3]>(numbers + 4);
  auto three = [=](int k) { return table[k]; };
  Point& point = points[2];
  auto four = [=] { return point.x; };
  auto both = [kept = numbers[4]] { return kept; };
  int mine = numbers[5];
  auto own = [=] { return i + mine; };
  auto byReference = [&] { return number + x; };
  numbers[6] = one() + two() + three(1) + four() + both() + own() + byReference();
}
