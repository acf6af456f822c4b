// CUI_TEXT: the same inverse as strip(), at compile time and of text that a macro made.
#include <gtest/gtest.h>

#include "edit/strip.h"

#include "cuinstrument/device/text.h"

namespace cui {
namespace {

#define SAME(...)                                                         \
  do {                                                                    \
    static constexpr CuiText<sizeof(__VA_ARGS__)> made(__VA_ARGS__);      \
    EXPECT_EQ(std::string(made.cuiText), edit::strip(__VA_ARGS__));       \
    EXPECT_EQ(std::string(made.cuiText).find("CUI_"), std::string::npos); \
  } while (false)

TEST(CuiText, IsTheOriginal) {
  SAME("CUI_API(3, cudaMalloc)((void**)&p, n)");
  SAME("CUI_ACCESS(7, a[CUI_ACCESS(12, b[i])]) == (1 + f(CUI_MACRO_LOAD(0, c[0])))");
  SAME(
      "CUI_LAUNCH(1, k<T, 32> CUI_LAUNCH_OPEN(<<<)CUI_GRID(dim3(1, 2)), CUI_BLOCK(b), CUI_SHARED_BYTES(n), "
      "CUI_STREAM(st)CUI_LAUNCH_CLOSE(>>>)(x, CUI_NULL(0)))");
  SAME("CUI_LAUNCH(CUI_LINE(15), k CUI_LAUNCH_OPEN(<<<)CUI_GRID(1), CUI_BLOCK(2)CUI_LAUNCH_CLOSE(>>>)())");
  SAME(
      "CUI_LAUNCH(2, k CUI_LAUNCH_OPEN(<<<)CUI_GRID(1), "
      "CUI_BLOCK(2)CUI_LAUNCH_CLOSE(>>>)(CUI_BY_REFERENCE(*p), CUI_LIST(1, (Of<int, (3 > 2)>), {1, 2})))");
  SAME("SWAP(CUI_ARGUMENT(3, a[CUI_ACCESS(1, b[0])]), x) + (CUI_ARGUMENT_ACCESS(0, y) = 1)");
  SAME("CUI_FIELD(7, 4, 0, s[i]).part + CUI_MACRO_ARROW_FIELD(7, 4, 16, p)->part");
  SAME(
      "CUI_BASE_FIELD(7, 4, 0, (::Of<int, (3 > 2)>), s[i]).part + CUI_MACRO_THIS_BASE_FIELD(7, 4, 16, (::B), "
      "part)");
  SAME(
      "CUI_PACKED(7, (p->b[i < n(1)]), p->b[CUI_ACCESS(3, i[0]) < n(1)]) + CUI_MACRO_PACKED(8, ((s)->b[1]), "
      "(s)->b[1])");
  SAME("CUI_COPY_TO(1, CUI_COPY_FROM(2, memcpy))(a, b, n) && atomicAdd(CUI_POINTER(1, p), 1)");
  SAME("CUI_ACCESS(1, a[f(')', \")\", \"\\\")\")])");
}

// As macros that hand an argument on make it.
TEST(CuiText, KnowsWhatAccessesExpandTo) {
  static constexpr const char made[] =
      "::cui::cuiAccess(::cui::unitState, 7, (a[::cui::cuiLoad(::cui::unitState, 12, (b[f(i, ')')]))])) < "
      "::cui::cuiField(::cui::unitState, (::cui::SiteNumber<::cui::unitMacroSite(5, 120)>::cuiNumber), 4, 0, "
      "(s)).low + ::cui::cuiArrowField(::cui::unitState, 3, 4, -8, this)->part && g((a), ::cui::other(1, "
      "(b))) || ::cui::cuiBaseField< ::Of<int, 3> >(::cui::unitState, 9, 4, 0, (v[1])).low && "
      "::cui::cuiArrowBaseField<::Bits>(::cui::unitState, 9, 4, 0, this)->low + "
      "::cui::cuiArgument<4>((x[1])) * ::cui::cuiAccess(::cui::unitState, "
      "(::cui::SiteNumber<::cui::unitMacroSite(7, 12, "
      "::cui::argumentNumber(\"::cui::cuiArgument<4>((x[1]))\"))>"
      "::cuiNumber), (::cui::cuiArgument<4>((x[1]))))";
  static constexpr CuiText<sizeof(made)> text(made);
  EXPECT_STREQ(
      text.cuiText,
      "a[b[f(i, ')')]] < s.low + part && g((a), ::cui::other(1, (b))) || v[1].low && low + x[1] * x[1]");
}

TEST(CuiText, LeavesTheRest) {
  static constexpr const char original[] =
      "MY_CUI_ACCESS(1, a) + CUI_OTHER(a) + \"CUI_ACCESS(1, a)\" + CUI_ACCESS";
  static constexpr CuiText<sizeof(original)> made(original);
  EXPECT_STREQ(made.cuiText, original);
}

}  // namespace
}  // namespace cui
