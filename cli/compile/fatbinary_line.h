// What of fatbinary's line names files, and what our fatbinary makes of them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "cli/base/words.h"
#include "cli/compile/linking_toolchain.h"

namespace cui::cli {

class FatbinaryLine {
 public:
  /// `folder`: where files can be that live as long.
  FatbinaryLine(const Words& words, const std::filesystem::path& folder);

  /// Completes PTX with the recorder: a driver compiles it for other GPUs. Throws Error.
  void completeText(const LinkingToolchain& toolchain);

  /// Machine code as well as PTX, unless the program says otherwise: the recorder's is larger than most
  /// programs', and the host compiler reads it as text, which takes it longer than compression.
  void compress();

  /// Whether what is embedded is to have code without the recorder beside it.
  bool hasPlainImages() const { return hasPlain_ && !embedded_.empty(); }

  /// Has the unit register the kernels without the recorder that are in all images.
  void registerKernels(const LinkingToolchain& toolchain) const;

  const Words& words() const { return words_; }
  const Words& plainWords() const { return plainWords_; }

  /// Puts the images without the recorder, which have been made, beside the others.
  void join() const;

 private:
  bool limitFunctions();
  bool hasRecorder() const;
  std::filesystem::path plainEmbedded() const { return folder_ / "plain.fatbin.c"; }

  Words words_, plainWords_;  ///< and those for the images without the recorder
  std::filesystem::path folder_;
  std::string embedded_;  ///< the C file, if there is one
  bool relocatable_ = false, hasPlain_ = false, saysCompression_ = false;
};

}  // namespace cui::cli
