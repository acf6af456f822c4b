// Texture fetches and surface accesses, on the CPU backend: the function's name is wrapped, as in copy.h, and
// what it touched is recorded when it has returned. A filtered fetch reads up to eight texels; recorded is
// the first one, so that a fetch is one access. One that touches no memory (a border, say) is not recorded.
//
// On a GPU a texture object is opaque to code: there these calls are sites that are left alone.
#pragma once

#if defined(CUI_CPU_BACKEND)

namespace cui {

template <class UnitState>
class FetchRecord {
 public:
  FetchRecord(UnitState& unit, unsigned site) : unit_(unit), site_(site) {}
  FetchRecord(const FetchRecord&) = delete;
  FetchRecord& operator=(const FetchRecord&) = delete;
  ~FetchRecord() {
    const backend::LastTexel texel = cuiLastTexel;
    cuiLastTexel = {};
    if (CUI_RECORDING && texel.bytes != 0)
      backend::recordAccess(unit_, site_, reinterpret_cast<const volatile void*>(texel.address), texel.bytes);
  }

 private:
  UnitState& unit_;
  unsigned site_;
};

}  // namespace cui

#define CUI_TEXTURE(site, ...)                                                        \
  [](auto&&... cuiOperand) -> decltype(auto) {                                        \
    const ::cui::FetchRecord< ::cui::CuiUnitState> cuiRecord(::cui::unitState, site); \
    return __VA_ARGS__(static_cast<decltype(cuiOperand)&&>(cuiOperand)...);           \
  }
#define CUI_MACRO_TEXTURE(site, ...) CUI_TEXTURE(CUI_SITE_OF_LINE(site), __VA_ARGS__)

#endif
