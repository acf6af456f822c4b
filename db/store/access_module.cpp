// See access_module.h. What SQLite calls is at the end; failures are exceptions up to there.
#include "db/store/access_module.h"

#include <algorithm>
#include <span>
#include <string_view>

namespace cui::db {

std::shared_ptr<AccessSource> AccessConnection::source(const std::string& schema) {
  std::shared_ptr<AccessSource> known = sources[schema].lock();
  if (!known) sources[schema] = known = std::make_shared<AccessSource>(handle, schema, cancel);
  return known;
}

int resultCodeOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::cancelled:
      return SQLITE_INTERRUPT;
    case ErrorCode::corrupt:
    case ErrorCode::truncated:
      return SQLITE_CORRUPT_VTAB;
    case ErrorCode::busy:
      return SQLITE_BUSY;
    case ErrorCode::io:
      return SQLITE_IOERR;
    default:
      return SQLITE_ERROR;
  }
}

namespace {

using enum AccessField;

Value valueOf(sqlite3_value* value) {
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
      return std::int64_t{sqlite3_value_int64(value)};
    case SQLITE_FLOAT:
      return sqlite3_value_double(value);
    case SQLITE_NULL:
      return std::monostate();
    default:
      return std::string_view();  // its contents are SQLite's to compare
  }
}

// What xBestIndex tells xFilter: for each argument the field ('a' + number) and the comparison, or 'i' for a
// set.
constexpr char setOfSites = 'i';

char comparisonOf(unsigned char op) {
  switch (op) {
    case SQLITE_INDEX_CONSTRAINT_EQ:
      return static_cast<char>(Relation::equal);
    case SQLITE_INDEX_CONSTRAINT_GT:
      return static_cast<char>(Relation::greater);
    case SQLITE_INDEX_CONSTRAINT_GE:
      return static_cast<char>(Relation::atLeast);
    case SQLITE_INDEX_CONSTRAINT_LT:
      return static_cast<char>(Relation::less);
    case SQLITE_INDEX_CONSTRAINT_LE:
      return static_cast<char>(Relation::atMost);
    default:
      return 0;
  }
}

/// sqlite3_vtab_in and sqlite3_vtab_rhs_value.
bool hasNewerCalls() {
  return sqlite3_libversion_number() >= 3'038'000;
}

/// True if the constraint compares with a whole number that the statement spells. The filter meets such a
/// constraint exactly, so that SQLite need not look again, row by row.
bool comparesWithNumber(sqlite3_index_info& info, std::size_t constraint) {
  sqlite3_value* value = nullptr;
  return hasNewerCalls() &&
         sqlite3_vtab_rhs_value(&info, static_cast<int>(constraint), &value) == SQLITE_OK &&
         sqlite3_value_type(value) == SQLITE_INTEGER;
}

/// True if rows in order of launch, sequence and lane are in the order asked for.
bool isOurOrder(const sqlite3_index_info& info, const AccessTableShape& shape, bool oneLaunch) {
  const AccessField order[] = {launchId, sequence, lane};
  std::size_t at = 0;
  for (const auto& term : std::span(info.aOrderBy, static_cast<std::size_t>(info.nOrderBy))) {
    if (term.desc != 0 || term.iColumn < 0) return false;
    const AccessField field = shape.columns[static_cast<std::size_t>(term.iColumn)].field;
    if (at == 0 && oneLaunch && field == sequence) at = 1;
    if (at == std::size(order) || field != order[at]) return false;
    ++at;
  }
  return true;
}

/// The parts of all rows and of all chunks that a condition leaves. Guesses: they only have to put the plans
/// in the right order.
struct Shares {
  double rows = 1, chunks = 1;
  void take(AccessField field, bool equal, const AccessSource& source, bool oneLaunch) {
    switch (field) {
      case launchId:
        return take(equal ? 1.0 / static_cast<double>(source.estimatedLaunches()) : 0.5, 1);
      case sequence:
        if (equal && oneLaunch)
          rows = chunks = 0;
        else
          take(equal ? 0.001 : 0.3, 1);
        return;
      case siteId:
        return take(equal ? 1.0 / static_cast<double>(std::max<std::size_t>(2, source.sites().size())) : 0.5,
                    0.5);
      case address:
        return take(equal ? 0.001 : 0.3, 0.3);
      default:
        return take(equal ? 0.05 : 0.5, 0.5);
    }
  }
  /// `skipping`: how far chunks that hold no such row can be told (1: as far as the rows; 0: not at all).
  void take(double share, double skipping) {
    rows *= share;
    chunks *= 1 - skipping * (1 - share);
  }
};

int bestIndex(const AccessTable& table, sqlite3_index_info& info) {
  const AccessTableShape& shape = *table.shape;
  std::string plan;
  const auto constraints = std::span(info.aConstraint, static_cast<std::size_t>(info.nConstraint));
  const auto fieldOf = [&](const auto& constraint) {
    return shape.columns[static_cast<std::size_t>(constraint.iColumn)].field;
  };
  bool oneLaunch = false;
  for (const auto& constraint : constraints)
    oneLaunch |= constraint.usable != 0 && constraint.iColumn >= 0 && fieldOf(constraint) == launchId &&
                 constraint.op == SQLITE_INDEX_CONSTRAINT_EQ;
  Shares shares;
  bool oneRecord = false;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const auto& constraint = constraints[i];
    const char comparison = comparisonOf(constraint.op);
    if (constraint.usable == 0 || constraint.iColumn < 0 || comparison == 0) continue;
    const AccessField field = fieldOf(constraint);
    if (static_cast<std::size_t>(field) >= limitedFields) continue;
    const bool equal = constraint.op == SQLITE_INDEX_CONSTRAINT_EQ;
    const bool set =
        equal && field == siteId && hasNewerCalls() && sqlite3_vtab_in(&info, static_cast<int>(i), 1) != 0;
    plan += static_cast<char>('a' + static_cast<int>(field));
    plan += set ? setOfSites : comparison;
    info.aConstraintUsage[i].argvIndex = static_cast<int>(plan.size() / 2);
    info.aConstraintUsage[i].omit = !set && comparesWithNumber(info, i) ? 1 : 0;
    shares.take(field, equal && !set, *table.source, oneLaunch);
    oneRecord |= equal && field == sequence && oneLaunch;
  }
  info.idxStr = sqlite3_mprintf("%s", plan.c_str());
  if (!info.idxStr) return SQLITE_NOMEM;
  info.needToFreeIdxStr = 1;
  // Whether a row's chunk has to be decoded: not to count records, nor to number them.
  AccessPlan known;
  known.decode = shape.form == AccessForm::lanes;
  for (std::size_t i = 0; i < shape.columns.size(); ++i) {
    if ((info.colUsed >> i & 1) == 0) continue;
    const AccessField field = shape.columns[i].field;
    known.fields |= 1u << static_cast<unsigned>(field);
    known.decode |= field != launchId && field != sequence && field != requests;
  }
  info.idxNum = known.number();
  info.orderByConsumed = isOurOrder(info, shape, oneLaunch) ? 1 : 0;
  const double perRecord = shape.form == AccessForm::lanes ? 24 : shape.form == AccessForm::totals ? 0.01 : 1;
  const auto records = static_cast<double>(table.source->estimatedRecords());
  const double rows = oneRecord ? perRecord : std::max(1.0, records * shares.rows * perRecord);
  info.estimatedRows = static_cast<sqlite3_int64>(rows);
  // In units of a row handed over; decoding a record costs a tenth.
  info.estimatedCost = oneRecord ? 10 + rows : 100 + records * shares.chunks * 0.1 + rows;
  return SQLITE_OK;
}

/// The argument of CREATE VIRTUAL TABLE comes as it was written.
std::string unquoted(std::string_view text) {
  if (text.size() < 2 || (text[0] != '"' && text[0] != '\'') || text.back() != text[0])
    return std::string(text);
  std::string result;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    result += text[i];
    if (text[i] == text[0]) ++i;
  }
  return result;
}

}  // namespace

AccessFilter filterOf(const char* plan, int count, sqlite3_value** values) {
  AccessFilter filter;
  for (int i = 0; i < count; ++i, plan += 2) {
    const auto field = static_cast<AccessField>(plan[0] - 'a');
    if (plan[1] != setOfSites) {
      filter.narrow(field, static_cast<Relation>(plan[1]), valueOf(values[i]));
      continue;
    }
    std::vector<std::int64_t> sites;
    sqlite3_value* member = nullptr;
    for (int code = sqlite3_vtab_in_first(values[i], &member); code == SQLITE_OK && member;
         code = sqlite3_vtab_in_next(values[i], &member))
      sites.push_back(sqlite3_value_int64(member));
    filter.keepSites(std::move(sites));
  }
  return filter;
}

void setResult(sqlite3_context* context, const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value))
    sqlite3_result_int64(context, *integer);
  else if (const auto* real = std::get_if<double>(&value))
    sqlite3_result_double(context, *real);
  else if (const auto* text = std::get_if<std::string_view>(&value))
    sqlite3_result_text(context, text->data(), static_cast<int>(text->size()), SQLITE_TRANSIENT);
  else if (const auto* bytes = std::get_if<Bytes>(&value))
    sqlite3_result_blob64(context, bytes->data.data(), bytes->data.size(), SQLITE_TRANSIENT);
}

namespace {

// --- what SQLite calls ---

int connectTable(sqlite3* handle, void* data, int count, const char* const* arguments, sqlite3_vtab** result,
                 char** message) {
  return guarded(message, [&] {
    const AccessModule& module = *static_cast<AccessModule*>(data);
    // access(other): the trace that was attached as other.
    const std::string schema = count > 3 ? unquoted(arguments[3]) : "main";
    auto table = std::make_unique<AccessTable>();
    table->shape = module.shape;
    table->source = module.connection->source(schema);
    sqlite3_vtab_config(handle, SQLITE_VTAB_INNOCUOUS);  // it reads the same file, nothing else
    const int code = sqlite3_declare_vtab(handle, declarationOf(*module.shape).c_str());
    if (code == SQLITE_OK) *result = table.release();
    return code;
  });
}

int disconnectTable(sqlite3_vtab* table) {
  delete &tableOf(table);
  return SQLITE_OK;
}

int bestIndexOfTable(sqlite3_vtab* table, sqlite3_index_info* info) {
  return guarded(&table->zErrMsg, [&] { return bestIndex(tableOf(table), *info); });
}

}  // namespace

sqlite3_module accessModule() {
  sqlite3_module module = {};
  module.iVersion = 2;
  module.xCreate = connectTable;  // the same as xConnect: a table without CREATE VIRTUAL TABLE
  module.xConnect = connectTable;
  module.xBestIndex = bestIndexOfTable;
  module.xDisconnect = disconnectTable;
  module.xDestroy = disconnectTable;
  return module;
}

}  // namespace cui::db
