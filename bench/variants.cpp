// SPDX-License-Identifier: LGPL-3.0-or-later
#include "bench/variants.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "families/kernels.hpp"
#include "families/use.hpp"
#include <algorithm>

namespace sino::bench {

Properties words_of (const std::string &variant)
{
  const auto open = variant.find ('(');
  if (open == variant.npos || variant.back () != ')')
    return {{"variant", variant}};
  return {{"variant", variant.substr (0, open)},
          {"variant-parameters", variant.substr (open + 1, variant.size () - open - 2)}};
}

static bool names_kernel (const families::Family &family, const std::string &variant)
{
  return families::find_kernel (family, words_of (variant)[0].second) != nullptr;
}

std::vector<std::string> wanted_of (const families::Family &family, const std::string &variants)
{
  auto names = split (variants, ';');
  std::erase_if (names, [&] (const auto &each) { return !names_kernel (family, each); });
  return names;
}

void check_variants (const BenchOptions &options, const std::vector<std::string> &nodes, const char *example)
{
  if (options.variants.empty ())
    return;
  if (options.device->kind == Device::Kind::native)
    fail (SINO_ERROR_BAD_PROPERTY, "--variants names OpenCL kernels, and native has none: give --device");
  for (const auto &each : split (options.variants, ';'))
    if (std::ranges::none_of (
            nodes, [&] (const auto &node) { return names_kernel (make_task (node)->kernels ()->family (), each); }))
      fail (SINO_ERROR_BAD_PROPERTY, "--variants=%s names no kernel of %s: give names, as '%s'", each.c_str (),
            join (nodes, " or ").c_str (), example);
}

} // namespace sino::bench
