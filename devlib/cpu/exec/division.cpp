#include "division.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace cui::cpu {

#if defined(__x86_64__)
namespace {

/// By the numbers that instructions have for them.
constexpr int registerOf[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                              REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

std::uint64_t threadBase() {
  std::uint64_t base;
  __asm__("mov %%fs:0, %0" : "=r"(base));
  return base;
}

template <class T>
T take(const unsigned char*& at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  at += sizeof value;
  return value;
}

/// `div` or `idiv` of what a register or memory holds.
class Division {
 public:
  explicit Division(ucontext_t& context) : registers_(context.uc_mcontext.gregs) {}

  bool finish() {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): as the processor has it
    const auto* at = reinterpret_cast<const unsigned char*>(registers_[REG_RIP]);
    bool ofThread = false;
    for (; *at == 0x66 || *at == 0x64; ++at) (*at == 0x66 ? bytes_ = 2 : ofThread = true);
    if ((*at & 0xF0) == 0x40) rex_ = *at++;
    if ((rex_ & 8) != 0) bytes_ = 8;
    const unsigned char operation = *at++;
    if (operation == 0xF6)
      bytes_ = 1;
    else if (operation != 0xF7)
      return false;
    const unsigned char form = *at++;
    const unsigned kind = form >> 3 & 7;
    if (kind != 6 && kind != 7) return false;
    const std::uint64_t divisor = operand(form, ofThread, at);
    const bool byZero = divisor == 0;
    // The other one that traps has the smallest number for a dividend, and -1 for a divisor.
    if (!byZero && !(kind == 7 && divisor == mask())) return false;
    const std::uint64_t quotient = byZero ? mask() : mask() ^ (mask() >> 1);
    put(REG_RAX, quotient, byZero ? mask() : 0);
    registers_[REG_RIP] = reinterpret_cast<greg_t>(at);
    return true;
  }

 private:
  std::uint64_t mask() const { return ~std::uint64_t{0} >> (64 - 8 * bytes_); }
  std::uint64_t held(unsigned number) const {
    return static_cast<std::uint64_t>(registers_[registerOf[number]]);
  }

  std::uint64_t operand(unsigned char form, bool ofThread, const unsigned char*& at) const {
    const unsigned mode = form >> 6, low = form & 7;
    const unsigned number = low | (rex_ & 1) << 3;
    if (mode == 3) {
      if (bytes_ == 1 && rex_ == 0 && low >= 4) return held(low - 4) >> 8 & 0xFF;  // ah, ch, dh, bh
      return held(number) & mask();
    }
    std::uint64_t place = ofThread ? threadBase() : 0;
    bool beside = false;  // the instruction itself
    if (low == 4) {
      const unsigned char index = *at++;
      const unsigned scaled = (index >> 3 & 7) | (rex_ & 2) << 2, base = (index & 7) | (rex_ & 1) << 3;
      if (scaled != 4) place += held(scaled) << (index >> 6);
      if ((index & 7) == 5 && mode == 0)
        place += static_cast<std::uint64_t>(std::int64_t{take<std::int32_t>(at)});
      else
        place += held(base);
    } else if (low == 5 && mode == 0) {
      beside = true;
      place += static_cast<std::uint64_t>(std::int64_t{take<std::int32_t>(at)});
    } else {
      place += held(number);
    }
    if (mode == 1) place += static_cast<std::uint64_t>(std::int64_t{take<std::int8_t>(at)});
    if (mode == 2) place += static_cast<std::uint64_t>(std::int64_t{take<std::int32_t>(at)});
    if (beside) place += reinterpret_cast<std::uint64_t>(at);
    std::uint64_t value = 0;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): likewise
    std::memcpy(&value, reinterpret_cast<const void*>(place), bytes_);
    return value;
  }

  void put(int to, std::uint64_t quotient, std::uint64_t remainder) {
    const auto write = [&](int which, std::uint64_t value, std::uint64_t part) {
      // 32 bits clear what is above them, fewer leave it.
      const std::uint64_t kept = bytes_ == 4 ? 0 : static_cast<std::uint64_t>(registers_[which]) & ~part;
      registers_[which] = static_cast<greg_t>(kept | value);
    };
    if (bytes_ == 1) return write(to, quotient | remainder << 8, 0xFFFF);
    write(to, quotient, mask());
    write(REG_RDX, remainder, mask());
  }

  greg_t* registers_;
  unsigned bytes_ = 4;
  unsigned rex_ = 0;
};

}  // namespace

bool finishDivision(ucontext_t& context) {
  return Division(context).finish();
}
#else
bool finishDivision(ucontext_t&) {
  return false;
}
#endif

}  // namespace cui::cpu
