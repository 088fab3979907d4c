// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/facts.hpp"
#include "base/text.hpp"
#include <glib.h>

namespace sino {

namespace {

bool has (const std::string &text, const char *word)
{
  return text.find (word) != text.npos;
}

// "gfx90a" of "gfx90a:sramecc+:xnack-" and of "AMD Radeon RX 7900 XTX (gfx1100, LLVM 15)"; "" when there is none.
std::string gfx_in (const std::string &name)
{
  const auto begin = name.find ("gfx");
  if (begin == name.npos)
    return {};
  auto end = begin + 3;
  while (end < name.size () && g_ascii_isxdigit (name[end]))
    end++;
  return name.substr (begin, end - begin);
}

// gfx numbers of chips that Mesa names otherwise.
std::string gfx_of_chip (const std::string &name)
{
  static constexpr struct {
    const char *chip, *gfx;
  } chips[] = {{"vega10", "gfx900"},   {"vega12", "gfx904"},    {"vega20", "gfx906"},  {"raven", "gfx902"},
               {"renoir", "gfx90c"},   {"navi10", "gfx1010"},   {"navi12", "gfx1011"}, {"navi14", "gfx1012"},
               {"navi21", "gfx1030"},  {"navi22", "gfx1031"},   {"navi23", "gfx1032"}, {"navi24", "gfx1034"},
               {"navi31", "gfx1100"},  {"navi32", "gfx1101"},   {"navi33", "gfx1102"}, {"navi48", "gfx1201"},
               {"navi44", "gfx1200"},  {"tahiti", "gfx600"},    {"hawaii", "gfx701"},  {"polaris10", "gfx803"},
               {"pitcairn", "gfx601"}, {"capeverde", "gfx601"}, {"bonaire", "gfx704"}, {"tonga", "gfx802"},
               {"fiji", "gfx803"},     {"polaris11", "gfx803"}, {"cypress", "vliw5"},  {"hemlock", "vliw5"},
               {"juniper", "vliw5"},   {"barts", "vliw5"}};
  for (const auto &entry : chips)
    if (has (name, entry.chip))
      return entry.gfx;
  return {};
}

} // namespace

void tell_architecture (const OpenclNames &names, OpenclFacts &facts)
{
  const auto platform = lower_case (names.platform), vendor = lower_case (names.vendor),
             device = lower_case (names.device);
  // The platform first, because it decides which features work. PoCL also answers NVIDIA's queries.
  if (has (platform, "portable computing")) {
    facts.vendor = "pocl";
  } else if (has (platform, "oclgrind")) {
    facts.vendor = "oclgrind";
  } else if (names.nvidia_major > 0 || has (vendor, "nvidia")) {
    facts.vendor = "nvidia";
    if (names.nvidia_major > 0)
      facts.architecture = text ("%u.%u", names.nvidia_major, names.nvidia_minor);
  } else if (has (vendor, "advanced micro") || vendor == "amd" || has (device, "radeon") || !gfx_in (device).empty ()) {
    facts.vendor = "amd";
    facts.architecture = gfx_in (device);
    if (facts.architecture.empty ())
      facts.architecture = gfx_of_chip (device);
    if (facts.architecture.empty () && names.amd_major > 0)
      facts.architecture = text ("gfx%u%u", names.amd_major, names.amd_minor);
  } else if (has (vendor, "intel")) {
    facts.vendor = "intel";
    if (names.intel_version > 0)
      facts.architecture = text ("%u.%u", names.intel_version >> 22, names.intel_version >> 14 & 0xff);
  } else {
    facts.vendor = "other";
  }
  facts.shuffle = has (names.extensions, "cl_khr_subgroup_shuffle ");
  facts.most_turns = has (device, "llvmpipe") ? 65535 : 0; // Mesa's LP_MAX_TGSI_LOOP_ITERATIONS
  // NVIDIA's drivers since version 520 compile half although they do not list this extension.
  facts.half = has (names.extensions, "cl_khr_fp16 ");
}

} // namespace sino
