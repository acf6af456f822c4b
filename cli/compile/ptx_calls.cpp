#include "cli/compile/ptx_calls.h"

#include <cstddef>

#include "cli/base/replaced_text.h"
#include "cuinstrument/format/access_key.h"

namespace cui::cli {

std::string recorderName(std::string_view name, unsigned form, std::string_view type) {
  return "_ZN3cui7backend" + std::string(name) + "ILi" + std::to_string(form) + "EEE" + std::string(type);
}

std::string externDeclaration(std::string_view name, std::string_view parameters, std::string_view result) {
  std::string text = ".extern .func ";
  if (!result.empty()) text.append("(.param ").append(result).append(" func_retval0) ");
  text.append(name).append("\n(");
  for (std::size_t i = 0; i < parameters.size(); ++i)
    text.append(i == 0 ? "" : ",")
        .append("\n\t.param .b")
        .append(parameters[i] == 'd' ? "64 " : "32 ")
        .append(name)
        .append("_param_" + std::to_string(i));
  return text + "\n)\n;\n";
}

std::string callText(std::string_view before, std::string_view function,
                     std::initializer_list<CallOperand> operands, std::string_view result, bool wide) {
  std::string text = "{\n", names;
  text += before;
  for (const CallOperand& operand : operands) {
    const std::string name = "param" + std::to_string(&operand - operands.begin());
    const std::string type = operand.bits == 'd' ? ".b64 " : ".b32 ";
    text.append(".param ").append(type).append(name).append(";\nst.param").append(type);
    text.append("[").append(name).append("+0], ").append(operand.text).append(";\n");
    names += (names.empty() ? "" : ",\n") + name;
  }
  const std::string type = wide ? ".b64 " : ".b32 ";
  if (!result.empty()) text.append(".param ").append(type).append("retval0;\n");
  text.append("call.uni").append(result.empty() ? "" : " (retval0),").append("\n").append(function);
  text.append(",\n(\n").append(names).append("\n);\n");
  if (!result.empty()) text.append("ld.param").append(type).append(result).append(", [retval0+0];\n");
  return text + "}\n";
}

std::string memoryAway(unsigned bytes, std::string_view name) {
  return std::string("\t.local .align 16 .b8 \t").append(name).append("[" + std::to_string(bytes) + "];\n");
}
std::string ofMemoryAway(std::string_view accesses, std::string_view name) {
  constexpr std::string_view place = R"({
.reg .b32 %away, %zero;
ld.const.u32 %zero, [<state>+<zero at>];
mov.u32 %away, <memory>;
add.s32 %away, %away, %zero;
)";
  const std::string zeroAt = std::to_string(format::notesBarriersAt);
  return replaced(replaced(place, "<zero at>", zeroAt), "<memory>", name).append(accesses).append("}\n");
}

std::string ifAnyHas(std::string_view word, std::string_view text) {
  constexpr std::string_view question = R"(
{
.reg .pred %some;
.reg .b32 %team;
activemask.b32 %team;
setp.ne.s32 %some, <word>, 0;
vote.sync.any.pred %some, %some, %team;
@!%some bra <past>;
}
)";
  return replaced(question, "<word>", word).append(text).append("\n<past>:\n");
}

std::string indented(std::string_view text) {
  std::string result;
  bool first = true;
  for (const char c : text) {
    if (first && c == '\n') continue;
    if (first && c != '$') result += '\t';
    result += c;
    first = c == '\n';
  }
  return result;
}

}  // namespace cui::cli
