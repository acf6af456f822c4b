// strip(): every form, the frame, and text that only looks like a form.
#include "edit/strip.h"

#include <gtest/gtest.h>

#include <string>

#include "edit/forms.h"

namespace cui::edit {
namespace {

struct Case {
  const char* name;
  const char* instrumented;
  const char* original;
};
void PrintTo(const Case& value, std::ostream* out) {
  *out << value.name;
}

class Strip : public testing::TestWithParam<Case> {};
TEST_P(Strip, GivesTheOriginal) {
  EXPECT_EQ(strip(GetParam().instrumented), GetParam().original);
}

INSTANTIATE_TEST_SUITE_P(
    Forms, Strip,
    testing::Values(
        Case{"Nested", "CUI_ACCESS(7, a[CUI_ACCESS(4, b[i])]) = CUI_LOAD(0, c[(i + 1)]);",
             "a[b[i]] = c[(i + 1)];"},
        Case{"Macro", "#define A(i) CUI_MACRO_ACCESS(1, p[i]) \\\n  + CUI_MACRO_LOAD(2, q[i])\n",
             "#define A(i) p[i] \\\n  + q[i]\n"},
        Case{"Pointer", "atomicAdd(CUI_POINTER(9, &h[b]), 1); CUI_STORE(1, *p) = 1;",
             "atomicAdd(&h[b], 1); *p = 1;"},
        Case{"Measured",
             "x = CUI_FIELD(7, 4, 0, s[CUI_ACCESS(1, i[0])]).part + CUI_ARROW_FIELD(8, 4, 12, p)->part;",
             "x = s[i[0]].part + p->part;"},
        Case{"MeasuredBelowZero", "asm(\"st.b32 [%0+-8], 1;\" ::\"l\"(CUI_ASSEMBLY(7, 4, -8,  p)));",
             "asm(\"st.b32 [%0+-8], 1;\" ::\"l\"( p));"},
        Case{"MeasuredByText", "asm(\"\" ::\"l\"(CUI_ASSEMBLY(7, (sizeof(*(p))), 4, p)), \"n\"(N));",
             "asm(\"\" ::\"l\"(p), \"n\"(N));"},
        Case{"NotMeasuredByText", "CUI_ASSEMBLY(7, 4, (N), p) CUI_ASSEMBLY(7, N, 4, p)",
             "CUI_ASSEMBLY(7, 4, (N), p) CUI_ASSEMBLY(7, N, 4, p)"},
        Case{"Counted",
             "asm(\"\" ::\"l\"(CUI_ASSEMBLY_TIMES(7, 16, -8, (f(a, (b)) != 0), CUI_ACCESS(1, p[i]))));",
             "asm(\"\" ::\"l\"(p[i]));"},
        Case{"Together", "x = CUI_TOGETHER((1, a[i], 2, (b)[f(i)]), a[i] + CUI_ACCESS(3, c[(b)[i]]));",
             "x = a[i] + c[(b)[i]];"},
        Case{"NotTogether", "CUI_TOGETHER(1, a) CUI_TOGETHER((1, a) b)",
             "CUI_TOGETHER(1, a) CUI_TOGETHER((1, a) b)"},
        Case{"Loop",
             "{ CUI_LOOP(1, 1, (int, k, 0, <, n, + 1), (), (1, a[k]), for (int k = 0; k < n; ++k) s += "
             "a[k];)\n#pragma "
             "unroll\nfor (int k = 0; k < n; ++k) s += CUI_LOOP_ACCESS(1, a[k]); }",
             "{\n#pragma unroll\nfor (int k = 0; k < n; ++k) s += a[k]; }"},
        Case{"NotLoop", "CUI_LOOP(1) CUI_LOOP((1), 2)", "CUI_LOOP(1) CUI_LOOP((1), 2)"},
        Case{"NotCounted", "CUI_ASSEMBLY_TIMES(7, 16, 0, n, p) CUI_ASSEMBLY_TIMES(7, 16, (n), p)",
             "CUI_ASSEMBLY_TIMES(7, 16, 0, n, p) CUI_ASSEMBLY_TIMES(7, 16, (n), p)"},
        Case{"NotMeasured", "CUI_FIELD(7, 4, s) CUI_FIELD(7, x, 4, s) CUI_FIELD(7, 4,0, s)",
             "CUI_FIELD(7, 4, s) CUI_FIELD(7, x, 4, s) CUI_FIELD(7, 4,0, s)"},
        Case{"Launch",
             "CUI_LAUNCH(1, k<T, 32> CUI_LAUNCH_OPEN(<<<)CUI_GRID(g(1)), CUI_BLOCK(b), CUI_SHARED_BYTES(n), "
             "CUI_STREAM(st)CUI_LAUNCH_CLOSE(>>>)(x, CUI_NULL(0)));",
             "k<T, 32><<<g(1), b, n, st>>>(x, 0);"},
        Case{"LaunchOfAName", "CUI_LAUNCH(1, k CUI_LAUNCH_OPEN(<<<)CUI_GRID(g)CUI_LAUNCH_CLOSE(>>>)());",
             "k<<<g>>>();"},
        Case{"LaunchWithBlank", "CUI_LAUNCH(1, k  CUI_LAUNCH_OPEN(<<<)CUI_GRID(g)CUI_LAUNCH_CLOSE(>>>)());",
             "k <<<g>>>();"},
        Case{"LineNumbers",
             "{ CUI_KERNEL(CUI_LINE(13)); CUI_SHARED(CUI_LINE(14), t);} CUI_LAUNCH(CUI_LINE(15), k "
             "CUI_LAUNCH_OPEN(<<<)g);",
             "{} k<<<g;"},
        Case{"Separated", "return/**/CUI_ACCESS(1, *p);", "return*p;"},
        Case{"SeparatedTogether", "return/**/CUI_ACCESS(1, CUI_ACCESS(2, *p)[0]);", "return*p[0];"},
        Case{"SeparatedFromComment", "return/**//**/CUI_ACCESS(1, CUI_ACCESS(2, *p)[0]);",
             "return/**/*p[0];"},
        Case{"Api", "CHECK(CUI_API(3, cudaMalloc)((void**)&p, n));", "CHECK(cudaMalloc((void**)&p, n));"},
        Case{"Statements",
             "{ CUI_KERNEL(0); __shared__ float a[8], b[8]; CUI_SHARED(2, a); CUI_SHARED(3, b); }",
             "{ __shared__ float a[8], b[8]; }"},
        Case{"Dynamic", "extern __shared__ float s[] CUI_DYNAMIC_SHARED; CUI_SHARED_DYNAMIC(4, s);",
             "extern __shared__ float s[];"},
        Case{"KeepsTheUsersBlanks", "{  CUI_KERNEL(0);  x = CUI_ACCESS(1,  a[i] ) ; }", "{   x =  a[i]  ; }"},
        Case{"ParenthesesInLiterals", "CUI_ACCESS(1, a[f(')', \")\", R\"x()\")x\", /* ) */ 1'000)])",
             "a[f(')', \")\", R\"x()\")x\", /* ) */ 1'000)]"},
        Case{"LeavesStrings", "s = \"CUI_ACCESS(1, a)\"; // CUI_ACCESS(1, a)\n",
             "s = \"CUI_ACCESS(1, a)\"; // CUI_ACCESS(1, a)\n"},
        Case{"LeavesRawStrings", "R\"d(CUI_ACCESS(1, a)\")d\" u8R\"(CUI_KERNEL(0);)\"",
             "R\"d(CUI_ACCESS(1, a)\")d\" u8R\"(CUI_KERNEL(0);)\""},
        Case{"ContinuedComment", "// one \\\n CUI_ACCESS(1, a)\nCUI_ACCESS(1, a)",
             "// one \\\n CUI_ACCESS(1, a)\na"},
        Case{"ApostropheInSkippedText", "#if 0\ndon't\n#endif\nCUI_ACCESS(1, a[i])",
             "#if 0\ndon't\n#endif\na[i]"},
        Case{"OtherNames", "CUI_OTHER(1, a) MY_CUI_ACCESS(1, a) CUI_ACCESS (1, a)",
             "CUI_OTHER(1, a) MY_CUI_ACCESS(1, a) CUI_ACCESS (1, a)"},
        Case{"Stringised", "#define S(x) #x\nS(CUI_ACCESS(1, a[i]))", "#define S(x) #x\nS(a[i])"},
        Case{"Include", "#include \"/o/v.cu.d/home/u//x.h\"\n # include </o//sub/x.h>\n#include <stdio.h>\n",
             "#include \"x.h\"\n # include <sub/x.h>\n#include <stdio.h>\n"},
        Case{"IncludeOfAnAbsoluteName", "#include \"/o/v.cu.d///usr//x.h\"\n#include \"/usr/x.h\"\n",
             "#include \"/usr//x.h\"\n#include \"/usr/x.h\"\n"},
        Case{
            "HasInclude",
            "#if defined __has_include && __has_include (\"/o/v.cu.d/u//x.h\") || __has_include(</o//y.h>)\n",
            "#if defined __has_include && __has_include (\"x.h\") || __has_include(<y.h>)\n"},
        Case{"IncludeNameWithQuote", "#include <a'b.h>\nCUI_ACCESS(1, a)", "#include <a'b.h>\na"}),
    [](const auto& each) { return each.param.name; });

TEST(StripFrame, TakesPreambleAndEpilogueOff) {
  for (const std::string body : {"", "x", "x\n", "x\r\ny\r\n", "// no newline", "\xEF\xBB\xBFint x;\n"}) {
    const std::string preamble =
        std::string(preambleStart) + "CUI_UNIT(0x1, 2)\nCUI_MACRO_SITES({0, 1, 1})\n#line 1 \"v.cu\"\n";
    const std::string epilogue =
        std::string(epilogueStart) + "#undef const\nCUI_TABLE_FILES\nCUI_FILE(\"v.cu\", \"/v.cu\", 0x1)\n";
    const std::string framed = frame(body, preamble, epilogue);
    EXPECT_EQ(strip(framed), body);
    const std::string many(manySitesLine), registers(manyRegistersLine), very(veryManySitesLine),
        local(localArraysLine);
    const std::string macro = std::string(pushMacro) + "N\")\n" + std::string(undefineMacro) + "N\n";
    for (const std::string& settings : {many, many + registers, local, many + registers + very + local,
                                        std::string(withoutAutoLine), macro, many + macro + macro})
      EXPECT_EQ(strip(frame(body, settings + preamble, epilogue)), body);
    EXPECT_NE(framed.find("#line 1 \"v.cu\"\n"), std::string::npos);
  }
}

TEST(StripFrame, LeavesMacrosThatTheSourceSetsAside) {
  const std::string body = std::string(pushMacro) + "N\")\n" + std::string(undefineMacro) + "N\nint x;\n";
  EXPECT_EQ(strip(body), body);
}

TEST(StripFrame, TakesOnlyTheLastEpilogue) {
  const std::string body = "/* cuinstrument: tables, format 1 */\nCUI_TABLE_FILES\nint x;\n";
  const std::string preamble = std::string(preambleStart) + "CUI_UNIT(0x1, 0)\n#line 1 \"v.cu\"\n";
  EXPECT_EQ(strip(frame("\n" + body, preamble, std::string(epilogueStart) + "CUI_TABLE_END\n")), "\n" + body);
}

TEST(StripFrame, TakesTheMirrorLineOff) {
  EXPECT_EQ(strip(frame("#pragma once\n", mirrorPreamble("a \"b\"/x.h"), "")), "#pragma once\n");
  // A user's own #line is not ours.
  EXPECT_EQ(strip("#line 1 \"x.h\"\nint x;\n"), "#line 1 \"x.h\"\nint x;\n");
}

TEST(Forms, SpellsAndFindsEachOne) {
  EXPECT_EQ(open(Form::CUI_ACCESS, 7), "CUI_ACCESS(7, ");
  EXPECT_EQ(open(Form::CUI_GRID), "CUI_GRID(");
  EXPECT_EQ(open(Form::CUI_LAUNCH_OPEN), " CUI_LAUNCH_OPEN(");
  EXPECT_EQ(statement(Form::CUI_KERNEL, 0), " CUI_KERNEL(0);");
  EXPECT_EQ(statement(Form::CUI_SHARED, 2, "tile"), " CUI_SHARED(2, tile);");
  EXPECT_EQ(marker(Form::CUI_DYNAMIC_SHARED), " CUI_DYNAMIC_SHARED");
  Form form;
  EXPECT_FALSE(findForm("CUI_UNIT", form));
  ASSERT_TRUE(findForm("CUI_STREAM", form));
  EXPECT_EQ(form, Form::CUI_STREAM);
}

TEST(Forms, IncludePrefixesProtectAbsoluteNames) {
  EXPECT_EQ(includePrefix("/o/v.cu.d/src"), "/o/v.cu.d/src//");
  EXPECT_FALSE(needsEmptyPrefix("a//b.h"));
  EXPECT_FALSE(needsEmptyPrefix("/a/b.h"));
  EXPECT_TRUE(needsEmptyPrefix("/a//b.h"));
  EXPECT_EQ(strip("#include \"" + includePrefix("") + "/a//b.h\"\n"), "#include \"/a//b.h\"\n");
}

TEST(Forms, LiteralsSurviveEveryStandard) {
  EXPECT_EQ(literal("a\"\\\n\x01"
                    "9"),
            "\"a\\\"\\\\\\012\\0019\"");
  EXPECT_EQ(literal("?"
                    "?/ a?b"),
            "\"?\\?/ a?b\"");
  EXPECT_EQ(literal("\xc3\xa9"), "\"\xc3\xa9\"");
}

}  // namespace
}  // namespace cui::edit
