// Ranges that cannot be seen through our iterators: a temporary that does more than hold what it was given, functions that
// are not for all, and operators that only the loop finds.
// standard: 17 20
// expect: for (int x : Owner(in)) sum += x;
// expect: load, generic, skipped, 4, 1, "skipped", "Owner(in)", "Owner(in)", "", "int", "", "", "read by a range-based for, over a temporary that is more than data"
// expect: for (int x : *this) result += x;
// expect: load, generic, skipped, 4, 1, "Closed::sum", "*this", "*this", "", "int", "", "", "read by a range-based for, by functions that are not public"
// expect: for (int x : strange) sum += x;
// expect: load, generic, skipped, 4, 1, "skipped", "strange", "strange", "", "int", "", "", "read by a range-based for, by functions that are not public"
struct Owner {
  int* values;
  __device__ explicit Owner(int* v) : values(v) {}
  __device__ Owner(Owner&& other) = delete;
  __device__ ~Owner() { values[0] = 0; }
  __device__ int* begin() const { return values; }
  __device__ int* end() const { return values + 2; }
};
class Closed {
 public:
  __device__ int sum() const {
    int result = 0;
    for (int x : *this) result += x;
    return result;
  }

 private:
  __device__ const int* begin() const { return values_; }
  __device__ const int* end() const { return values_ + 2; }
  const int* values_;
};
namespace strange {
struct Iterator {
  int* at;
  __device__ int& operator*() const { return *at; }
  __device__ void operator++() { ++at; }
};
struct Range {
  int* first;
  __device__ Iterator begin() const { return {first}; }
  __device__ Iterator end() const { return {first + 4}; }
};
}  // namespace strange
__device__ bool operator!=(const strange::Iterator& a, const strange::Iterator& b) { return a.at != b.at; }
__global__ void skipped(int* in, Closed* closed, strange::Range strange) {
  int sum = closed->sum();
  for (int x : Owner(in)) sum += x;
  for (int x : strange) sum += x;
  in[0] = sum;
}
