// The epilogue's macros: they spell the unit table (format/unit.h) as constant data and register it.
//
// A backend provides CUI_BACKEND_UNIT (preamble) and either cui::backend::registerUnit(const UnitTable&,
// const GlobalEntry*, count), which calls cuiRegisterUnit once and keeps the base site index in the unit's
// state, or, where that is not enough, its own CUI_BACKEND_REGISTER.
#pragma once

#include <cstddef>

#if !defined(CUI_BACKEND_REGISTER)
#define CUI_BACKEND_REGISTER                                                \
  inline bool registerThisUnit() {                                          \
    std::size_t count = 0;                                                  \
    const ::cui::backend::GlobalEntry* const globals = unitGlobals(count);  \
    return ::cui::backend::registerUnit(ThisUnit::table(), globals, count); \
  }                                                                         \
  const bool unitRegistered = registerThisUnit();
#endif

#define CUI_UNIT(id, sites)                                                \
  namespace cui {                                                          \
  namespace {                                                              \
  constexpr unsigned long long unitId = id##ull;                           \
  constexpr unsigned unitSites = sites;                                    \
  const ::cui::format::UnitTable& unitTable();                             \
  struct ThisUnit {                                                        \
    static const ::cui::format::UnitTable& table() { return unitTable(); } \
  };                                                                       \
  }                                                                        \
  }                                                                        \
  CUI_BACKEND_UNIT(id, sites)

// Words of the rows, pasted so that a program's own macro of that name (`local`, `generic`) is not expanded.
#define CUI_KIND_load 0
#define CUI_KIND_store 1
#define CUI_KIND_rmw 2
#define CUI_KIND_atomic 3
#define CUI_KIND_copy 4
#define CUI_SPACE_generic 0
#define CUI_SPACE_global 1
#define CUI_SPACE_shared 2
#define CUI_SPACE_constant 3
#define CUI_SPACE_local 4
#define CUI_SPACE_texture 5
#define CUI_STATUS_instrumented 0
#define CUI_STATUS_skipped 1
static_assert(::cui::format::Kind::copy == ::cui::format::Kind(CUI_KIND_copy) &&
                  ::cui::format::Space::texture == ::cui::format::Space(CUI_SPACE_texture) &&
                  ::cui::format::Status::skipped == ::cui::format::Status(CUI_STATUS_skipped),
              "the words follow format/record.h");

// clang-format off: the macros open braces that others close
// Each table ends with a sentinel row, so that an empty one is still an array.
#define CUI_TABLE_FILES \
  namespace cui {       \
  namespace {           \
  const ::cui::format::FileEntry unitFileTable[] = {
#define CUI_FILE(path, absolute, hash) {path, absolute, hash##ull},
#define CUI_TABLE_SITES {"", "", 0}};  \
  const ::cui::format::SiteEntry unitSiteTable[] = {
#define CUI_SITE(id, file, line, column, endLine, endColumn, kind, space, status, bytes, loopDepth, function, \
                 expression, base, index, type, macro, templateContext, reason)                               \
  {id##ull, file, line, column, endLine, endColumn, ::cui::format::Kind(CUI_KIND_##kind),                     \
   ::cui::format::Space(CUI_SPACE_##space), ::cui::format::Status(CUI_STATUS_##status), bytes, loopDepth,     \
   function, expression, base, index, type, macro, templateContext, reason},
#define CUI_TABLE_KERNELS {0, 0, 0, 0, 0, 0, ::cui::format::Kind(0), ::cui::format::Space(0), \
   ::cui::format::Status(0), 0, 0, "", "", "", "", "", "", "", ""}};                             \
  const ::cui::format::KernelEntry unitKernelTable[] = {
#define CUI_KERNEL_ENTRY(name, file, line, column) {name, file, line, column},
#define CUI_TABLE_LAUNCHES {"", 0, 0, 0}}; \
  const ::cui::format::LaunchEntry unitLaunchTable[] = {
#define CUI_LAUNCH_ENTRY(kernel, base, function, file, line, column, stream) \
  {kernel, base, function, file, line, column, stream},
#define CUI_TABLE_CALLS {"", "", "", 0, 0, 0, 0}}; \
  const ::cui::format::CallEntry unitCallTable[] = {
#define CUI_CALL_ENTRY(api, function, variable, type, elementBytes, file, line, column) \
  {api, function, variable, type, elementBytes, file, line, column},
#define CUI_TABLE_VARIABLES {"", "", "", "", 0, 0, 0, 0}}; \
  const ::cui::format::VariableEntry unitVariableTable[] = {
#define CUI_VARIABLE_ENTRY(name, function, type, elementType, elementBytes, bytes, space, dynamic, file, line, column) \
  {name, function, type, elementType, elementBytes, bytes, ::cui::format::Space(CUI_SPACE_##space), dynamic, file, line, column},
// In a function: on CUDA the address of a __managed__ variable must not be asked for before main().
#define CUI_TABLE_GLOBALS {"", "", "", "", 0, 0, ::cui::format::Space(0), 0, 0, 0, 0}}; \
  inline const ::cui::backend::GlobalEntry* unitGlobals(std::size_t& count) {                  \
    static const ::cui::backend::GlobalEntry unitGlobalTable[] = {
#define CUI_GLOBAL(number, ...) {number, ::cui::backend::globalAddress(__VA_ARGS__), sizeof(__VA_ARGS__)},
#define CUI_TABLE_SIZE(table) (sizeof(table) / sizeof(table[0]) - 1)
#define CUI_TABLE_END(mainFile, version)                                                               \
  {0, nullptr, 0}};                                                                                    \
    count = CUI_TABLE_SIZE(unitGlobalTable);                                                           \
    return unitGlobalTable;                                                                            \
  }                                                                                                    \
  static_assert(CUI_TABLE_SIZE(unitSiteTable) == unitSites, "preamble and epilogue differ");            \
  const ::cui::format::UnitTable& unitTable() {                                                        \
    static const ::cui::format::UnitTable table = {                                                    \
        ::cui::format::unitFormatVersion, unitId, mainFile, version,                                   \
        CUI_TABLE_SIZE(unitFileTable), CUI_TABLE_SIZE(unitSiteTable), CUI_TABLE_SIZE(unitKernelTable), \
        CUI_TABLE_SIZE(unitLaunchTable), CUI_TABLE_SIZE(unitCallTable),                                \
        CUI_TABLE_SIZE(unitVariableTable), unitFileTable, unitSiteTable, unitKernelTable,              \
        unitLaunchTable, unitCallTable, unitVariableTable};                                            \
    return table;                                                                                      \
  }                                                                                                    \
 CUI_BACKEND_REGISTER                                                                                 \
  }                                                                                                    \
  }
// clang-format on
