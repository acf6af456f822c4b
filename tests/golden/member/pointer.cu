// Members through pointers, chains of them, and arrays inside.
// expect: CUI_ACCESS(#, n->value) = CUI_ACCESS(#, CUI_ACCESS(#, n->next)->value);
// expect: CUI_ACCESS(#, (*n).value) += CUI_ACCESS(#, n->inner.items[2]);
// expect: CUI_ACCESS(#, CUI_ACCESS(#, n->data)[i]) = 0;
struct Node {
  int value;
  Node* next;
  float* data;
  struct { int items[4]; } inner;
};
__global__ void members(Node* n, int i) {
  n->value = n->next->value;
  (*n).value += n->inner.items[2];
  n->data[i] = 0;
}
