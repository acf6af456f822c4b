#include "cli/compile/link_words.h"

namespace cui::cli {
namespace {

const Words systemLibraries = {"-lpthread", "-ldl", "-lm"};

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
  append(words, systemLibraries);
  return words;
}

/// The runtime's functions are called from our library as well, so what has them comes again behind it.
Words cpuLinkWords(const Installation& installation) {
  Words words = {installation.cpuLibrary, installation.cudaLibrary, installation.cpuLibrary};
  appendWraps(words);
  append(words, systemLibraries);
  return words;
}

}  // namespace cui::cli
