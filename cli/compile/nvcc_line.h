// An nvcc (or g++-like) command line taken apart: which word is an option, its value, or an input file.
// Words of option files (--options-file, -optf, @file) count as if they stood on the line.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cui::cli {

enum class NvccOption {
#define CUI_NVCC_OPTION(id, longName, shortName, value, cpu) id,
#include "cli/compile/nvcc_options.def"
  input,    ///< a word that is no option
  unknown,  ///< an option nvcc does not know; it forwards it or refuses it
};

/// What the host compiler's line for the CPU backend gets; see nvcc_options.def.
enum class CpuUse { keep, list, drop, unpack, own, refuse };
CpuUse cpuUse(NvccOption option);
/// "--device-link" for messages, the short spelling "-dlink" for g++-like lines.
std::string longSpelling(NvccOption option);
std::string shortSpelling(NvccOption option);

/// Where words come from: source 0 is the command line, the others are option files.
struct WordSource {
  std::string path;  ///< of the option file
  std::string text;  ///< its contents
  struct Word {
    std::string text;
    std::size_t begin = 0, end = 0;  ///< in the file's text
  };
  std::vector<Word> words;
};

struct NvccArgument {
  NvccOption option = NvccOption::input;
  std::string value;         ///< the option's value, the input's path, or the unknown option as it stands
  std::size_t source = 0;    ///< index into NvccLine::sources()
  std::size_t word = 0;      ///< first word in the source
  std::size_t words = 1;     ///< 2 where the value is a word of its own
  bool opensSource = false;  ///< an option file
  std::vector<std::size_t> opened;  ///< the sources it opened
};

class NvccLine {
 public:
  /// nvcc: nvcc's own rules. gnu: g++ options that take a value are known too (`-MQ t`, `-o` joined, …).
  enum class Dialect { nvcc, gnu };

  /// Throws Error (usage) for an option file that cannot be read or an option without its value.
  explicit NvccLine(const std::vector<std::string>& words, Dialect dialect = Dialect::nvcc);

  const std::vector<NvccArgument>& arguments() const { return arguments_; }
  const std::vector<WordSource>& sources() const { return sources_; }
  bool has(NvccOption option) const;
  /// The last value given; nvcc lets the last one win.
  std::optional<std::string> value(NvccOption option) const;
  std::vector<std::string> values(NvccOption option) const;
  /// Every word, option files opened in place.
  std::vector<std::string> expanded() const;

  /// The line with other input files: `replacements` maps indices into arguments() to paths. Option files
  /// that name one are copied into `directory` with only that word changed. `without`: an option that is left
  /// out, there too.
  std::vector<std::string> withInputs(const std::map<std::size_t, std::string>& replacements,
                                      const std::filesystem::path& directory,
                                      NvccOption without = NvccOption::unknown) const;

 private:
  void parse(std::size_t source, int depth);
  std::size_t openOptionFile(const std::string& path, bool ofHostCompiler);
  std::vector<std::string> wordsOf(const NvccArgument& argument) const;

  Dialect dialect_;
  std::vector<WordSource> sources_;
  std::vector<NvccArgument> arguments_;
};

/// Splits nvcc's comma lists; commas inside double quotes do not separate, the quotes stay.
std::vector<std::string> splitList(std::string_view list, std::string_view separators = ",");

/// A line's words as a shell has them: white space separates, quotes group and go, a backslash protects a
/// quote, a space or a backslash.
std::vector<std::string> splitWords(const std::string& text);

/// The language standard to compile the instrumented form of a source in that asks for `standard`: our
/// headers need C++14, and what is older (c++11, gnu++98, …) means the same there, or is rejected.
std::string raisedStandard(const std::string& standard);

/// What decides how the sources parse, in the rewriter's spelling: -I -D -U -isystem -include -std -arch …
std::vector<std::string> parsingFlags(const NvccLine& line);

/// Does nvcc compile this input as CUDA? `language` is the value of -x.
bool isCudaInput(std::string_view path, const std::optional<std::string>& language);
/// C and C++ sources, CUDA or not.
bool isSourceInput(std::string_view path);
/// What `nvcc --run` takes for a program that is there already: by its name, nothing that it compiles or
/// links.
bool isRunInput(std::string_view path);

}  // namespace cui::cli
