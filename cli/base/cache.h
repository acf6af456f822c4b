// Where what takes long to make, and can be made again at any time, is kept between commands.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace cui::cli {

/// $CUINSTRUMENT_CACHE, else $XDG_CACHE_HOME/cuinstrument, else ~/.cache/cuinstrument; made if it is not
/// there. Empty if there is no such folder, or we may not write in it.
std::filesystem::path cacheFolder();

/// The file or folder `path` in a cache, which `make` makes at the path it is given if it is not there.
/// Several processes may ask at once: one makes it, the others wait. Throws what `make` throws.
void makeOnce(const std::filesystem::path& path,
              const std::function<void(const std::filesystem::path&)>& make);

}  // namespace cui::cli
