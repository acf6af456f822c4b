// Members of anonymous structures and unions, named with their class.
// expect: if (CUI_ACCESS(#, DataT::linear)) CUI_ACCESS(#, DataT::off[i]) += CUI_ACCESS(#, this->DataT::off[1]);
// expect: return CUI_ACCESS(#, CUI_ACCESS(#, Data::base)[i]) + CUI_ACCESS(#, Data :: pointers[i]);
// expect: return CUI_ACCESS(#, Base<T, (2 > 1)>::off[i]) + CUI_ACCESS(#, Both::one);
struct Data {
  int* base;
  union { int off[3]; long pointers[3]; };
  struct { int linear; };
};
template <class T> struct Manager : Data {
  using DataT = Data;
  __device__ T get(int i) {
    if (DataT::linear) DataT::off[i] += this->DataT::off[1];
    return Data::base[i] + Data :: pointers[i];
  }
};
template <class T, bool b> struct Base { union { T off[3]; T one; }; };
template <class T> struct Derived : Base<T, (2 > 1)> {
  using Both = Base<T, true>;
  __device__ T get(int i) { return Base<T, (2 > 1)>::off[i] + Both::one; }
};
__global__ void k(Manager<int>* m, Derived<int>* d) { m->get(1); d->get(2); }
