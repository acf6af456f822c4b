#include "driver/emit.h"

#include <functional>
#include <set>
#include <utility>

#include "driver/emit_accesses.h"
#include "driver/numbered_edits.h"
#include "edit/forms.h"

namespace cui::driver {
namespace {

using constructs::AccessFound;
using constructs::FileIndex;
using constructs::Resolved;
using constructs::Span;
using edit::Form;
using sites::Status;

/// What is found besides accesses. Must live until the edits are spelled.
class FindingEmitter {
 public:
  FindingEmitter(const constructs::Findings& findings, NumberedEdits& to) : findings_(findings), to_(to) {}

  void add() {
    addKernels();
    addVariables();
    addCalls();
    addVectors();
    addLaunches();
    addRespellings();
    addBarriers();
  }

 private:
  void addKernels() {
    for (const auto& [span, found] : findings_.kernels()) {
      std::vector<std::pair<Span, sites::KernelHandle>> uses;
      for (auto [use, kernel] : found.uses) {
        kernel.place = to_.placeOf(found.uses.size() == 1 && found.name.located ? found.name.use : use);
        uses.emplace_back(use, to_.table().add(std::move(kernel)));
      }
      if (found.returns.reason.empty())
        to_.insertLater(found.returns.span, 0, [] { return edit::marker(Form::CUI_LAUNCH_BOUNDS); });
      if (found.brace.reason.empty())
        to_.insertLater(found.brace.span, 0,
                        [number = to_.numberLater(uses), readOnly = found.readOnly, cluster = found.cluster] {
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
        variable.place = to_.placeOf(use);
        uses.emplace_back(use, to_.table().add(std::move(variable)));
      }
      const bool dynamic = found.variable.dynamic, shared = found.variable.space == sites::Space::shared;
      if (dynamic && found.declarator.reason.empty())
        to_.insertLater(found.declarator.span, 0, [] { return edit::marker(Form::CUI_DYNAMIC_SHARED); });
      if (!shared) continue;
      const Form form = dynamic ? Form::CUI_SHARED_DYNAMIC : Form::CUI_SHARED;
      const std::function<std::string()> number = to_.numberLater(uses);
      const Form here = found.spaces.empty() ? form : Form::CUI_SHARED_DYNAMIC_IN;
      const std::string spaces = found.spaces.empty() ? "" : found.spaces + ", ";
      if (found.semicolon.reason.empty() && found.spelled.reason.empty())
        to_.insertLater(found.semicolon.span, 1,
                        [here, number, name = spaces + to_.textOf(found.spelled.span)] {
                          return edit::statement(here, number(), name);
                        });
      for (const auto& [place, kernel] : findings_.kernels())
        if (const auto used = kernel.fileShared.find(span); used != kernel.fileShared.end())
          to_.insertLater(kernel.brace.span, 1, [form, number, path = used->second] {
            return edit::statement(form, number(), path);
          });
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
    to_.setPlace(site, range.use);
    to_.table().add(std::move(site));
  }

  void addCalls() {
    for (const auto& [span, found] : findings_.calls()) {
      if (!found.name.reason.empty() || !to_.reserve(found.name.span)) {
        addSkipped(found.name, found.call.function, found.call.api,
                   found.name.reason.empty() ? "its range overlaps another edit" : found.name.reason);
        continue;
      }
      to_.keepTexts(found.name);
      std::vector<std::pair<Span, sites::CallHandle>> uses;
      for (const auto& [use, one] : found.uses) {
        sites::Call call = one;
        call.place = to_.placeOf(use);
        uses.emplace_back(use, to_.table().add(std::move(call)));
      }
      if (!uses.empty()) {
        to_.wrapLater(found.name.span, [form = found.form, number = to_.numberLater(uses)] {
          return edit::open(form, number());
        });
        continue;
      }
      sites::Call call = found.call;
      call.place = to_.placeOf(found.name.macro ? found.name.span : found.name.use);
      if (!found.name.macro) call.place = to_.placeOf(found.name.span);
      const sites::CallHandle handle = to_.table().add(std::move(call));
      to_.wrapLater(found.name.span, [this, form = found.form, handle] {
        return edit::open(form, to_.table().number(handle));
      });
    }
  }

  void addVectors() {
    for (const auto& [span, found] : findings_.vectors()) {
      sites::Call call = found.call;
      call.place = to_.placeOf(span);
      const sites::CallHandle handle = to_.table().add(std::move(call));
      to_.insertLater(found.semicolon.span, 1, [this, handle, text = found.text] {
        return edit::statement(Form::CUI_VECTOR, to_.table().number(handle), text);
      });
    }
  }

  void addRespellings() {
    for (const auto& [span, found] : findings_.respellings()) {
      std::string reason = found.whole.reason;
      for (const auto& [form, part] : found.wraps)
        if (reason.empty() && !to_.reserve(part)) reason = "its range overlaps another edit";
      if (!reason.empty()) {
        addSkipped(found.whole, found.function, found.written, reason);
        continue;
      }
      for (const auto& [form, part] : found.wraps)
        to_.wrapLater(part, [form = form] { return edit::open(form); });
    }
  }

  /// Those of a warp need no record: what a warp does is in order. Analyses know skipped ones by the reason.
  void addBarriers() {
    for (const auto& [span, found] : findings_.barriers()) {
      if (found.meets == constructs::Meets::warp && found.reason.empty()) continue;
      if (!found.reason.empty() || !to_.reserve(found.range.span)) {
        addSkipped(found.range, found.function, found.expression,
                   std::string(barrierReason) +
                       (found.reason.empty() ? "its range overlaps another edit" : found.reason));
        continue;
      }
      to_.keepTexts(found.range);
      const Form form = found.meets == constructs::Meets::grid ? Form::CUI_GRID_BARRIER
                        : found.hasValue                       ? Form::CUI_BARRIER_VALUE
                                                               : Form::CUI_BARRIER;
      to_.wrapLater(found.range.span, [form] { return edit::open(form); });
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

  using LaunchesOfLine = std::map<unsigned, constructs::LaunchUse>::const_iterator;

  /// What may run from the row that a line's number says: several uses of a macro may be on one, in several
  /// files, too. No kernel: one that a variable holds.
  std::map<unsigned, constructs::LaunchUse> onLines(const constructs::LaunchFound& found) const {
    std::map<unsigned, constructs::LaunchUse> lines;
    for (const auto& [use, one] : found.uses) {
      const auto [first, last] = to_.linesOf(use);
      for (unsigned line = first; line <= last; ++line) {
        const auto [here, fresh] = lines.try_emplace(line, one);
        if (!fresh) here->second = together(here->second, one);
      }
    }
    return lines;
  }
  static constructs::LaunchUse together(constructs::LaunchUse one, const constructs::LaunchUse& other) {
    const bool known = !one.kernelBases.empty() && !other.kernelBases.empty();
    one.kernels.insert(other.kernels.begin(), other.kernels.end());
    one.kernelBases.insert(other.kernelBases.begin(), other.kernelBases.end());
    if (!known) {
      one.kernels.clear();
      one.kernelBases.clear();
    }
    return one;
  }
  static constructs::LaunchUse together(LaunchesOfLine line, LaunchesOfLine end) {
    constructs::LaunchUse result = line->second;
    while (++line != end) result = together(std::move(result), line->second);
    return result;
  }

  void addLaunches() {
    for (const auto& [span, found] : findings_.launches()) {
      std::string reason = whyNot(found);
      // What is in the body of a macro that several launches use is edited once.
      const bool shared = reason.empty() && found.configuration.located &&
                          !configurations_.insert(found.configuration.span).second;
      const auto edited = [&](const Resolved& part) { return shared && isConfiguration(found, part); };
      for (const auto& [range, open] : found.arguments)
        if (reason.empty() && !open.empty() && !edited(range) && !to_.reserve(range.span))
          reason = "its range overlaps another edit";
      if (reason.empty() && !to_.reserve(found.whole.span)) reason = "its range overlaps another edit";
      if (!reason.empty()) {
        addSkipped(found.whole, found.seen.launch.function,
                   found.written + (found.hasBrackets() ? "<<<>>>" : ""), reason);
        continue;
      }
      to_.keepTexts(found.whole);
      std::vector<std::pair<Span, sites::LaunchHandle>> uses;
      const std::map<unsigned, constructs::LaunchUse> lines = onLines(found);
      for (const auto& [use, one] : found.uses) {
        sites::Launch launch = one.launch;
        const auto [first, last] = to_.linesOf(use);
        const constructs::LaunchUse here = together(lines.lower_bound(first), lines.upper_bound(last));
        if (here.kernelBases.size() == 1) launch.kernelBase = *here.kernelBases.begin();
        const bool several = here.kernels.size() > one.kernels.size();
        launch.kernel = here.kernels.size() == 1                ? *here.kernels.begin()
                        : several && !launch.kernelBase.empty() ? launch.kernelBase
                                                                : found.written;
        launch.place = to_.placeOf(found.uses.size() == 1 ? found.whole.span : use);
        uses.emplace_back(use, to_.table().add(std::move(launch)));
      }
      for (const auto& [range, open] : found.arguments)
        if (!open.empty() && !edited(range)) to_.wrapLater(range.span, [open = open] { return open; });
      const auto wrapWhole = [&] {
        to_.wrapLater(found.whole.span, [form = found.form, number = to_.numberLater(uses)] {
          return edit::open(form, number());
        });
      };
      if (!found.hasBrackets()) {
        wrapWhole();
        continue;
      }
      if (!shared) {
        to_.wrapLater(found.open.span, [] { return edit::open(Form::CUI_LAUNCH_OPEN); });
        to_.wrapLater(found.close.span, [] { return edit::open(Form::CUI_LAUNCH_CLOSE); });
      }
      wrapWhole();
    }
  }

  const constructs::Findings& findings_;
  NumberedEdits& to_;
  std::set<Span> configurations_;  ///< of launches, in macros' bodies
};

}  // namespace

Emission emit(const constructs::Findings& findings, std::vector<AccessFound> accesses, LoopGroups loops,
              const constructs::Preprocessing& preprocessing, constructs::Sources& sources,
              FileIndex mainFile) {
  NumberedEdits edits(preprocessing, sources, mainFile);
  AccessEmitter ofAccesses(edits, std::move(loops));
  FindingEmitter ofOthers(findings, edits);
  ofAccesses.add(std::move(accesses));
  ofOthers.add();
  edits.addTexts();
  ofAccesses.addRows();
  return edits.finish();
}

}  // namespace cui::driver
