#include "driver/emit.h"

#include <functional>
#include <optional>
#include <set>
#include <utility>

#include <llvm/ADT/STLExtras.h>

#include "constructs/alike_macros.h"
#include "driver/runs.h"
#include "driver/same_rows.h"
#include "edit/forms.h"

namespace cui::driver {
namespace {

using constructs::AccessFound;
using constructs::FileIndex;
using constructs::Resolved;
using constructs::Span;
using edit::Form;
using sites::Status;

/// `CUI_MACRO_POINTER` of `CUI_POINTER`; plain accesses stand for what has no such twin.
Form macroForm(Form form) {
  constexpr std::string_view prefix = "CUI_";
  Form result = Form::CUI_MACRO_ACCESS;
  edit::findForm("CUI_MACRO_" + std::string(edit::name(form).substr(prefix.size())), result);
  return result;
}

/// What a constructor stores in a member that no reference can be bound to.
bool isField(Form form) {
  return form == Form::CUI_INITIALISED_FIELD || form == Form::CUI_MACRO_INITIALISED_FIELD;
}

class Emitter {
 public:
  Emitter(const constructs::Findings& findings, const constructs::Preprocessing& preprocessing,
          constructs::Sources& sources, FileIndex mainFile, LoopGroups loops)
      : findings_(findings), preprocessing_(preprocessing), sources_(sources), loops_(std::move(loops)) {
    fileNumber(mainFile);
    result_.table.setRewriterVersion(CUI_VERSION);
  }

  Emission run(std::vector<AccessFound> accesses) {
    addAccesses(std::move(accesses));
    addKernels();
    addVariables();
    addCalls();
    addVectors();
    addLaunches();
    addRespellings();
    addBarriers();
    addTexts();
    addRows();
    result_.table.finalize();
    for (auto& spell : edits_) spell();
    for (auto place = result_.plans.begin(); place != result_.plans.end();)
      place = place->second.empty() ? result_.plans.erase(place) : std::next(place);
    return std::move(result_);
  }

 private:
  std::uint32_t fileNumber(FileIndex index) {
    // Asked for with each place: hashing a long header each time took longer than everything else.
    const auto known = fileNumbers_.find(index);
    if (known != fileNumbers_.end()) return known->second;
    const constructs::SourceFile& file = sources_.file(index);
    return fileNumbers_[index] =
               result_.table.addFile({file.path, file.absolute,
                                      sites::textHash(std::string_view(file.text.data(), file.text.size()))});
  }

  sites::Place placeOf(const Span& span) {
    return {fileNumber(span.file), span.begin, sources_.line(span.file, span.begin),
            sources_.column(span.file, span.begin)};
  }

  void setPlace(sites::Site& site, const Span& span) {
    site.place = placeOf(span);
    site.endLine = sources_.line(span.file, span.end);
    site.endColumn = sources_.column(span.file, span.end);
  }

  std::string textOf(const Span& span) {
    return sources_.file(span.file).text.substr(span.begin, span.end - span.begin).str();
  }

  std::string lineOf(const Span& span) { return driver::lineOf(span, sources_); }

  edit::EditPlan& plan(std::map<FileIndex, edit::EditPlan>& plans, FileIndex index) {
    // Asked for with each edit: the text is copied for the first only.
    const auto known = plans.find(index);
    if (known != plans.end()) return known->second;
    return plans.try_emplace(index, sources_.file(index).text.str()).first->second;
  }

  /// Text is only known once everything is numbered, but whether ranges nest must be known before: so each
  /// wrap is tried on a copy first and spelled later, in the same order.
  bool reserve(const Span& span) {
    return llvm::all_of(everywhere(span), [this](const Span& one) {
      return plan(probes_, one.file).wrap(one.begin, one.end, "", "");
    });
  }
  void wrapLater(const Span& span, std::function<std::string()> open) {
    edits_.push_back([this, all = everywhere(span), open = std::move(open)] {
      for (const Span& one : all)
        plan(result_.plans, one.file).wrap(one.begin, one.end, open(), std::string(edit::close));
    });
  }
  void insertLater(const Span& token, int order, std::function<std::string()> text) {
    edits_.push_back([this, all = everywhere(token), order, text = std::move(text)] {
      for (const Span& one : all) plan(result_.plans, one.file).insert(one.end, text(), order);
    });
  }
  /// A macro that is defined in several places is edited in all of them.
  std::vector<Span> everywhere(const Span& span) {
    std::vector<Span> all = constructs::othersOf(span, preprocessing_, sources_);
    all.insert(all.begin(), span);
    return all;
  }

  /// The number to print for a row of the tables. Text in the body of a macro that is expanded several times
  /// stands for several rows; there the line decides.
  template <class Handle>
  std::function<std::string()> numberLater(const std::vector<std::pair<Span, Handle>>& uses) {
    const Handle first = uses.front().second;
    if (uses.size() == 1) return [this, first] { return edit::number(result_.table.number(first)); };
    for (const auto& [use, there] : uses)
      result_.table.addLine(first, there, sources_.line(use.file, use.begin),
                            sources_.line(use.file, use.end));
    return [this, first] { return edit::lineNumber(result_.table.lineKey(first)); };
  }

  void keepTexts(const Resolved& range) {
    texts_.insert(range.texts.begin(), range.texts.end());
    asserts_.insert(range.asserts.begin(), range.asserts.end());
  }

  void addAccesses(std::vector<AccessFound> accesses) {
    Groups groups = groupsOf(accesses);
    for (AccessFound& found : accesses) {
      LoopGroup* const loop = loops_.find(found);
      LoopGroup* const partOf = loops_.findPart(found);
      const auto group = found.first.whole ? groups.find(frontOf(*found.first.whole)) : groups.end();
      sites::Site& site = found.first.site;
      const bool statement = found.first.layer >= constructs::Layer::initialised;
      const bool twice = found.first.form == Form::CUI_PACKED;
      const std::string copy = twice ? lineOf(found.first.range.span) : "";
      if (site.reason.empty() && twice && copy.empty())
        site.reason = "in a packed structure, on several lines";
      if (site.reason.empty() && !statement && group == groups.end() && !reserve(found.first.range.span))
        site.reason = "its range overlaps another edit";
      if (found.types.size() > 1) {
        site.type.clear();
        for (const std::string& type : found.types) site.type += (site.type.empty() ? "" : " | ") + type;
      }
      const bool skipped = !site.reason.empty();
      const auto complete = [&](sites::Site& one) {
        one.reason = site.reason;
        one.status = skipped ? Status::skipped : Status::instrumented;
        if (found.types.size() > 1) one.type = site.type;
      };
      complete(site);
      const bool inMacro = !skipped && found.first.range.macro;
      setPlace(site, skipped ? found.first.range.use : found.first.range.span);
      const sites::SiteHandle handle = result_.table.add(site);
      if (inMacro) {
        for (auto& [use, expansion] : found.uses) {
          complete(expansion);
          setPlace(expansion, use);
          result_.table.addExpansion(handle, expansion);
        }
      }
      if (skipped) continue;
      addToLoops(loop, found, handle);
      if (partOf) addToLoop(*partOf, found, *found.first.partOf, handle);
      if (group != groups.end()) {
        group->second.loop = loop;
        group->second.add({handle, lineOf(found.first.range.span), partOf}, found.first);
        continue;
      }
      keepTexts(found.first.range);
      const Form form = inMacro ? macroForm(found.first.form) : found.first.form;
      if (statement)
        insertLater(found.first.brace.span, 0,
                    [this, form, handle, measures = found.first.measures, expression = site.expression] {
                      const std::uint32_t number = result_.table.number(handle);
                      return isField(form) ? edit::statement(form, number, measures.first, measures.second)
                                           : edit::statement(form, number, expression);
                    });
      else
        wrapLater(found.first.range.span, [this, form, handle, loop, partOf, measures = found.first.measures,
                                           count = found.first.count, alike = found.first.alike,
                                           row = rowOf(found, form, loop), twice, copy] {
          const std::uint32_t number = result_.table.number(handle);
          if (twice) return edit::open(form, number, {copy});
          if (partOf) return edit::open(Form::CUI_BESIDE_LOOP_ACCESS, number, {numberOf(*partOf)});
          if (form == Form::CUI_CONVERTED || form == Form::CUI_MACRO_CONVERTED)
            return edit::open(form, number, {count});
          if (loop && loop->isWhole())
            return edit::open(
                loop->outermost().seen.alike ? Form::CUI_ALIKE_LOOP_ACCESS : Form::CUI_LOOP_ACCESS, number);
          if (alike && form == Form::CUI_ACCESS)
            return edit::open(Form::CUI_ALIKE_ACCESS, number, alike->all());
          if (row) return rows_.open(row->first, {{number, row->second}});
          return edit::open(form, number, measures.first, measures.second, count);
        });
    }
    for (auto& [whole, group] : groups) {
      group.endWhole();
      std::vector<Part> parts = group.parts;
      // Two or three at a time, the last ones innermost, which is first.
      while (!parts.empty()) {
        // Those of a loop that has their sums go by themselves.
        const LoopGroup* const partOf = parts.back().partOf;
        const auto run = static_cast<std::size_t>(
            std::find_if(parts.rbegin(), parts.rend(),
                         [partOf](const Part& part) { return part.partOf != partOf; }) -
            parts.rbegin());
        const std::size_t count = run < 4 ? run : run == 4 ? 2 : 3;
        wrapLater(whole, [this, loop = group.loop, partOf, row = rowOf(group, whole, parts.size() - count),
                          alike = group.alike, some = std::vector<Part>(parts.end() - count, parts.end())] {
          std::vector<std::pair<unsigned, std::string>> numbered;
          for (const Part& part : some) numbered.emplace_back(result_.table.number(part.handle), part.text);
          if (partOf) return edit::open(Form::CUI_BESIDE_LOOP, numberOf(*partOf), numbered);
          if (loop && loop->isWhole())
            return edit::open(loop->outermost().seen.alike ? Form::CUI_IN_ALIKE_LOOP : Form::CUI_IN_LOOP,
                              numbered);
          if (alike) return edit::open(Form::CUI_ALIKE, edit::list(alike->all()), numbered);
          if (!row) return edit::open(Form::CUI_TOGETHER, numbered);
          return rows_.open(*row, numbered);
        });
        parts.resize(parts.size() - count);
      }
    }
    addLoops();
    addPartLoops();
  }

  /// An access that is recorded in front of the full expression that makes it.
  struct Part {
    sites::SiteHandle handle;
    std::string text;
    const LoopGroup* partOf;  ///< what is in front of this loop may have done so
  };
  struct Group {
    std::vector<Part> parts, target;
    std::optional<Span> whole;                     ///< that makes the last of them
    const LoopGroup* loop = nullptr;               ///< that all of them are in
    std::optional<constructs::RowSeen> row;        ///< what all of them need
    std::optional<constructs::LoopNumbers> alike;  ///< of those that are not told in front of a loop
    bool hasOwn = false;                           ///< there are such
    void add(Part part, const constructs::AccessSeen& access) {
      if (parts.empty() && target.empty())
        row = access.row;
      else
        join(row, access.row);
      if (!part.partOf) {
        if (!hasOwn)
          alike = access.alike;
        else if (alike != access.alike)
          alike.reset();
        hasOwn = true;
      }
      if (whole != access.whole) endWhole();
      whole = access.whole;
      (access.isTarget ? target : parts).push_back(std::move(part));
    }
    /// What the full expression writes to comes last, and then the next one.
    void endWhole() {
      parts.insert(parts.end(), target.begin(), target.end());
      target.clear();
    }
  };
  using Groups = std::map<Span, Group>;

  /// In rows_, if it is accounted for by rows; and its text.
  std::optional<std::pair<std::size_t, std::string>> rowOf(const AccessFound& found, Form form,
                                                           const LoopGroup* loop) {
    if (!found.first.row || form != Form::CUI_ACCESS) return std::nullopt;
    const Span& span = found.first.range.span;
    std::string text = lineOf(span);
    if (text.empty()) return std::nullopt;
    const auto rank = found.first.isTarget ? SameRows::Rank::target : SameRows::Rank::inside;
    const std::size_t place = rowOf(*found.first.row, {{}, rank, span}, loop, found.first.alike.has_value());
    return std::pair(place, std::move(text));
  }
  std::optional<std::size_t> rowOf(const Group& group, const Span& whole, std::size_t part) {
    if (!group.row) return std::nullopt;
    return rowOf(*group.row, {{}, SameRows::Rank::inFront, whole, part}, group.loop, group.alike.has_value());
  }
  std::size_t rowOf(const constructs::RowSeen& row, SameRows::Order order, const LoopGroup* loop,
                    bool alike) {
    return rows_.add(row, std::move(order), [loop, alike] { return !(loop && loop->isWhole()) && !alike; });
  }
  /// What they are told lies in variables of the kernel.
  void addRows() {
    rows_.decide();
    for (const auto& [brace, count] : rows_.counts())
      for (unsigned number = 0; number < count; ++number)
        insertLater(brace, 1, [number] { return edit::statement(Form::CUI_ROW, number); });
  }

  void addToLoop(LoopGroup& group, const AccessFound& found, const constructs::LoopSeen& loop,
                 sites::SiteHandle handle) {
    const Span& span = found.first.range.span;
    const Span& whole = found.first.whole ? *found.first.whole : span;
    group.members.push_back(
        {{whole, found.first.isTarget}, span, handle, lineOf(span), loop.inner, loop.texts});
  }
  void addToLoops(LoopGroup* innermost, const AccessFound& found, sites::SiteHandle handle) {
    LoopGroup* group = innermost;
    for (const constructs::LoopSeen& loop : found.first.loops) {
      addToLoop(*group, found, loop, handle);
      group = group->around;
    }
  }

  /// Sites and texts of a loop's places, and the declarations that these need.
  std::pair<std::vector<std::pair<unsigned, std::string>>, std::string> placesOf(const LoopGroup& loop) {
    std::string locals;
    for (const std::string& local : loop.seen.locals) locals += (locals.empty() ? "" : " ") + local;
    std::vector<std::pair<unsigned, std::string>> places;
    for (auto& [handle, text] : loop.writtenOut())
      places.emplace_back(result_.table.number(handle), std::move(text));
    return {std::move(places), std::move(locals)};
  }
  std::string numberOf(const LoopGroup& loop) {
    return edit::number(result_.table.number(loop.members.front().handle));
  }

  /// What profiles are told in front of loops of which only some accesses can be.
  void addPartLoops() {
    for (auto& [span, loop] : loops_.parts()) {
      if (loop.members.empty()) continue;
      loop.sort();
      insertLater({span.file, 0, loop.seen.before}, 2, [this, loop = &loop] {
        const auto [places, locals] = placesOf(*loop);
        return edit::loop(Form::CUI_PART_OF_LOOP, places.front().first, std::nullopt, loop->seen.head, locals,
                          places, "");
      });
    }
  }

  /// A loop goes by the number of its first access.
  void addLoops() {
    for (auto& [span, loop] : loops_) {
      if (!loop.isRecorded()) continue;
      loop.sort();
      insertLater({span.file, 0, loop.seen.before}, 2, [this, loop = &loop] {
        const bool isOutermost = &loop->outermost() == loop;
        const auto [parts, locals] = placesOf(*loop);
        if (isOutermost && loop->seen.alike)
          return edit::loop(loop->seen.fixed ? Form::CUI_FIXED_ALIKE_LOOP : Form::CUI_ALIKE_LOOP,
                            parts.front().first, edit::list(*loop->seen.alike), loop->seen.head, locals,
                            parts, loop->seen.copy);
        if (isOutermost && loop->seen.row)
          return edit::loop(
              loop->seen.fixed ? Form::CUI_FIXED_LOOP_BY_ROW : Form::CUI_LOOP_BY_ROW, parts.front().first,
              edit::rowShape(loop->seen.row->corners, loop->seen.row->declarations, loop->seen.row->guard) +
                  ", (" + edit::list(loop->seen.row->numbers.all()) + ")",
              loop->seen.head, locals, parts, loop->seen.copy);
        return edit::loop(loop->seen.fixed ? Form::CUI_FIXED_LOOP : Form::CUI_LOOP, parts.front().first,
                          std::nullopt, loop->seen.head, locals, parts, loop->seen.copy);
      });
    }
  }

  /// Without their members yet. What is in none has no `whole` any more.
  Groups groupsOf(std::vector<AccessFound>& accesses) {
    std::map<Span, std::vector<AccessFound*>> members;
    for (AccessFound& found : accesses) {
      std::optional<Span>& whole = found.first.whole;
      if (whole && lineOf(found.first.range.span).empty()) whole.reset();
      if (whole) members[*whole].push_back(&found);
    }
    // Before accesses that stay where they are only loads may be recorded: who writes comes last.
    for (const AccessFound& found : accesses) {
      const Span& place = found.first.range.use;
      if (found.first.whole || !found.first.site.reason.empty()) continue;
      auto around = members.upper_bound(Span{place.file, place.begin, ~0u});
      if (around == members.begin() || !contains((--around)->first, place)) continue;
      std::erase_if(around->second, [](AccessFound* member) {
        if (member->first.site.kind == sites::Kind::load) return false;
        member->first.whole.reset();
        return true;
      });
    }
    Groups groups;
    for (const Run& run : runsOf(members, accesses, loops_)) {
      if (run.size() > 1 && reserve(run.front().whole)) {
        groups.try_emplace(run.front().whole);
        for (const RunStep& step : run) fronts_[step.whole] = run.front().whole;
        continue;
      }
      for (const RunStep& step : run) {
        if (step.accesses.size() > 1 && reserve(step.whole))
          groups.try_emplace(step.whole);
        else
          for (AccessFound* member : step.accesses) member->first.whole.reset();
      }
    }
    return groups;
  }
  /// The full expression in front of which a full expression's accesses are recorded.
  Span frontOf(const Span& whole) const {
    const auto front = fronts_.find(whole);
    return front == fronts_.end() ? whole : front->second;
  }
  static bool contains(const Span& outer, const Span& inner) {
    return inner.file == outer.file && inner.begin >= outer.begin && inner.end <= outer.end;
  }

  /// Macros that turn an edited argument into text give the text without the edits.
  void addTexts() {
    for (const Span& text : texts_)
      if (reserve(text)) wrapLater(text, [] { return edit::open(Form::CUI_TEXT); });
    for (const Span& assertion : asserts_)
      if (reserve(assertion)) wrapLater(assertion, [] { return edit::open(Form::CUI_ASSERT); });
  }

  void addKernels() {
    for (const auto& [span, found] : findings_.kernels()) {
      std::vector<std::pair<Span, sites::KernelHandle>> uses;
      for (auto [use, kernel] : found.uses) {
        kernel.place = placeOf(found.uses.size() == 1 && found.name.located ? found.name.use : use);
        uses.emplace_back(use, result_.table.add(std::move(kernel)));
      }
      if (found.returns.reason.empty())
        insertLater(found.returns.span, 0, [] { return edit::marker(Form::CUI_LAUNCH_BOUNDS); });
      if (found.brace.reason.empty())
        insertLater(found.brace.span, 0,
                    [number = numberLater(uses), readOnly = found.readOnly, cluster = found.cluster] {
                      // First: a grid that was not launched so begins again.
                      std::string all;
                      if (cluster)
                        all = cluster->first == 0
                                  ? edit::statement(Form::CUI_CLUSTER, 0u)
                                  : edit::statement(Form::CUI_CLUSTER, cluster->first, cluster->second);
                      all += edit::statement(Form::CUI_KERNEL, number());
                      for (const unsigned parameter : readOnly)
                        all += edit::statement(Form::CUI_READ_ONLY, parameter);
                      return all;
                    });
    }
  }

  void addVariables() {
    for (const auto& [span, found] : findings_.variables()) {
      std::vector<std::pair<Span, sites::VariableHandle>> uses;
      for (auto [use, variable] : found.uses) {
        variable.place = placeOf(use);
        uses.emplace_back(use, result_.table.add(std::move(variable)));
      }
      const bool dynamic = found.variable.dynamic, shared = found.variable.space == sites::Space::shared;
      if (dynamic && found.declarator.reason.empty())
        insertLater(found.declarator.span, 0, [] { return edit::marker(Form::CUI_DYNAMIC_SHARED); });
      if (!shared) continue;
      const Form form = dynamic ? Form::CUI_SHARED_DYNAMIC : Form::CUI_SHARED;
      const std::function<std::string()> number = numberLater(uses);
      const Form here = found.spaces.empty() ? form : Form::CUI_SHARED_DYNAMIC_IN;
      const std::string spaces = found.spaces.empty() ? "" : found.spaces + ", ";
      if (found.semicolon.reason.empty() && found.spelled.reason.empty())
        insertLater(found.semicolon.span, 1, [here, number, name = spaces + textOf(found.spelled.span)] {
          return edit::statement(here, number(), name);
        });
      for (const auto& [place, kernel] : findings_.kernels())
        if (const auto used = kernel.fileShared.find(span); used != kernel.fileShared.end())
          insertLater(kernel.brace.span, 1,
                      [form, number, path = used->second] { return edit::statement(form, number(), path); });
    }
  }

  /// What is neither edited nor an access still gets a row that says so.
  void addSkipped(const Resolved& range, const std::string& function, const std::string& expression,
                  const std::string& reason) {
    sites::Site site;
    site.function = function;
    site.expression = expression;
    site.reason = reason;
    site.status = Status::skipped;
    site.macro = range.outermostMacro;
    setPlace(site, range.use);
    result_.table.add(std::move(site));
  }

  void addCalls() {
    for (const auto& [span, found] : findings_.calls()) {
      if (!found.name.reason.empty() || !reserve(found.name.span)) {
        addSkipped(found.name, found.call.function, found.call.api,
                   found.name.reason.empty() ? "its range overlaps another edit" : found.name.reason);
        continue;
      }
      keepTexts(found.name);
      std::vector<std::pair<Span, sites::CallHandle>> uses;
      for (const auto& [use, one] : found.uses) {
        sites::Call call = one;
        call.place = placeOf(use);
        uses.emplace_back(use, result_.table.add(std::move(call)));
      }
      if (!uses.empty()) {
        wrapLater(found.name.span,
                  [form = found.form, number = numberLater(uses)] { return edit::open(form, number()); });
        continue;
      }
      sites::Call call = found.call;
      call.place = placeOf(found.name.macro ? found.name.span : found.name.use);
      if (!found.name.macro) call.place = placeOf(found.name.span);
      const sites::CallHandle handle = result_.table.add(std::move(call));
      wrapLater(found.name.span,
                [this, form = found.form, handle] { return edit::open(form, result_.table.number(handle)); });
    }
  }

  void addVectors() {
    for (const auto& [span, found] : findings_.vectors()) {
      sites::Call call = found.call;
      call.place = placeOf(span);
      const sites::CallHandle handle = result_.table.add(std::move(call));
      insertLater(found.semicolon.span, 1, [this, handle, text = found.text] {
        return edit::statement(Form::CUI_VECTOR, result_.table.number(handle), text);
      });
    }
  }

  void addRespellings() {
    for (const auto& [span, found] : findings_.respellings()) {
      std::string reason = found.whole.reason;
      for (const auto& [form, part] : found.wraps)
        if (reason.empty() && !reserve(part)) reason = "its range overlaps another edit";
      if (!reason.empty()) {
        addSkipped(found.whole, found.function, found.written, reason);
        continue;
      }
      for (const auto& [form, part] : found.wraps)
        wrapLater(part, [form = form] { return edit::open(form); });
    }
  }

  /// Those of a warp need no record: what a warp does is in order. Analyses know skipped ones by the reason.
  void addBarriers() {
    for (const auto& [span, found] : findings_.barriers()) {
      if (found.meets == constructs::Meets::warp && found.reason.empty()) continue;
      if (!found.reason.empty() || !reserve(found.range.span)) {
        addSkipped(found.range, found.function, found.expression,
                   std::string(barrierReason) +
                       (found.reason.empty() ? "its range overlaps another edit" : found.reason));
        continue;
      }
      keepTexts(found.range);
      const Form form = found.meets == constructs::Meets::grid ? Form::CUI_GRID_BARRIER
                        : found.hasValue                       ? Form::CUI_BARRIER_VALUE
                                                               : Form::CUI_BARRIER;
      wrapLater(found.range.span, [form] { return edit::open(form); });
    }
  }

  static bool isIn(const Span& part, const Span& whole) {
    return part.file == whole.file && part.begin >= whole.begin && part.end <= whole.end;
  }

  /// Of the text that stands elsewhere than the launch.
  static bool isConfiguration(const constructs::LaunchFound& found, const Resolved& part) {
    return found.configuration.located && isIn(part.span, found.configuration.span);
  }

  static std::string whyNot(const constructs::LaunchFound& found) {
    const auto fits = [&](const Resolved& part) -> std::string {
      if (!part.reason.empty()) return part.reason;
      return isIn(part.span, found.whole.span) || isConfiguration(found, part) ? ""
                                                                               : "partly in a macro's text";
    };
    std::string reason = found.whole.reason;
    if (!found.hasBrackets()) return reason;
    if (reason.empty()) reason = fits(found.open);
    if (reason.empty()) reason = fits(found.close);
    for (const constructs::LaunchPart& part : found.arguments)
      if (reason.empty() && !part.open.empty()) reason = fits(part.range);
    return reason;
  }

  void addLaunches() {
    for (const auto& [span, found] : findings_.launches()) {
      std::string reason = whyNot(found);
      // What is in the body of a macro that several launches use is edited once.
      const bool shared = reason.empty() && found.configuration.located &&
                          !configurations_.insert(found.configuration.span).second;
      const auto edited = [&](const Resolved& part) { return shared && isConfiguration(found, part); };
      for (const auto& [range, open] : found.arguments)
        if (reason.empty() && !open.empty() && !edited(range) && !reserve(range.span))
          reason = "its range overlaps another edit";
      if (reason.empty() && !reserve(found.whole.span)) reason = "its range overlaps another edit";
      if (!reason.empty()) {
        addSkipped(found.whole, found.seen.launch.function,
                   found.written + (found.hasBrackets() ? "<<<>>>" : ""), reason);
        continue;
      }
      keepTexts(found.whole);
      std::vector<std::pair<Span, sites::LaunchHandle>> uses;
      for (const auto& [use, one] : found.uses) {
        sites::Launch launch = one.launch;
        launch.kernel = one.kernels.size() == 1 ? *one.kernels.begin() : found.written;
        if (one.kernelBases.size() == 1) launch.kernelBase = *one.kernelBases.begin();
        launch.place = placeOf(found.uses.size() == 1 ? found.whole.span : use);
        uses.emplace_back(use, result_.table.add(std::move(launch)));
      }
      for (const auto& [range, open] : found.arguments)
        if (!open.empty() && !edited(range)) wrapLater(range.span, [open = open] { return open; });
      const auto wrapWhole = [&] {
        wrapLater(found.whole.span,
                  [form = found.form, number = numberLater(uses)] { return edit::open(form, number()); });
      };
      if (!found.hasBrackets()) {
        wrapWhole();
        continue;
      }
      if (!shared) {
        wrapLater(found.open.span, [] { return edit::open(Form::CUI_LAUNCH_OPEN); });
        wrapLater(found.close.span, [] { return edit::open(Form::CUI_LAUNCH_CLOSE); });
      }
      wrapWhole();
    }
  }

  const constructs::Findings& findings_;
  const constructs::Preprocessing& preprocessing_;
  constructs::Sources& sources_;
  Emission result_;
  std::map<FileIndex, std::uint32_t> fileNumbers_;
  std::map<FileIndex, edit::EditPlan> probes_;
  std::vector<std::function<void()>> edits_;
  std::set<Span> texts_, asserts_;
  std::set<Span> configurations_;  ///< of launches, in macros' bodies
  LoopGroups loops_;
  std::map<Span, Span> fronts_;  ///< of full expressions that are recorded in front of others
  SameRows rows_;
};

}  // namespace

Emission emit(const constructs::Findings& findings, std::vector<AccessFound> accesses, LoopGroups loops,
              const constructs::Preprocessing& preprocessing, constructs::Sources& sources,
              FileIndex mainFile) {
  return Emitter(findings, preprocessing, sources, mainFile, std::move(loops)).run(std::move(accesses));
}

}  // namespace cui::driver
