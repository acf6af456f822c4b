// A reference of the template's own class in front of a member template that is named without `template`: within a form, its
// class would depend on the arguments, and nvcc would take the `<` for a comparison. A row.
// expect: return view.loadAs<T>();
// expect: return CUI_THIS_FIELD(#, 8, 0, view).template loadAs<T>();
template <class Memory, int Count>
struct View {
  Memory* memory;
  template <class T>
  __device__ T loadAs() {
    return T(memory[Count]);
  }
  struct Loader {
    View& view;
    template <class T>
    __device__ operator T() {
      return view.loadAs<T>();
    }
    template <class T>
    __device__ T load() {
      return view.template loadAs<T>();
    }
  };
};
__global__ void memberTemplates(View<float, 3>::Loader* views, float* out) {
  out[0] = views[0];
  out[1] = views[1].load<float>();
}
