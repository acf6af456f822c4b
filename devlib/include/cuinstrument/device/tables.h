// The epilogue's macros: they spell the unit table (format/unit.h) as constant data and register it.
//
// A backend provides CUI_BACKEND_UNIT for the preamble and CUI_BACKEND_REGISTER for the epilogue, which sees
// to it that cuiRegisterUnit is called once and the unit's state holds the base site index it returns.
#pragma once

#include <cstddef>

// The epilogue stands behind all of the program's macros (Xlib.h has `Status`): it names types by these.
namespace cui {
typedef format::FileEntry CuiFileEntry;
typedef format::SiteEntry CuiSiteEntry;
typedef format::KernelEntry CuiKernelEntry;
typedef format::LaunchEntry CuiLaunchEntry;
typedef format::CallEntry CuiCallEntry;
typedef format::VariableEntry CuiVariableEntry;
typedef format::UnitTable CuiUnitTable;
typedef format::Space CuiSpace;
typedef backend::GlobalEntry CuiGlobalEntry;
typedef std::size_t CuiSize;
constexpr uint32_t cuiUnitFormatVersion = format::unitFormatVersion;
using backend::globalAddress;
}  // namespace cui

#define CUI_UNIT(id, sites)                                                \
  namespace cui {                                                          \
  namespace {                                                              \
  constexpr unsigned long long unitId = id##ull;                           \
  constexpr unsigned unitSites = sites;                                    \
  const ::cui::format::UnitTable& unitTable();                             \
  struct ThisUnit {                                                        \
    static const ::cui::format::UnitTable& table() { return unitTable(); } \
  };                                                                       \
  typedef ::cui::api::Calls<ThisUnit> CuiCall;                             \
  }                                                                        \
  }                                                                        \
  CUI_BACKEND_UNIT(id, sites)

// Words of the rows, pasted so that a program's own macro of that name (`local`, `generic`) is not expanded.
#define CUI_SPACE_generic 0
#define CUI_SPACE_global 1
#define CUI_SPACE_shared 2
#define CUI_SPACE_constant 3
#define CUI_SPACE_local 4
#define CUI_SPACE_texture 5
static_assert(::cui::format::Space::texture == ::cui::format::Space(CUI_SPACE_texture),
              "the words follow format/record.h");

/// Defined where the rows of sites are compiled: only the host registers them.
#if !defined(__CUDA_ARCH__) || defined(CUI_CPU_BACKEND)
#define CUI_SITE_ROWS
#endif

// clang-format off: the macros open braces that others close
// Each table ends with a sentinel row, so that an empty one is still an array.
#define CUI_TABLE_FILES \
  namespace cui {       \
  namespace {           \
  const CuiFileEntry unitFileTable[] = {
#define CUI_FILE(path, absolute, hash) {path, absolute, hash##ull},
#define CUI_TABLE_SITES {"", "", 0}};            \
  CuiSiteEntry unitSiteTable[unitSites + 1]; \
  const char* const unitSiteRows[] = {
/// A row of format/site_rows.h, as the rewriter spells it itself: for tables made by hand.
#define CUI_SITE(id, file, line, column, endLine, endColumn, kind, space, status, bytes, loopDepth, function,    \
                 expression, base, index, type, macro, templateContext, reason)                                  \
  #id " " #file " " #line " " #column " " #endLine " " #endColumn " " #kind " " #space " " #status " " #bytes " "  \
  #loopDepth "\0" function "\0" expression "\0" base "\0" index "\0" type "\0" macro "\0" templateContext "\0" \
  reason "\0",
#define CUI_TABLE_KERNELS nullptr}; \
  const CuiKernelEntry unitKernelTable[] = {
#define CUI_KERNEL_ENTRY(name, file, line, column) {name, file, line, column},
#define CUI_TABLE_LAUNCHES {"", 0, 0, 0}}; \
  const CuiLaunchEntry unitLaunchTable[] = {
#define CUI_LAUNCH_ENTRY(kernel, base, function, file, line, column, stream) \
  {kernel, base, function, file, line, column, stream},
#define CUI_TABLE_CALLS {"", "", "", 0, 0, 0, 0}}; \
  const CuiCallEntry unitCallTable[] = {
#define CUI_CALL_ENTRY(api, function, variable, type, elementBytes, file, line, column) \
  {api, function, variable, type, elementBytes, file, line, column},
#define CUI_TABLE_VARIABLES {"", "", "", "", 0, 0, 0, 0}}; \
  const CuiVariableEntry unitVariableTable[] = {
#define CUI_VARIABLE_ENTRY(name, function, type, elementType, elementBytes, bytes, space, dynamic, file, line, column) \
  {name, function, type, elementType, elementBytes, bytes, CuiSpace(CUI_SPACE_##space), dynamic, file, line, column},
// In a function: on CUDA the address of a __managed__ variable must not be asked for before main().
#define CUI_TABLE_GLOBALS {"", "", "", "", 0, 0, CuiSpace(0), 0, 0, 0, 0}}; \
  inline const CuiGlobalEntry* unitGlobals(CuiSize& cuiCount) {                      \
    static const CuiGlobalEntry unitGlobalTable[] = {
#define CUI_GLOBAL(number, ...) {number, ::cui::globalAddress(__VA_ARGS__), sizeof(__VA_ARGS__)},
#define CUI_TABLE_SIZE(table) (sizeof(table) / sizeof(table[0]) - 1)
#define CUI_TABLE_END(mainFile, version)                                                               \
  {0, nullptr, 0}};                                                                                    \
    cuiCount = CUI_TABLE_SIZE(unitGlobalTable);                                                           \
    return unitGlobalTable;                                                                            \
  }                                                                                                    \
  const CuiUnitTable& unitTable() {                                                        \
    static const CuiUnitTable cuiTable = {                                                    \
        cuiUnitFormatVersion, unitId, mainFile, version,                                   \
        CUI_TABLE_SIZE(unitFileTable), unitSites, CUI_TABLE_SIZE(unitKernelTable),                     \
        CUI_TABLE_SIZE(unitLaunchTable), CUI_TABLE_SIZE(unitCallTable),                                \
        CUI_TABLE_SIZE(unitVariableTable), unitFileTable, unitSiteTable, unitKernelTable,              \
        unitLaunchTable, unitCallTable, unitVariableTable, unitSiteRows, unitSiteTable};               \
    return cuiTable;                                                                                     \
  }                                                                                                    \
 CUI_BACKEND_REGISTER                                                                                 \
  }                                                                                                    \
  }
// clang-format on
