#include "driver/library_files.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/MemoryBuffer.h>

#include <iterator>

#include "constructs/clang_version.h"
#include "driver/constant_members.h"
#include "driver/other_words.h"
#include "driver/template_words.h"

namespace cui::driver {
namespace {

constexpr const char* compatibilityText =
#include "driver/compatibility.inc"
    ;

/// What Clang's wrapper finds as "cuda.h", which nvcc includes only if asked: it brings <stdint.h>, whose
/// names some programs declare otherwise, and a user's header of that name is not it. The wrapper needs two
/// things of it.
std::string driverHeader(const Toolchain& toolchain) {
  return "#ifdef CUI_COMPATIBILITY_WRAPPED\n"
         "#include \"" +
         toolchain.cudaPath +
         "/include/cuda.h\"\n"
         "#else\n"
         "#define CUDA_VERSION (CUI_COMPATIBILITY_MAJOR * 1000 + CUI_COMPATIBILITY_MINOR * 10)\n"
         "typedef __UINT32_TYPE__ cuuint32_t;\n"
         "#endif\n";
}

/// GCC's own defines it for C++, too, whatever the standard; Clang's does where it is a GNU one.
constexpr const char* booleanHeader =
    "#include_next <stdbool.h>\n"
    "#undef _Bool\n"
    "#define _Bool bool\n";

/// What headers that nvcc does not read unasked call parameters and variables, and no other: the command line
/// may have macros of these names (-DN=1024).
constexpr const char* namesUnasked[] = {"N", "V", "Y"};

/// As if none of these were defined.
std::string without(const std::vector<const char*>& macros, const std::string& text) {
  std::string setAside, broughtBack;
  for (const char* macro : macros) {
    setAside.append("#pragma push_macro(\"").append(macro).append("\")\n#undef ").append(macro).append("\n");
    broughtBack.append("#pragma pop_macro(\"").append(macro).append("\")\n");
  }
  return setAside + text + broughtBack;
}

/// The toolkit's headers of random numbers that have macros with names of programs'. Clang's wrapper includes
/// one, nvcc only who asks: behind the wrapper these names are what the command line says of them, and here
/// the headers' own again, which included once more say nothing themselves.
constexpr const char* mtgpHeaderNames[] = {"curand_kernel.h", "curand_mtgp32.h", "curand_mtgp32_host.h",
                                           "curand_mtgp32_kernel.h"};
/// `vectors`: the wrapper's macros that make `dim3` and `uint3` there what `blockDim` and `threadIdx` are of
/// are wrong.
std::string mtgpHeader(const std::string& name, bool vectors) {
  const std::string header = "#include_next <" + name + ">\n";
  std::vector<const char*> macros = {"MEXP", "THREAD_NUM", "LARGE_SIZE", "TBL_SIZE", "QUALIFIERS"};
  macros.insert(macros.end(), std::begin(namesUnasked), std::end(namesUnasked));
  if (vectors) macros.insert(macros.end(), {"dim3", "uint3"});
  return "#ifdef CUI_COMPATIBILITY_WRAPPED\n"
         "#define MEXP 11213\n"
         "#define THREAD_NUM MTGPDC_FLOOR_2P\n"
         "#define LARGE_SIZE (THREAD_NUM * 3)\n"
         "#define TBL_SIZE 16\n" +
         header + "#else\n" + without(macros, header) + "#endif\n";
}

/// Clang's header of textures, which nvcc has no like of.
std::string textureHeader(const std::string& path) {
  const auto file = llvm::MemoryBuffer::getFile(path);
  return file ? without({std::begin(namesUnasked), std::end(namesUnasked)}, (*file)->getBuffer().str()) : "";
}

void replaceAll(std::string& text, const std::string& old, const std::string& now) {
  for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += now.size())
    text.replace(at, old.size(), now);
}

/// Those that ask for <memory.h>, where a folder of the program's may have another: nvcc does not read them
/// unasked. What they want of it is the system's <string.h>.
constexpr const char* memoryUserNames[] = {"curand_mtgp32_host.h", "curand_mtgp32_kernel.h"};
std::string withoutMemoryHeader(const std::string& path) {
  const auto file = llvm::MemoryBuffer::getFile(path);
  std::string text = file ? (*file)->getBuffer().str() : "";
  replaceAll(text, "#include <memory.h>", "#include <string.h>");
  return text;
}

/// Clang's wrapper of the toolkit's headers, whose `std::malloc` and `std::free` are functions beside the
/// global ones: where a program says `using namespace std;` a call finds both.
std::string wrapperHeader(const std::string& path) {
  const auto file = llvm::MemoryBuffer::getFile(path);
  std::string text = file ? (*file)->getBuffer().str() : "";
  replaceAll(text, "__device__ static inline void free(void *__ptr) { ::free(__ptr); }", "using ::free;");
  replaceAll(text, "__device__ static inline void *malloc(size_t __size) {\n  return ::malloc(__size);\n}",
             "using ::malloc;\n\n");
  return text;
}

/// Clang's header of `threadIdx` and its kin, whose copies it forbids and nvcc does not; "" if it has none.
/// Unless the program's templates and operators want nvcc's types they keep Clang's, of which the constructs
/// know each coordinate.
std::string indexHeader(const std::string& path, const IndexWishes& wishes) {
  const auto file = llvm::MemoryBuffer::getFile(path);
  std::string text = file ? (*file)->getBuffer().str() : "";
  replaceAll(text, "=delete", "");
  replaceAll(text, "private:", "public:");
  if (wishes.declaredWarpSize) replaceAll(text, "const int warpSize = 32", "extern const int warpSize");
  if (wishes.vectors)
    for (const char* name : {"threadIdx", "blockIdx", "blockDim", "gridDim"}) {
      const std::string type = llvm::StringRef(name).ends_with("Idx") ? "uint3 " : "dim3 ";
      replaceAll(text, std::string("__CUDA_BUILTIN_VAR __cuda_builtin_") + name + "_t ",
                 "struct " + type + ";\n__CUDA_BUILTIN_VAR struct " + type);
    }
  return text;
}

}  // namespace

LibraryFiles libraryFiles(Backend backend, const Toolchain& toolchain, const IndexWishes& wishes) {
  LibraryFiles files{{compatibilityHeader, compatibilityText},
                     {wordHeader, otherWordsHeader},
                     {listHeader, std::string(launchListHeader) + constantMemberHeader},
                     {libraryFile, ""}};
  const std::string folder = std::string(toolkitFolder) + "/";
  if (backend == Backend::cuda) {
    files.emplace_back(toolchain.resourceDir + "/include/cuda.h", driverHeader(toolchain));
    for (const char* name : mtgpHeaderNames)
      files.emplace_back(folder + name, mtgpHeader(name, wishes.vectors));
    for (const char* name : memoryUserNames) {
      const std::string path = toolchain.cudaPath + "/include/" + name;
      if (std::string text = withoutMemoryHeader(path); !text.empty())
        files.emplace_back(path, std::move(text));
    }
  }
  files.emplace_back(folder + "stdbool.h", booleanHeader);
  const std::string indices = toolchain.resourceDir + "/include/__clang_cuda_builtin_vars.h";
  if (std::string text = indexHeader(indices, wishes); !text.empty())
    files.emplace_back(indices, std::move(text));
  const std::string wrapper = toolchain.resourceDir + "/include/__clang_cuda_runtime_wrapper.h";
  if (std::string text = wrapperHeader(wrapper); !text.empty()) files.emplace_back(wrapper, std::move(text));
  const std::string textures = toolchain.resourceDir + "/include/__clang_cuda_texture_intrinsics.h";
  if (std::string text = textureHeader(textures); !text.empty())
    files.emplace_back(textures, std::move(text));
  if (const llvm::StringRef text = compat::textureHeaderText; !text.empty())
    files.emplace_back(folder + compat::textureHeaderName, text.str());
  return files;
}

}  // namespace cui::driver
