// Where our own parts are.
#include "cli/base/installation.h"

#include <cstdlib>

#include "cli/base/errors.h"

namespace cui::cli {

Installation findInstallation() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) throw Error(ExitCode::internal, "cannot find this program's own path: " + error.message());
  // CUI_*_FROM_BIN are relative: the installed tree may be moved.
  const std::filesystem::path bin = self.parent_path();
  Installation found;
  const char* rewriter = std::getenv("CUINSTRUMENT_REWRITER");
  found.rewriter = rewriter && *rewriter ? std::filesystem::path(rewriter) : bin / "cuinstrument-rewrite";
  found.include = (bin / CUI_INCLUDE_FROM_BIN).lexically_normal();
  found.cpuToolkit = found.include / "cuinstrument/backend/cpu/toolkit";
  const std::filesystem::path libraries = (bin / CUI_LIB_FROM_BIN).lexically_normal();
  found.cudaLibrary = libraries / "libcuinstrument.a";
  found.cpuLibrary = libraries / "libcuinstrument_cpu.a";
  found.makefile = (bin / CUI_SHARE_FROM_BIN / "cuinstrument.mk").lexically_normal();
  found.prefix = std::filesystem::weakly_canonical(bin / CUI_PREFIX_FROM_BIN);
  return found;
}

}  // namespace cui::cli
