// What the constructs found, merged over template instantiations and macro expansions, before anything is
// numbered or edited.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "constructs/ranges.h"
#include "edit/forms.h"
#include "sites/table.h"

namespace cui::constructs {

/// What is recorded of a text range, which may be several things at once: `p` of `atomicAdd(p, 1)` may itself
/// be loaded from memory. Wraps of one range nest in this order, the first innermost.
enum class Layer : unsigned {
  implied,          ///< the range names a member of `this`, whose own pointer that reads (own_pointer.h)
  object,           ///< the range names the accessed object
  cast,             ///< it casts it, in a macro's text (split_cast.h)
  pointer,          ///< it points to it
  field,            ///< it is (or points to) the structure that holds the accessed member
  holder,           ///< it is (or points to) the object whose own pointer is read
  copySource,       ///< it names a function that copies: what that reads
  copyTarget,       ///< what it writes
  tile,             ///< it names a function that moves a matrix tile
  texture,          ///< it names a texture fetch or a surface access
  made,             ///< it makes an object, which that stores, and is the pointer to it
  referred,         ///< it is an object that is converted to a reference to another
  each,             ///< a loop goes over it and copies each of its elements
  assembly,         ///< it is an operand of inline assembly; one more for each instruction that uses it
  part = 1u << 15,  ///< a part of an object that it makes, or one of what it captures; one more for each
  initialised =
      1u << 16  ///< a member's name, stored by a constructor's initialiser; one more for each constructor
};

/// The two integers of a measured form. Instantiations must agree on them, because the text is one.
struct Measures {
  long first = 0, second = 0;
  bool operator==(const Measures&) const = default;
};

/// Variables of loops that tell the times apart that a block comes to a place in them.
struct LoopNumbers {
  std::string tile;                       ///< in a loop over tiles: which one it is, as CUI_TILE says it
  std::vector<std::string> outer, inner;  ///< of the innermost loop
  std::vector<std::string> all() const;
  bool operator==(const LoopNumbers&) const = default;
};

/// A place that all threads of a row of the grid come to alike (grid_row.h), as CUI_BY_ROW says it.
struct RowSeen {
  unsigned corners = 0;                   ///< of a block, where the guard is looked at: 0 without one
  std::vector<std::string> declarations;  ///< in order; each without its last `;`
  std::string guard;
  LoopNumbers numbers;  ///< in loops that all go round alike, where there is no guard
  // Elsewhere, what tells places apart that the same threads come to (driver/same_rows.h).
  std::string conditions;  ///< around it, or behind which it is, that are the same for all threads of the row
  std::string guarded;     ///< what variables the guard names
  std::optional<Span> kernel;  ///< the opening brace of its body; none: others are told nothing
  std::optional<Span> whole;   ///< the full expression around it, as far as its first token
  bool inLoop() const { return !numbers.inner.empty(); }
  bool operator==(const RowSeen&) const = default;
};

/// A loop whose accesses can be recorded in front of it (loop.h). Instantiations must agree on it.
struct LoopSeen {
  /// A loop in it that is around the access: each time round makes a place of its own.
  struct Inner {
    Span span;
    unsigned times = 0;
    bool operator==(const Inner&) const = default;
  };
  Span span;                        ///< from `for` to the body's end
  unsigned before = 0;              ///< where in the file what records it goes
  std::string head;                 ///< as CUI_LOOP has it, without parentheses
  std::string copy;                 ///< of a quiet one: pragmas in front of it and itself, on one line
  std::vector<std::string> locals;  ///< declarations in the body that the access needs; each ends with `;`
  bool fixed = false;               ///< it goes round a few times, and the access surely advances evenly
  bool steady = false;              ///< isSteady() (grid_row.h); right around the access, of own variables
  bool quiet = true;                ///< nothing else happens in it; else only sums can be told in front of it
  std::vector<Inner> inner;         ///< from outside
  std::vector<std::string>
      texts;                ///< of its places, if not as written: the innermost loop's beside each other
  std::uint64_t times = 0;  ///< it goes round so often; 0: that is not known
  /// All blocks make the access alike (alike.h): numbers that tell the times apart that they come to the
  /// loop.
  std::optional<std::vector<std::string>> alike;
  std::optional<RowSeen>
      row;  ///< all threads of a row of the grid go round it alike, as CUI_LOOP_BY_ROW says

  /// What is so in another instantiation, too; false if it is another loop there.
  bool join(const LoopSeen& other);
};
/// Those that are so in both.
void joinLoops(std::vector<LoopSeen>& loops, const std::vector<LoopSeen>& others);

/// One access, in one instantiation of its function and one expansion of its macro.
struct AccessSeen {
  Resolved range;
  edit::Form form = edit::Form::CUI_ACCESS;
  Layer layer = Layer::object;
  Measures measures;
  std::string size;       ///< what says the first of them, where instantiations differ: then that is 0
  std::string count;      ///< of a counted form: the copied text; of a field, what it may become: the name
  unsigned argument = 0;  ///< of CUI_ARGUMENT: its number; of a parameter, which argument it stands for
  Resolved brace;         ///< of a statement form: what it goes behind
  sites::Site site;       ///< place, end and macro are filled in from `range`; a reason makes it skipped
  clang::SourceLocation body;   ///< of the enclosing function as written: the same in all instantiations
  std::optional<Span> whole;    ///< it can be recorded in front of this full expression (together.h)
  bool isTarget = false;        ///< which writes to it, last of all
  std::vector<Span> before;     ///< full expressions in front of that, nearest first: likewise (statements.h)
  std::vector<LoopSeen> loops;  ///< it can be recorded in front of these, from inside
  std::optional<LoopSeen> partOf;  ///< this loop's sums of it are told in front of it (driver/loop_groups.h)
  std::optional<RowSeen> row;      ///< with `whole`: all threads of a row of the grid make it alike
  /// All blocks make it alike (alike.h), in shared memory, at the times that these numbers tell apart.
  std::optional<LoopNumbers> alike;
  std::optional<Span> member;  ///< of a field: the whole expression, an object where it is no bit field
  bool bitField = false;       ///< of a field: only `measures` tell where it is
  bool dependent = false;      ///< in a template's pattern: counts only where nothing is instantiated
  bool instantiated = false;   ///< in code made from a template
};

/// A use (expansion) of a macro, and where lines do not tell uses apart, the argument that does; 0: none.
struct MacroUse {
  Span place;
  unsigned argument = 0;
  auto operator<=>(const MacroUse&) const = default;
};

struct AccessFound {
  AccessSeen first;
  std::set<std::string> types;
  std::map<MacroUse, sites::Site> uses;  ///< one entry outside macros
  bool byArgument = false;               ///< a parameter: arguments tell some uses apart
  bool instantiated = false;             ///< seen outside a dependent pattern
  bool inPattern = false;     ///< seen in one: what it is does not depend on the template's arguments
  bool fromTemplate = false;  ///< seen in code made from a template
  bool atUse = false;         ///< was one of a macro's text, and is one of a use of it
  bool differs = false;  ///< a field that lies elsewhere in other instantiations, which can be asked for it
  std::vector<std::pair<unsigned, unsigned>> otherLines;  ///< of a macro's text: expansions that are none
};

struct LaunchUse {
  std::set<std::string> kernels;      ///< as the instantiations resolve it
  std::set<std::string> kernelBases;  ///< their names without template arguments
  sites::Launch launch;
};

/// A piece of a launch that is wrapped by itself, and what goes in front of it; "" where instantiations
/// differ.
struct LaunchPart {
  Resolved range;
  std::string open;
};

struct LaunchFound {
  edit::Form form = edit::Form::CUI_LAUNCH;
  bool captures = false;  ///< in some function, of which it names a variable
  /// Else `whole` is the function's or kernel's name, and there is nothing else.
  bool hasBrackets() const { return form == edit::Form::CUI_LAUNCH || form == edit::Form::CUI_OUTER_LAUNCH; }
  Resolved whole, open, close;
  Resolved configuration;  ///< located: the brackets and what is in them, which is not in `whole`'s text
  std::vector<LaunchPart> arguments;  ///< of the configuration, and null literals and lists in braces
  std::string written;                ///< as the source says it
  LaunchUse seen;
  std::map<Span, LaunchUse> uses;  ///< per expansion of a macro: one entry outside macros
};

struct CallFound {
  edit::Form form = edit::Form::CUI_API;
  Resolved name;
  sites::Call call;
  std::map<Span, sites::Call> uses;  ///< per expansion of the macro that pastes the name
  bool guessed = false;              ///< by its name, in a template
};

/// A container of a library's that holds memory from here on.
struct VectorFound {
  Resolved name;       ///< where it is named
  Resolved semicolon;  ///< of the statement after which it is asked, or the brace of a constructor's body
  std::string text;    ///< how the source names it: evaluating that does nothing
  sites::Call call;
};

struct KernelFound {
  Resolved name;
  Resolved brace;    ///< the body's opening one
  Resolved returns;  ///< the `void` that launch bounds may follow; a reason where they may not
  sites::Kernel kernel;
  std::map<Span, sites::Kernel> uses;  ///< per expansion of a macro
  /// __shared__ variables of file scope that it or what it calls uses: the name in their declaration, and how
  /// the kernel can spell them.
  std::map<Span, std::string> fileShared;
  /// Parameters that point to what is const and restrict: in each expansion, and instance of a template.
  std::set<unsigned> readOnly;
  /// What its __cluster_dims__ says, for the CPU backend: how many extents, and their text; no text where
  /// that cannot be said.
  std::optional<std::pair<unsigned, std::string>> cluster;
};

struct VariableFound {
  Resolved name;
  Resolved declarator;  ///< its last token
  Resolved semicolon;   ///< of its statement; reason "file scope" outside functions
  Resolved spelled;     ///< the name in the text that holds the statement: a macro's parameter or `name`
  sites::Variable variable;
  std::map<Span, sites::Variable> uses;  ///< per expansion of a macro
  std::string
      spaces;  ///< for the CPU backend, the named namespaces of a dynamic array, mangled: `5outer5inner`
};

/// What another compiler must be told in other words: parts of its text are wrapped, all of them or none.
struct RespellingFound {
  Resolved whole;
  std::string function, written;
  std::vector<std::pair<edit::Form, Span>> wraps;
};

/// Whose threads have met when a barrier comes back.
enum class Meets { nobody, warp, block, grid, unknown };

/// A call, or a piece of assembly, that comes back when threads have met.
struct BarrierFound {
  Resolved range;
  bool hasValue = false;
  Meets meets = Meets::nobody;
  std::string reason;  ///< why not to edit
  std::string function, expression;
};

/// Why the text of a macro cannot: it is something else where other lines use it.
inline constexpr char otherwiseUsed[] = "not every expansion of the macro is such an access";

/// Why an object cannot be wrapped: compilers would not know any more what is behind it.
inline constexpr char memberTemplate[] = "a member template without `template` is named in it";

/// A range that is read in one place and written in another does both.
sites::Kind merged(sites::Kind a, sites::Kind b);
/// One of several uses or instantiations.
void merge(sites::Site& into, const sites::Site& from);

class Findings {
 public:
  explicit Findings(const Preprocessing& preprocessing) : preprocessing_(preprocessing) {}

  void add(AccessSeen access);
  void add(LaunchFound launch);
  void add(CallFound call);
  /// What has that name there is a function of the program's, in this instantiation.
  void addOwnCall(const Resolved& name);
  void add(VectorFound vector);
  void add(KernelFound kernel);
  void add(VariableFound variable);
  void add(RespellingFound respelling);
  void add(BarrierFound barrier);
  /// A body that exists outside its template's pattern, so that the pattern itself tells nothing.
  void addInstantiated(clang::SourceLocation body) { instantiatedBodies_.insert(body); }
  /// The expression can be bound to a reference here; all of a macro's expansions must agree on that. `runs`:
  /// the device may evaluate it, as an access or for its address.
  void confirm(const Resolved& range, bool runs);
  /// The same of a structure that is wrapped for its member, and of a cast of an object (split_cast.h).
  void confirmField(const Resolved& range);
  void confirmCast(const Resolved& range);
  /// The same of an object whose own pointer is read, and of text that names an object without such a pointer
  /// in code made from a template. Of what `this` points to, a member's text that names it without.
  void confirmHolder(const Resolved& range);
  void addNoHolder(const Resolved& range) { noHolders_.insert(keyOf(range)); }
  void addNotImplied(const Resolved& range) { notImplied_.insert(keyOf(range)); }
  /// No reference binds to what that text names, in some instantiation or expansion, and CUI_PACKED needs it
  /// twice; `repeatable`: evaluating it twice is as good as once there.
  void addNamedTwice(const Resolved& range, bool repeatable);
  /// Of code made from a template: what is evaluated there must not be evaluated twice.
  void evaluateOnce(const Resolved& range) { once_.insert(keyOf(range)); }
  /// Of code made from a template: it names a constant or a static member.
  void addOther(const Resolved& range) { others_.insert(keyOf(range)); }
  /// It cannot.
  void veto(const Resolved& range, std::string reason);

  /// Accesses in the order of their text, after merging; `site.reason` says why one is skipped. They are not
  /// here any more afterwards: copies of tens of thousands take longer than merging them.
  std::vector<AccessFound> takeAccesses();
  const std::map<Span, LaunchFound>& launches() const { return launches_; }
  const std::map<Span, CallFound>& calls() const { return calls_; }
  const std::map<Span, VectorFound>& vectors() const { return vectors_; }
  const std::map<Span, KernelFound>& kernels() const { return kernels_; }
  const std::map<Span, VariableFound>& variables() const { return variables_; }
  const std::map<Span, RespellingFound>& respellings() const { return respellings_; }
  const std::map<Span, BarrierFound>& barriers() const { return barriers_; }

 private:
  struct Key {
    Span span;
    Layer layer;
    auto operator<=>(const Key&) const = default;
  };
  /// Of all that a macro's text stands for, what each use is by itself, by the text of the use.
  struct Uses {
    std::map<Span, AccessFound> apart;
    /// First and last, by where they take effect, and their own texts, which another macro's argument may
    /// have.
    std::map<std::pair<Span, Span>, std::pair<unsigned, unsigned>> lines;
    bool all = true;  ///< each can be edited where it is
  };
  /// What an argument of a macro is where the macro uses it, by those parameters in its text.
  struct Argument {
    struct Use {
      sites::Kind kind;
      bool dependent;  ///< by a template's pattern only
    };
    std::map<Span, Use> parameters;
    unsigned number = 0;
    bool all = true;  ///< each can be edited there
  };
  /// A parameter in a macro's text, which is an access with these arguments, by expansion.
  struct Parameter {
    AccessFound found;
    std::map<clang::SourceLocation, Key> arguments;
  };
  /// Arguments and parameters that must be edited alike: none of these, or all.
  struct Connected {
    std::set<Key> arguments;
    std::set<Span> parameters;
  };
  static void join(AccessFound& found, bool fresh, AccessSeen access);
  void addArgument(const Key& key, const AccessSeen& access);
  void editParameters();
  bool isUsedUnlike(const Key& key, const Argument& argument) const;
  Connected connected(const Key& key) const;
  std::set<Key> argumentsThatTell(const Connected& all) const;
  bool canTell(const Key& key) const;
  bool canEditParameters(const Connected& all, const std::set<Key>& telling) const;
  void editParameters(const Connected& all, const std::set<Key>& telling);
  void addUse(const Key& key, const AccessSeen& access);
  void editUses();
  bool canEditUses(const Key& key, const Uses& uses, const AccessFound& text) const;
  std::string whyNot(const Key& key, const AccessFound& found) const;
  void joinFields();
  void nameTwice();
  void findOthers();
  static bool sharesLine(const AccessFound& text, const Uses& uses);
  bool isApart(const Span& whole) const;
  bool callsWithin(const Span& text) const;
  /// The text that it is edited in, or the place where it takes effect.
  static const Span& keyOf(const Resolved& range) { return range.reason.empty() ? range.span : range.use; }

  const Preprocessing& preprocessing_;
  std::map<Key, AccessFound> accesses_;
  std::map<Key, Uses> uses_;
  std::map<Key, Argument> arguments_;
  std::map<Span, Parameter> parameters_;
  std::map<Span, LaunchFound> launches_;
  std::map<Span, CallFound> calls_;
  std::set<Span> ownCalls_;
  std::map<Span, VectorFound> vectors_;
  std::map<Span, KernelFound> kernels_;
  std::map<Span, VariableFound> variables_;
  std::map<Span, RespellingFound> respellings_;
  std::map<Span, BarrierFound> barriers_;
  std::map<Span, std::string> vetoes_;
  using Confirmed = std::map<Span, std::set<clang::SourceLocation>>;
  bool isEverywhere(const AccessFound& found, const Confirmed& confirmed) const;
  unsigned argumentsThatTell_ = 0;
  Confirmed accessed_;  ///< expansions that are such an access
  /// First and last line of those that name an object on the device.
  std::map<Span, std::map<clang::SourceLocation, std::pair<unsigned, unsigned>>> named_;
  Confirmed confirmed_, confirmedFields_, confirmedHolders_, confirmedTwice_, confirmedCasts_;
  std::map<Span, bool> namedTwice_;  ///< whether that does no harm in any of them
  std::set<clang::SourceLocation> instantiatedBodies_;
  std::set<Span> once_, others_, noHolders_, notImplied_;
};

}  // namespace cui::constructs
