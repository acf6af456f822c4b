#include "cli/compile/link_words.h"

namespace cui::cli {
namespace {

void appendSystemLibraries(Words& words) {
  append(words, {"-lpthread", "-ldl", "-lm"});
}

void appendWrap(Words& words, const char* name) {
  append(words, {"-Xlinker", std::string("--wrap=") + name});
}

/// Calls of code that was not rewritten go through our library, too.
void appendCallWraps(Words& words) {
#define CUI_LIBRARY_CALL(name) appendWrap(words, #name);
#define CUI_LIBRARY_LAUNCH(name)
#include "cuinstrument/host/library_calls.def"
#undef CUI_LIBRARY_LAUNCH
#undef CUI_LIBRARY_CALL
}

/// So do its launches.
void appendLaunchWraps(Words& words) {
#define CUI_LIBRARY_CALL(name)
#define CUI_LIBRARY_LAUNCH(name) appendWrap(words, #name);
#include "cuinstrument/host/library_calls.def"
#undef CUI_LIBRARY_LAUNCH
#undef CUI_LIBRARY_CALL
}

Words whole(const Words& libraries) {
  Words words = {"-Xlinker", "--push-state", "-Xlinker", "--whole-archive"};
  append(words, libraries);
  append(words, {"-Xlinker", "--pop-state"});
  return words;
}

}  // namespace

Words cudaLinkWords(const Installation& installation, Taken taken) {
  Words words = {installation.cudaLibrary};
  if (taken == Taken::whole) words = whole(words);
  appendCallWraps(words);
  appendLaunchWraps(words);
  appendSystemLibraries(words);
  return words;
}

/// The runtime's functions are called from our library as well, so what has them comes again behind it.
Words cpuLinkWords(const Installation& installation, Taken taken) {
  Words words = {installation.cpuLibrary, installation.cudaLibrary};
  if (taken == Taken::whole)
    words = whole(words);
  else
    words.push_back(installation.cpuLibrary);
  appendCallWraps(words);
  appendSystemLibraries(words);
  return words;
}

}  // namespace cui::cli
