#include "driver/emit.h"

#include <clang/Basic/CharInfo.h>

#include <functional>

#include "edit/forms.h"

namespace cui::driver {
namespace {

using constructs::AccessFound;
using constructs::FileIndex;
using constructs::Resolved;
using constructs::Span;
using edit::Form;
using sites::Status;

Form macroForm(Form form) {
  switch (form) {
    case Form::CUI_LOAD:
      return Form::CUI_MACRO_LOAD;
    case Form::CUI_STORE:
      return Form::CUI_MACRO_STORE;
    case Form::CUI_POINTER:
      return Form::CUI_MACRO_POINTER;
    default:
      return Form::CUI_MACRO_ACCESS;
  }
}

bool isWord(char c) {
  return clang::isAsciiIdentifierContinue(static_cast<unsigned char>(c));
}

class Emitter {
 public:
  Emitter(const constructs::Findings& findings, const constructs::Preprocessing& preprocessing,
          constructs::Sources& sources, FileIndex mainFile)
      : findings_(findings), preprocessing_(preprocessing), sources_(sources) {
    fileNumber(mainFile);
    result_.table.setRewriterVersion(CUI_VERSION);
  }

  Emission run() {
    addAccesses();
    addKernels();
    addVariables();
    addCalls();
    addLaunches();
    result_.table.finalize();
    for (auto& spell : edits_) spell();
    for (auto place = result_.plans.begin(); place != result_.plans.end();)
      place = place->second.empty() ? result_.plans.erase(place) : std::next(place);
    return std::move(result_);
  }

 private:
  std::uint32_t fileNumber(FileIndex index) {
    const constructs::SourceFile& file = sources_.file(index);
    return result_.table.addFile(
        {file.path, file.absolute, sites::textHash(std::string_view(file.text.data(), file.text.size()))});
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

  edit::EditPlan& plan(std::map<FileIndex, edit::EditPlan>& plans, FileIndex index) {
    const llvm::StringRef text = sources_.file(index).text;
    return plans.try_emplace(index, text.str()).first->second;
  }

  /// Text is only known once everything is numbered, but whether ranges nest must be known before: so each
  /// wrap is tried on a copy first and spelled later, in the same order.
  bool reserve(const Span& span) {
    const llvm::StringRef text = sources_.file(span.file).text;
    // `return*p`: what is put before the star would grow together with the keyword.
    if (span.begin > 0 && isWord(text[span.begin - 1]) && !isWord(text[span.begin])) return false;
    return plan(probes_, span.file).wrap(span.begin, span.end, "", "");
  }
  void wrapLater(const Span& span, std::function<std::string()> open) {
    edits_.push_back([this, span, open = std::move(open)] {
      plan(result_.plans, span.file).wrap(span.begin, span.end, open(), std::string(edit::close));
    });
  }
  void insertLater(const Span& token, int order, std::function<std::string()> text) {
    edits_.push_back([this, token, order, text = std::move(text)] {
      plan(result_.plans, token.file).insert(token.end, text(), order);
    });
  }

  /// A statement with a number can be in a macro's body only if it is expanded once.
  bool insertable(const Resolved& range) const {
    if (!range.reason.empty()) return false;
    if (!range.macro) return true;
    const auto expansions = preprocessing_.expansions.find(range.macro);
    return expansions != preprocessing_.expansions.end() && expansions->second.size() == 1;
  }

  void addAccesses() {
    std::vector<AccessFound> accesses = findings_.accesses();
    for (AccessFound& found : accesses) {
      sites::Site& site = found.first.site;
      if (site.reason.empty() && !reserve(found.first.range.span))
        site.reason = "its range overlaps another edit";
      if (found.types.size() > 1) {
        site.type.clear();
        for (const std::string& type : found.types) site.type += (site.type.empty() ? "" : " | ") + type;
      }
      const bool skipped = !site.reason.empty();
      const auto complete = [&](sites::Site& one) {
        one.reason = site.reason;
        one.status = skipped ? Status::skipped : Status::instrumented;
        one.macro = found.first.range.outermostMacro;
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
      const Form form = inMacro ? macroForm(found.first.form) : found.first.form;
      wrapLater(found.first.range.span,
                [this, form, handle] { return edit::open(form, result_.table.number(handle)); });
    }
  }

  void addKernels() {
    for (const auto& [span, found] : findings_.kernels()) {
      sites::Kernel kernel = found.kernel;
      kernel.place = placeOf(found.name.located ? found.name.use : found.brace.use);
      const sites::KernelHandle handle = result_.table.add(std::move(kernel));
      if (insertable(found.brace))
        insertLater(found.brace.span, 0, [this, handle] {
          return edit::statement(Form::CUI_KERNEL, result_.table.number(handle));
        });
    }
  }

  void addVariables() {
    for (const auto& [span, found] : findings_.variables()) {
      sites::Variable variable = found.variable;
      variable.place = placeOf(found.name.use);
      const bool dynamic = variable.dynamic, shared = variable.space == sites::Space::shared;
      const std::string name = variable.name;
      const sites::VariableHandle handle = result_.table.add(std::move(variable));
      if (dynamic && found.declarator.reason.empty())
        insertLater(found.declarator.span, 0, [] { return edit::marker(Form::CUI_DYNAMIC_SHARED); });
      if (shared && insertable(found.semicolon))
        insertLater(found.semicolon.span, 1, [this, handle, name, dynamic] {
          return edit::statement(dynamic ? Form::CUI_SHARED_DYNAMIC : Form::CUI_SHARED,
                                 result_.table.number(handle), name);
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
      sites::Call call = found.call;
      call.place = placeOf(found.name.macro ? found.name.span : found.name.use);
      if (!found.name.macro) call.place = placeOf(found.name.span);
      const sites::CallHandle handle = result_.table.add(std::move(call));
      wrapLater(found.name.span,
                [this, handle] { return edit::open(Form::CUI_API, result_.table.number(handle)); });
    }
  }

  static std::string whyNot(const constructs::LaunchFound& found) {
    const auto fits = [&](const Resolved& part) -> std::string {
      if (!part.reason.empty()) return part.reason;
      const Span& whole = found.whole.span;
      return part.span.file == whole.file && part.span.begin >= whole.begin && part.span.end <= whole.end
                 ? ""
                 : "partly in a macro's text";
    };
    std::string reason = found.whole.reason;
    if (reason.empty()) reason = fits(found.open);
    if (reason.empty()) reason = fits(found.close);
    for (const auto& [form, range] : found.arguments)
      if (reason.empty()) reason = fits(range);
    return reason;
  }

  void addLaunches() {
    for (const auto& [span, found] : findings_.launches()) {
      std::string reason = whyNot(found);
      for (const auto& [form, range] : found.arguments)
        if (reason.empty() && !reserve(range.span)) reason = "its range overlaps another edit";
      if (reason.empty() && !reserve(found.whole.span)) reason = "its range overlaps another edit";
      if (!reason.empty()) {
        addSkipped(found.whole, found.launch.function, found.written + "<<<>>>", reason);
        continue;
      }
      sites::Launch launch = found.launch;
      launch.kernel = found.kernels.size() == 1 ? *found.kernels.begin() : found.written;
      launch.place = placeOf(found.whole.span);
      const sites::LaunchHandle handle = result_.table.add(std::move(launch));
      for (const auto& [form, range] : found.arguments)
        wrapLater(range.span, [form = form] { return edit::open(form); });
      wrapLater(found.open.span, [] { return edit::open(Form::CUI_LAUNCH_OPEN); });
      wrapLater(found.close.span, [] { return edit::open(Form::CUI_LAUNCH_CLOSE); });
      wrapLater(found.whole.span,
                [this, handle] { return edit::open(Form::CUI_LAUNCH, result_.table.number(handle)); });
    }
  }

  const constructs::Findings& findings_;
  const constructs::Preprocessing& preprocessing_;
  constructs::Sources& sources_;
  Emission result_;
  std::map<FileIndex, edit::EditPlan> probes_;
  std::vector<std::function<void()>> edits_;
};

}  // namespace

Emission emit(const constructs::Findings& findings, const constructs::Preprocessing& preprocessing,
              constructs::Sources& sources, FileIndex mainFile) {
  return Emitter(findings, preprocessing, sources, mainFile).run();
}

}  // namespace cui::driver
