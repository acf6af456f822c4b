// The unit table: everything the rewriter knows about one translation unit, as constant data that the
// rewritten file carries in its epilogue and registers with hostlib. Strings are never null ("" = none).
// Depends on nothing. Changing a layout here is a change of unitFormatVersion.
#pragma once

#include "cuinstrument/format/record.h"

namespace cui {
namespace format {

constexpr uint32_t unitFormatVersion = 2;

struct FileEntry {
  const char* path;          ///< as the user named it on the command line or in #include
  const char* absolutePath;  ///< resolved
  uint64_t textHash;         ///< FNV-1a 64 of the file's bytes
};

/// One access expression (or, inside a macro body, one access of one expansion line).
struct SiteEntry {
  uint64_t id;  ///< stable: hash of function, normalised expression and ordinal; positive as int64
  uint32_t file;
  uint32_t line, column, endLine, endColumn;  ///< 1-based; in macros: where the expansion starts
  Kind kind;
  Space space;  ///< static space; generic where only run time can tell
  Status status;
  uint32_t bytes;               ///< 0: differs between instantiations
  uint32_t loopDepth;           ///< enclosing loops in the function
  const char* function;         ///< qualified name, without template arguments
  const char* expression;       ///< source text, whitespace normalised
  const char* base;             ///< the array or object: `in`, `this->data`, `tile`
  const char* index;            ///< `i * n + j`; "" where there is none
  const char* type;             ///< accessed type as written: `float`, `T`
  const char* macro;            ///< outermost macro whose body holds the access; "" outside macros
  const char* templateContext;  ///< `T=float | T=int`: instantiations seen; "" outside templates
  const char* reason;           ///< why skipped; "" if instrumented
};

struct KernelEntry {
  const char* name;  ///< qualified, without template arguments
  uint32_t file, line, column;
};

struct LaunchEntry {
  const char* kernel;      ///< as resolved by the compiler: `scale<float, 32>`; `f<T>` where dependent
  const char* kernelBase;  ///< KernelEntry::name of the callee; "" if it is a variable
  const char* function;    ///< host function that launches
  uint32_t file, line, column;
  uint32_t hasStream;  ///< the configuration names a stream (4th argument)
};

/// A call of a runtime function that allocates, frees, copies, sets or synchronises.
struct CallEntry {
  const char* api;        ///< `cudaMalloc`
  const char* function;   ///< host function it is in
  const char* variable;   ///< `d_in` for cudaMalloc(&d_in, …); "" if the source does not show one
  const char* type;       ///< element type: `float`; "" if unknown
  uint32_t elementBytes;  ///< 0 if unknown
  uint32_t file, line, column;
};

/// A __shared__, __device__, __constant__ or __managed__ variable.
struct VariableEntry {
  const char* name;
  const char* function;  ///< "" at file scope
  const char* type;      ///< `float[32][33]`
  const char* elementType;
  uint32_t elementBytes;  ///< 0 if dependent
  uint64_t bytes;         ///< 0 if dynamic or dependent
  Space space;            ///< shared, global or constant
  uint32_t dynamic;       ///< extern __shared__
  uint32_t file, line, column;
};

struct UnitTable {
  uint32_t formatVersion;  ///< unitFormatVersion
  uint64_t unitId;         ///< hash of the main file's path and all tables
  const char* mainFile;
  const char* rewriterVersion;
  uint32_t fileCount, siteCount, kernelCount, launchCount, callCount, variableCount;
  const FileEntry* files;
  const SiteEntry* sites;  ///< siteSpace, if there are rows: nothing until the unit is registered
  const KernelEntry* kernels;
  const LaunchEntry* launches;
  const CallEntry* calls;
  const VariableEntry* variables;
  const char* const* siteRows = nullptr;  ///< site_rows.h; null where `sites` are there from the beginning
  SiteEntry* siteSpace = nullptr;         ///< where registering the unit puts what it reads from the rows
};

}  // namespace format
}  // namespace cui
