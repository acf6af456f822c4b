#include "cli/compile/wide_products.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "cli/compile/access_calls.h"
#include "cli/compile/body_registers.h"
#include "cli/compile/ptx_functions.h"
#include "cli/compile/unit_state.h"

namespace cui::cli {
namespace {

constexpr std::string_view signedProduct = "mul.wide.s32", unsignedProduct = "mul.wide.u32";
constexpr unsigned mostShifted = 30;  ///< the other factor is a number of 32 bits

/// `mul.wide.s32 …, %r1, 4;`
using Product = std::pair<std::string_view, std::string>;

class WideProducts {
 public:
  explicit WideProducts(std::string_view body) : registers_(body) {
    std::set<Product> known;
    for (const std::string_view line : registers_.lines()) {
      const LineParts parts = partsOfLine(line);
      if (parts.operation == signedProduct || parts.operation == unsignedProduct)
        known.emplace(parts.operation, parts.sources);
    }
    for (std::size_t i = 0; i < registers_.lines().size() && !known.empty(); ++i) addShift(i, known);
  }

  bool any() const { return !names_.empty(); }
  std::string changed() const {
    std::string body;
    for (std::size_t i = 0; i < registers_.lines().size(); ++i) {
      const auto shift = shifts_.find(i);
      body.append(shift == shifts_.end() ? registers_.lines()[i] : std::string_view(shift->second))
          .append("\n");
      if (i == 0) body.append("\t.reg .b64 \t%cuimul<" + std::to_string(names_.size()) + ">;\n");
      if (const auto behind = behind_.find(i); behind != behind_.end()) body += behind->second;
    }
    return body;
  }

 private:
  /// `shl.b64 %rd2, %rd1, 2;` of `cvt.s64.s32 %rd1, %r1;`: the product stands where the latter does, as `%r1`
  /// may be another one behind it.
  void addShift(std::size_t i, const std::set<Product>& known) {
    const LineParts parts = partsOfLine(registers_.lines()[i]);
    if (parts.operation != "shl.b64" || mentions(parts.condition, "@")) return;
    std::string_view bits = parts.sources;
    const RegisterUses* wide = registers_.setOnce(takeUpTo(bits, ", "));
    const std::optional<unsigned> shifted = numberIn(bits.substr(0, bits.find(';')));
    if (wide == nullptr || !shifted || *shifted > mostShifted) return;
    const LineParts index = partsOfLine(registers_.lines()[wide->line]);
    const bool isSigned = index.operation == "cvt.s64.s32";
    if (!isSigned && index.operation != "cvt.u64.u32") return;
    const std::string_view operation = isSigned ? signedProduct : unsignedProduct;
    const std::string factors = std::string(index.sources.substr(0, index.sources.find(';'))) + ", " +
                                std::to_string(1u << *shifted) + ";";
    if (known.count({operation, factors}) == 0) return;
    const auto [name, isNew] =
        names_.emplace(std::pair(wide->line, *shifted), "%cuimul" + std::to_string(names_.size()));
    if (isNew)
      behind_[wide->line]
          .append("\t")
          .append(operation)
          .append(" \t")
          .append(name->second)
          .append(", ")
          .append(factors)
          .append("\n");
    shifts_[i].append("\tmov.u64 \t").append(parts.targets).append(", ").append(name->second).append(";");
  }

  BodyRegisters registers_;
  std::map<std::pair<std::size_t, unsigned>, std::string>
      names_;                                           ///< of products, by an index's line and the bits
  std::map<std::size_t, std::string> behind_, shifts_;  ///< by lines
};

}  // namespace

std::string withWideProducts(std::string_view ptx) {
  // In what a debugger is told of, values are where it says.
  if (stateOf(ptx).name.empty() || mentions(ptx, ".debug_info")) return std::string(ptx);
  return withBodies(ptx, kernelDirective, [](std::string_view, std::string_view body) {
    const WideProducts products(body);
    return products.any() ? products.changed() : std::string(body);
  });
}

}  // namespace cui::cli
