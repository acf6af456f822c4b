// See struct_fields.h.
#include "db/analyses/struct_fields.h"

#include <algorithm>
#include <tuple>

#include "db/analyses/site_rows.h"

namespace cui::db {

namespace {

/// An array whose structures are accessed by fields, and the findings about it, dearest first.
struct FieldGroup {
  std::vector<const Finding*> members;
  std::vector<const Pattern*> patterns;

  double sum(std::size_t number) const {
    double all = 0;
    for (const Finding* finding : members) all += finding->numbers[number].second;
    return all;
  }
};

/// "x, y and z", in the order of their places in the structure, and how many bytes those have.
std::string fieldList(const FieldGroup& group, std::uint32_t& bytes) {
  std::map<std::uint32_t, std::pair<std::uint32_t, std::string>> fields;
  for (std::size_t i = 0; i < group.members.size(); ++i) {
    const Pattern& pattern = *group.patterns[i];
    auto& [fieldBytes, name] = fields[pattern.fieldOffset];
    fieldBytes = std::max(fieldBytes, pattern.bytes);
    if (name.empty()) name = memberOf(group.members[i]->expression);
    if (name.empty()) name = formatted("the bytes at offset %u", pattern.fieldOffset);
  }
  std::string list;
  bytes = 0;
  std::size_t left = fields.size();
  for (const auto& [offset, field] : fields) {
    bytes += field.first;
    list += field.second;
    if (--left != 0) list += left == 1 ? " and " : ", ";
  }
  return list;
}

Finding joined(const FieldGroup& group, const Weights& weights) {
  const Pattern& first = *group.patterns[0];
  Finding finding = *group.members[0];
  finding.share = finding.saving = 0;
  double part = 0, soaSectors = 0, structSectors = 0, requests = 0;
  for (std::size_t i = 0; i < group.members.size(); ++i) {
    const Finding& member = *group.members[i];
    finding.share += member.share;
    finding.saving += member.saving;
    // Of several kernels, what the first one has to do with it decides.
    if (member.function == finding.function)
      part += member.numbers[3].second / weights.of(finding.siteId).cost;
    const auto weight = static_cast<double>(group.patterns[i]->requests);
    requests += weight;
    structSectors += weight * group.patterns[i]->structSectors;
    soaSectors += weight * group.patterns[i]->soaSectors;
    if (i != 0) finding.related.push_back(member);
  }
  const double saving = finding.saving;
  weights.weigh(finding, part);
  finding.saving = saving;

  for (std::size_t number = 0; number < 4; ++number) finding.numbers[number].second = group.sum(number);
  const double all = finding.numbers[0].second, sectors = finding.numbers[1].second;
  finding.numbers[4].second = sectors / all;
  finding.numbers[5].second = finding.numbers[2].second / all;
  double usefulBytes = 0;
  for (const Finding* member : group.members)
    usefulBytes += member->numbers[6].second * member->numbers[1].second;
  finding.numbers[6].second = usefulBytes / sectors;
  finding.numbers.emplace_back("stride", static_cast<double>(first.stride));
  finding.numbers.emplace_back("soa_sectors_per_request", soaSectors / requests);

  std::uint32_t bytes = 0;
  const std::string fields = fieldList(group, bytes);
  const char* const type = first.objectType.empty() ? "structure" : first.objectType.c_str();
  if (!first.object.empty()) finding.base = first.object;
  finding.verdict = formatted(
      "array of structures, accessed by fields: %.1f sectors/request, ideal %.1f, for %s of each %s",
      finding.numbers[4].second, finding.numbers[5].second, fields.c_str(), type);
  finding.why = formatted(
      "neighbouring threads are %u bytes apart: each of the %zu accesses moves the sectors of the whole "
      "structures for its own few bytes",
      first.elementBytes, group.members.size());
  finding.suggestion = formatted(
      "keep %s in arrays of their own (structure of arrays): %.1f instead of %.1f sectors/request, "
      "recomputed from %.0f requests",
      fields.c_str(), soaSectors / requests, structSectors / requests, requests);
  if (bytes * 2 >= first.elementBytes)
    finding.suggestion += formatted("; or access each %s as a whole, since %u of its %u bytes are used", type,
                                    bytes, first.elementBytes);
  return finding;
}

}  // namespace

std::string memberOf(const std::string& expression) {
  int depth = 0;
  for (std::size_t i = expression.size(); i-- > 0;) {
    const char c = expression[i];
    if (c == ']' || c == ')') ++depth;
    if (c == '[' || c == '(') --depth;
    if (depth != 0) continue;
    if (c == '.') return expression.substr(i + 1);
    if (c == '>' && i > 0 && expression[i - 1] == '-') return expression.substr(i + 1);
  }
  return {};
}

void joinFields(std::vector<Finding>& findings, const std::map<std::int64_t, Pattern>& patterns,
                const Weights& weights) {
  std::map<std::pair<std::int64_t, std::uint32_t>, FieldGroup>
      groups;  // by allocation and the structure's size
  std::vector<const FieldGroup*> groupOf(findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const auto pattern = patterns.find(findings[i].siteId);
    if (pattern == patterns.end() || !wantsArrays(pattern->second)) continue;
    FieldGroup& group = groups[{pattern->second.objectId, pattern->second.elementBytes}];
    group.members.push_back(&findings[i]);
    group.patterns.push_back(&pattern->second);
    groupOf[i] = &group;
  }
  std::vector<Finding> result;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const FieldGroup* const group = groupOf[i];
    if (!group || group->members.size() == 1)
      result.push_back(findings[i]);
    else if (group->members[0] == &findings[i])
      result.push_back(joined(*group, weights));
  }
  findings = std::move(result);
}

}  // namespace cui::db
