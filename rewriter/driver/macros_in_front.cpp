#include "driver/macros_in_front.h"

#include <array>
#include <cctype>
#include <string_view>

#include <clang/Basic/IdentifierTable.h>
#include <clang/Basic/LangOptions.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/MacroInfo.h>

#include "edit/strip.h"

namespace cui::driver {
namespace {

/// What the system's headers and the toolkit's ask for, which ours include: they are configured by it.
bool isSetting(std::string_view name) {
  constexpr std::array<std::string_view, 7> prefixes = {"_",     "CUI_",    "CUDA", "CUB_",
                                                        "CCCL_", "THRUST_", "NV_"};
  if (name == "NDEBUG") return true;
  for (const std::string_view prefix : prefixes)
    if (name.starts_with(prefix)) return true;
  return false;
}

/// Whether that file is there because the command line names it, or one that includes it.
bool isInFront(clang::FileID file, const clang::SourceManager& manager) {
  for (clang::SourceLocation include; file != manager.getMainFileID();
       file = manager.getFileID(manager.getExpansionLoc(include))) {
    include = manager.getIncludeLoc(file);
    if (include.isInvalid()) return true;
  }
  return false;
}

}  // namespace

std::set<std::string> macrosInFront(const CompileFlags& flags, const constructs::Preprocessing& preprocessing,
                                    constructs::Sources& sources) {
  std::set<std::string> names;
  const auto add = [&](const std::string& name) {
    if (!name.empty() && !isSetting(name)) names.insert(name);
  };
  for (std::size_t i = 0; i + 1 < flags.clang.size(); ++i)
    if (flags.clang[i] == "-D") {
      const std::string& definition = flags.clang[++i];
      std::size_t end = 0;
      while (end < definition.size() &&
             (std::isalnum(static_cast<unsigned char>(definition[end])) || definition[end] == '_'))
        ++end;
      add(definition.substr(0, end));
    }
  const clang::SourceManager& manager = *preprocessing.manager;
  for (const auto& [macro, name] : preprocessing.names) {
    const clang::FileID file = manager.getFileID(macro->getDefinitionLoc());
    constructs::FileIndex index = 0;
    if (manager.getFileEntryRefForID(file) && isInFront(file, manager) && sources.find(file, index) &&
        sources.file(index).user)
      add(name);
  }
  return names;
}

std::string setAside(const std::set<std::string>& macros) {
  std::string lines;
  for (const std::string& name : macros)
    lines += std::string(edit::pushMacro) + name + "\")\n" + std::string(edit::undefineMacro) + name + "\n";
  return lines;
}

std::string bringBack(const std::set<std::string>& macros) {
  std::string lines;
  for (const std::string& name : macros) lines += "#pragma pop_macro(\"" + name + "\")\n";
  return lines;
}

std::string withoutKeywords(const constructs::Preprocessing& preprocessing) {
  clang::LangOptions language;
  language.CPlusPlus = language.CPlusPlus11 = language.Bool = true;
  const clang::IdentifierTable words(language);
  std::set<std::string> keywords;
  for (const auto& [macro, name] : preprocessing.names)
    if (const auto word = words.find(name);
        !name.starts_with('_') && word != words.end() && word->second->isKeyword(language))
      keywords.insert(name);
  std::string lines;
  for (const std::string& name : keywords) lines.append(edit::undefineMacro).append(name).push_back('\n');
  return lines;
}

}  // namespace cui::driver
