// Launch brackets with blanks inside, joined for the parser, and braces in configurations.
#include "edit/chevrons.h"

#include <gtest/gtest.h>

namespace cui::edit {
namespace {

TEST(Chevrons, JoinedInPlace) {
  EXPECT_EQ(joinChevrons("k << <1, 2>> >(p);"), "k <<< 1, 2>>> (p);");
  EXPECT_EQ(joinChevrons("k<</* x */<1, 2>>\t\t>(p);"), "k<<<       1, 2>>>  (p);");
}

TEST(Chevrons, OneSideIsEnough) {
  EXPECT_EQ(joinChevrons("k<< <1, 2>>>(p);"), "k<<< 1, 2>>>(p);");
  EXPECT_EQ(joinChevrons("k<<<1, 2>> >(p);"), "k<<<1, 2>>> (p);");
}

TEST(Chevrons, NothingToJoin) {
  for (const char* text : {
           "k<<<1, 2>>>(p);",
           "operator<< <int>(out, 1);",
           "vector<vector<vector<int>> > v;",
           "\"k << <1, 2>> >(p)\"; // k << <1, 2>> >(p)",
           "k <<\n<1, 2>>\n>(p);",  // nvcc does not take these
           "out << x << y; a >> b; k<<<1, a >> b>>>(p);",
           "",
       })
    EXPECT_EQ(joinChevrons(text), "") << text;
}

// Inside parentheses, and where no arguments follow, it is a template's end.
TEST(Chevrons, OnlyTheLaunchsOwnEnd) {
  EXPECT_EQ(joinChevrons("k<< <f(A<A<A<int>> >()), 2>> >(p);"), "k<<< f(A<A<A<int>> >()), 2>>> (p);");
  EXPECT_EQ(joinChevrons("k<< <1, sizeof(int)>>>(p); A<A<A<int>> > a;"),
            "k<<< 1, sizeof(int)>>>(p); A<A<A<int>> > a;");
  EXPECT_EQ(joinChevrons("k<< <1; A<A<A<int>> >(0);"), "k<<< 1; A<A<A<int>> >(0);");
}

TEST(Chevrons, ListsInConfigurations) {
  EXPECT_EQ(joinChevrons("k<<<{1, 2}, { n },0, {s}>>>(p);"), "k<<<(1, 2), ( n ),0, (s)>>>(p);");
  EXPECT_EQ(joinChevrons("k<<<g, {1, f({2}), }, 0>>>(p);"), "k<<<g, (1, f({2})  ), 0>>>(p);");
  EXPECT_EQ(joinChevrons("k<< <{1}, 2>> >(p);"), "k<<< (1), 2>>> (p);");
}

// One token as long as what it stands for.
TEST(Chevrons, EmptyListIsAZero) {
  EXPECT_EQ(joinChevrons("k<<<{}, { }>>>(p);"), "k<<<00, 000>>>(p);");
}

TEST(Chevrons, OtherBracesStay) {
  for (const char* text : {
           "k<<<dim3{1, 2}, f({3})>>>(p);",
           "k<<<1, [&] { return 2; }()>>>(p);",
           "k<<<1, 2>>>(S{3}); struct A {};",
           "k<<<{1, 2}",
       })
    EXPECT_EQ(joinChevrons(text), "") << text;
}

TEST(Chevrons, EndAsWritten) {
  EXPECT_EQ(endOfChevron("k << <1", 2), 6U);
  EXPECT_EQ(endOfChevron("k<<<1", 1), 4U);
  EXPECT_EQ(endOfChevron("k<</* < */<1", 1), 11U);
}

}  // namespace
}  // namespace cui::edit
