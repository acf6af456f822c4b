// Which ranges may become a macro argument.
#include "edit/token_index.h"

#include <gtest/gtest.h>

#include <string>

namespace cui::edit {
namespace {

/// The reason for the part of `text` between the two '@'s.
std::string reason(std::string text) {
  const std::size_t begin = text.find('@');
  text.erase(begin, 1);
  const std::size_t end = text.find('@');
  text.erase(end, 1);
  return std::string(TokenIndex(text).whyNotWrappable(begin, end));
}

TEST(TokenIndex, AcceptsWholeTokensWithBalancedBrackets) {
  EXPECT_EQ(reason("x = @a[f(i, ')')]@ + 1;"), "");
  EXPECT_EQ(reason("#define A(i) @p[i]@\n"), "");
  EXPECT_EQ(reason("@a[ // index )\n i]@;"), "");
  EXPECT_EQ(reason("#define S(x) f(@#x@)\n"), "");
}

TEST(TokenIndex, RefusesPartsOfTokensAndBrackets) {
  EXPECT_NE(reason("@ab@c"), "");
  EXPECT_NE(reason("a@bc@"), "");
  EXPECT_NE(reason("@a[i@]"), "");
  EXPECT_NE(reason("@a[(i])@"), "");
  EXPECT_NE(reason("@a[i] @;"), "");
}

TEST(TokenIndex, RefusesHalvesOfFoldExpressions) {
  for (const char* text :
       {"(@*p + ... + *q@)", "(@a[I] && ... && true@)", "(@a[0] = ... = a[I]@)", "(@f(a), ..., g()@)"})
    EXPECT_EQ(reason(text), "it is between the parentheses of a fold expression") << text;
  for (const char* text : {"@(*p + ... + *q)@", "@f(a[I]...)@", "@kernel<T*..., U>@<<<1, 1>>>()",
                           "@X<T&&...>::value[sizeof...(T)]@", "@sizeof...(T) + *p@"})
    EXPECT_EQ(reason(text), "") << text;
}

/// Of the part of `text` between the two '@'s: 'w' if it expands nothing itself, 'x' if it is expanded.
std::string packs(std::string text) {
  const std::size_t begin = text.find('@');
  text.erase(begin, 1);
  const std::size_t end = text.find('@');
  text.erase(end, 1);
  const TokenIndex tokens(text);
  return std::string(tokens.expandsNothing(begin, end) ? "w" : "") +
         (tokens.isExpanded(begin, end) ? "x" : "");
}

TEST(TokenIndex, KnowsWhatAPackIsExpandedIn) {
  for (const char* text : {"return f(@a[I]@..., b);", "return (@a[I]@ + ...);", "return (... + @a[I]@);",
                           "{ ((@p[I]@ = 0), ...); }", "f(g(@a[I]@, 1)...);", "f(g(0, @a[I]@)..., 1);",
                           "(@*p@ + ... + *q);", "(*p + ... + @*q@);", "f([&] { return 1; }(@p@)...);"})
    EXPECT_EQ(packs(text), "wx") << text;
  for (const char* text : {"return f(a[I]..., @b[0]@);", "return f(@b[0]@, a[I]...);", "{ @b[0]@; f(a...); }",
                           "f(a...); @x@ = 1;", "if (@x@) { f(a...); }", "f(a...) + g(sizeof...(a), @x@);"})
    EXPECT_EQ(packs(text), "w") << text;
  for (const char* text : {"@f(a[I]..., b)@;", "@x = (a[I]@ + ...);", "@for (;;) s += (a[I]@ + ...);"})
    EXPECT_EQ(packs(text).find('w'), std::string::npos) << text;
}

TEST(TokenIndex, AcceptsWholeConditionals) {
  EXPECT_EQ(reason("@a[\n#ifdef X\ni\n#else\nj\n#endif\n]@;"), "");
  EXPECT_EQ(reason("@f(\n#if X\n1\n# if Y\n + 1\n# endif\n#elif Z\n2\n#endif\n)@;"), "");
}

TEST(TokenIndex, RefusesOtherDirectivesInside) {
  for (const char* text : {"@a[\n#define X 1\nX]@;", "@a[\n#ifdef X\ni]@;\n#else\nj];\n#endif\n",
                           "a[\n#ifdef X\n@b[\n#else\n0]]@;\n#endif\n", "@a[\n#include \"index\"\n]@;",
                           "#if X\n@f(1\n#endif\n#if Y\n)@;\n#endif\n"})
    EXPECT_EQ(reason(text), "a preprocessor directive is inside the expression") << text;
}

/// From where the name behind the '@' starts with its classes.
std::string qualified(std::string text) {
  const std::size_t name = text.find('@');
  text.erase(name, 1);
  return text.substr(TokenIndex(text).beginOfQualified(name));
}

TEST(TokenIndex, FindsTheClassesInFrontOfAName) {
  EXPECT_EQ(qualified("x = A::@b"), "A::b");
  EXPECT_EQ(qualified("x = A<int, B<2>>::C :: @b"), "A<int, B<2>>::C :: b");
  EXPECT_EQ(qualified("return ::A::@b"), "::A::b");
  for (const char* text :
       {"x = a ? b : @c", "a > ::@b", "> ::@b", "i < n; a > ::@b", "return ::@b", "A::b(@c", "@a"})
    EXPECT_EQ(qualified(text)[0], text[std::string(text).find('@') + 1]) << text;
}

TEST(TokenIndex, RefusesBackslashesInside) {
  EXPECT_EQ(reason("@a[i + \\ // one\n 1]@;"), "a backslash in front of a comment is inside the expression");
  EXPECT_EQ(reason("@a[i + \\\n 1]@;"), "");
}

TEST(TokenIndex, FindsOurNamesOnlyInCode) {
  EXPECT_TRUE(TokenIndex("int CUI_ACCESS;").usesReservedName());
  EXPECT_FALSE(TokenIndex("// CUI_ACCESS\n\"CUI_ACCESS\" CUI_ACCESSES").usesReservedName());
}

/// Where a statement goes in front of the one at '@', as '|' in the text, and the pragmas that it repeats.
std::string front(std::string text) {
  const std::size_t begin = text.find('@');
  text.erase(begin, 1);
  const TokenIndex::Front found = TokenIndex(text).inFrontOf(begin);
  if (found.place == std::string::npos) return "nowhere";
  return text.insert(found.place, "|" + found.pragmas);
}

TEST(TokenIndex, FindsTheFrontOfAStatement) {
  EXPECT_EQ(front("{ // first\n @for(;;);"), "{ // first\n |for(;;);");
  EXPECT_EQ(front("a; @for(;;);"), "a; |for(;;);");
  EXPECT_EQ(front("if (b) {} /* } */ @for(;;);"), "if (b) {} /* } */ |for(;;);");
  EXPECT_EQ(front("a; // why\n#pragma unroll\n@for(;;);"),
            "a;|_Pragma(\"unroll\")  // why\n#pragma unroll\nfor(;;);");
  EXPECT_EQ(
      front("{\n#pragma unroll \\\n 4\n# pragma nounroll\n@for(;;);"),
      "{|_Pragma(\"unroll 4\") _Pragma(\"nounroll\") \n#pragma unroll \\\n 4\n# pragma nounroll\nfor(;;);");
  EXPECT_EQ(front("#endif\n@for(;;);"), "#endif\n|for(;;);");
}

TEST(TokenIndex, KnowsWhereNoStatementBegins) {
  EXPECT_EQ(front("if (a) @for(;;);"), "nowhere");
  EXPECT_EQ(front("else @for(;;);"), "nowhere");
  EXPECT_EQ(front("a: @for(;;);"), "nowhere");
  EXPECT_EQ(front("UNROLL @for(;;);"), "nowhere");
  EXPECT_EQ(front("@for(;;);"), "nowhere");
  EXPECT_EQ(front("{\n#if A\n#pragma unroll\n#endif\n@for(;;);"),
            "{\n#if A\n#pragma unroll\n#endif\n|for(;;);");
  EXPECT_EQ(front("{\n#endif\n#pragma unroll\n@for(;;);"), "nowhere");
  EXPECT_EQ(front("{\n#pragma message(\"a\")\n@for(;;);"), "nowhere");
}

TEST(TokenIndex, PutsTokensOnOneLine) {
  const std::string text = "for (;;) // ever\n  a +=\n b[1]; /* c */ d;";
  EXPECT_EQ(TokenIndex(text).onOneLine(0, text.size()), "for (;;) a += b[1]; d;");
  const std::string pragma = "{\n  #pragma  unroll 4  // four\n  for (;;) a;\n# pragma nounroll\n\n}";
  EXPECT_EQ(TokenIndex(pragma).onOneLine(0, pragma.size()),
            "{ _Pragma(\"unroll 4\") for (;;) a; _Pragma(\"nounroll\") }");
}

}  // namespace
}  // namespace cui::edit
