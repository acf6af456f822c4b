// A member template of the template's own class, named without `template`: around the pointer that leads to it there can be no form.
// expect: parent->find<true>(i)
// expect: return CUI_ACCESS(#, values[i]) + CUI_ACCESS(#, left)->sum<4>(i);
// expect: CUI_ACCESS(#, tree->parent)->template find<false>(1)
struct Leaf {
  int weight[8];
  template <int n> __device__ int sum(int i) const { return weight[i] * n; }
};
template <class T> struct Tree {
  Tree* parent;
  Leaf* left;
  T values[4];
  template <bool own> __device__ int find(int i) const { return own ? values[i] : 0; }
  __device__ int up(int i) const { return parent->find<true>(i); }
  __device__ int down(int i) const { return values[i] + left->sum<4>(i); }
};
template <class T> __global__ void walk(Tree<T>* tree, int* out) {
  out[0] = tree->up(0) + tree->down(1) + tree->parent->template find<false>(1);
}
void run(Tree<int>* tree, int* out) { walk<<<1, 1>>>(tree, out); }
