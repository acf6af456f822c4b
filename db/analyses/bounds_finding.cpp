// See bounds_finding.h.
#include "db/analyses/bounds_finding.h"

#include "db/analyses/site_rows.h"

namespace cui::db {

namespace {

std::string describe(const Object& object) {
  std::string text = (object.name.empty() ? object.api : object.name) +
                     formatted(" (%llu bytes", static_cast<unsigned long long>(object.bytes));
  if (object.shared)
    text += " of shared memory";
  else if (object.line != 0)
    text += formatted(", %s at line %u", object.api.c_str(), object.line);
  return text + ")";
}

/// "; element 1024 of 1024"
std::string elementOf(const Object& object, std::uint64_t address) {
  if (object.elementBytes == 0 || address < object.address) return {};
  return formatted(", as element %llu of %llu",
                   static_cast<unsigned long long>((address - object.address) / object.elementBytes),
                   static_cast<unsigned long long>(object.bytes / object.elementBytes));
}

}  // namespace

Finding boundsFinding(const Site& site, BoundsFault fault, const Object* object, const BoundsCount& count) {
  Finding finding;
  static_cast<Place&>(finding) = site;
  finding.severity = Finding::Severity::problem;
  finding.wrong = true;
  const char* const what = site.reads() && !site.writes()   ? "reads"
                           : site.writes() && !site.reads() ? "writes"
                                                            : "accesses";
  const std::string first =
      formatted("; first in launch %lld, ", static_cast<long long>(count.launchId)) + count.thread;
  const auto lanes = static_cast<unsigned long long>(count.lanes);
  finding.numbers = {{"accesses", static_cast<double>(count.lanes)}};
  switch (fault) {
    case BoundsFault::outside: {
      const auto least = static_cast<unsigned long long>(count.leastDistance);
      const auto most = static_cast<unsigned long long>(count.mostDistance);
      finding.verdict = std::string("out of bounds: ") + what;
      if (most == 0) {
        finding.verdict += " outside of " + describe(*object);
      } else {
        finding.verdict +=
            least == most ? formatted(" %llu bytes ", most) : formatted(" %llu to %llu bytes ", least, most);
        finding.verdict += (count.behind ? "behind the end of " : "in front of ") + describe(*object) +
                           elementOf(*object, count.address);
      }
      finding.why = formatted("%llu thread accesses to memory that is not the array's", lanes) + first;
      finding.suggestion = count.behind
                               ? "compare the index with the array's length before the access, or allocate "
                                 "what the grid's last block needs"
                               : "the index is negative there: treat the first elements apart";
      finding.numbers.emplace_back("distance", static_cast<double>(count.mostDistance));
      break;
    }
    case BoundsFault::unknown:
      finding.severity = Finding::Severity::warning;
      finding.wrong = false;  // mostly it is a library's
      finding.verdict =
          std::string(what) + formatted(" memory that no known allocation holds: address 0x%llx",
                                        static_cast<unsigned long long>(count.address));
      finding.why =
          formatted("%llu thread accesses", lanes) + first +
          "; memory of a library, or allocated in code that was not instrumented, looks like this too";
      finding.suggestion = "check the pointer; instrument the code that allocates";
      break;
    case BoundsFault::freed:
      finding.verdict =
          std::string("use after free: ") + what + " " + describe(*object) + ", which was freed before";
      finding.why =
          formatted("%llu thread accesses to memory that may belong to something else by now", lanes) + first;
      finding.suggestion = "free it after the last kernel that uses it";
      break;
    case BoundsFault::unwritten:
      // A kernel that was not instrumented may have written global memory.
      finding.severity = object->shared ? Finding::Severity::problem : Finding::Severity::warning;
      finding.verdict = "uninitialised: reads " + describe(*object) + " where nothing was written" +
                        elementOf(*object, count.address);
      finding.why = formatted("%llu thread accesses get whatever was there", lanes) + first;
      finding.suggestion =
          object->shared ? "let the block write every element it reads, and wait for it with __syncthreads"
                         : "fill it (cudaMemset, cudaMemcpy) or write it in a kernel first";
      break;
  }
  return finding;
}

}  // namespace cui::db
