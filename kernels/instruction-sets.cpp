// SPDX-License-Identifier: LGPL-3.0-or-later
#define HWY_WANT_AVX3_DL 1 // some kernels need it
#include "kernels/instruction-sets.hpp"
#include <hwy/targets.h>

namespace sino::kernels {

std::vector<std::string> built_instruction_sets ()
{
  std::vector<std::string> names;
  for (int64_t rest = HWY_TARGETS; rest != 0; rest &= rest - 1) // the lowest bits are the best sets
    names.emplace_back (hwy::TargetName (rest & -rest));
  return names;
}

} // namespace sino::kernels
