#include "constructs/catalogue.h"

namespace cui::constructs {

std::vector<std::unique_ptr<Construct>> makeConstructs() {
  std::vector<std::unique_ptr<Construct>> all;
#define CUI_CONSTRUCT(factory) all.push_back(factory());
#include "constructs/constructs.def"
  return all;
}

}  // namespace cui::constructs
