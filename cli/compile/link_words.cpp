#include "cli/compile/link_words.h"

namespace cui::cli {
namespace {

void appendSystemLibraries(Words& words) {
  append(words, {"-lpthread", "-ldl", "-lm"});
}

/// Calls of code that was not rewritten go through our library, too.
void appendWraps(Words& words) {
#define CUI_LIBRARY_CALL(name) append(words, {"-Xlinker", "--wrap=" #name});
#include "cuinstrument/host/library_calls.def"
#undef CUI_LIBRARY_CALL
}

}  // namespace

Words cudaLinkWords(const Installation& installation) {
  Words words = {installation.cudaLibrary};
  appendWraps(words);
  appendSystemLibraries(words);
  return words;
}

/// The runtime's functions are called from our library as well, so what has them comes again behind it.
Words cpuLinkWords(const Installation& installation) {
  Words words = {installation.cpuLibrary, installation.cudaLibrary, installation.cpuLibrary};
  appendWraps(words);
  appendSystemLibraries(words);
  return words;
}

}  // namespace cui::cli
