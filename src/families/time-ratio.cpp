// SPDX-License-Identifier: LGPL-3.0-or-later
#include "families/time-ratio.hpp"
#include "api/sino-version.h"
#include "base/error.hpp"
#include "base/files/paths.hpp"
#include "base/text.hpp"
#include "device/devices.hpp"
#include "device/opencl.hpp"
#include "device/program-cache.hpp"
#include "families/choice.hpp"
#include "families/findings.hpp"
#include "families/kernels.hpp"
#include <algorithm>
#include <cmath>

namespace sino::families {

namespace {

constexpr double most_ratio = 30;
constexpr double least_change = 1.1; // a ratio varies by some percent from run to run

const std::string in_name = "time-of-"; // of a file, before the family

double clamped (double ratio)
{
  return std::clamp (ratio, 1 / most_ratio, most_ratio);
}

std::string mark_of (const OpenclDevice &device)
{
  return program_key ({SINO_VERSION, device.identity ()});
}

struct Kept {
  double ratio = 0; // 0: none
  std::string about;
};

Kept kept_in (const std::string &finding)
{
  const auto end = std::min (finding.find ('\n'), finding.size ());
  double ratio = 0;
  if (!parse_number (finding.substr (0, end), ratio) || !std::isfinite (ratio) || ratio <= 0)
    return {};
  return {clamped (ratio), finding.substr (std::min (end + 1, finding.size ()))};
}

} // namespace

bool keeps_time_ratios (const Device &device)
{
  return device.kind == Device::Kind::opencl && as_opencl (device).is_gpu && device.own_memory () > 0;
}

// Whatever may decide the speed besides numbers of the scan, which are in the prediction. The version stands for the
// formulas of predictions.
RatioFile ratio_file (const OpenclDevice &device, const Use &use, int lanes)
{
  const auto &family = use.family ();
  const auto &choice = use.choice (device, lanes);
  const auto &kernel = *choice.setting.kernel;
  std::vector<std::string> depends{SINO_VERSION, kernel.name, kernel.source.read (kernel.source.name),
                                   lanes_text (choice.lanes)};
  for (const auto &parameter : kernel.parameters)
    depends.push_back (text ("%s=%d", parameter.name, choice.setting[parameter.name]));
  auto name = choice.setting.text ();
  if (!family.any_lanes)
    name += ", " + lanes_text (choice.lanes);
  for (const auto &word : family.words)
    if (const auto value = use.problem ().words.find (word.name);
        !word.values.empty () && value != use.problem ().words.end ()) {
      depends.push_back (text ("%s=%s", word.name, value_text (word, value->second).c_str ()));
      name += ", " + depends.back ();
    }
  return {finding_path (device, in_name + family.name, depends), mark_of (device) + "\n" + name};
}

double kept_time_ratio (const std::string &path)
{
  return kept_in (read_sealed (path)).ratio;
}

void keep_time_ratio (const RatioFile &file, double ratio)
{
  const auto kept = kept_in (read_sealed (file.path));
  const auto found = clamped (ratio);
  if (kept.about != file.about || std::max (kept.ratio, found) > least_change * std::min (kept.ratio, found))
    keep_sealed (file.path, text ("%.3g\n%s", found, file.about.c_str ()));
}

std::vector<KeptRatio> kept_time_ratios (const OpenclDevice &device)
{
  std::vector<KeptRatio> all;
  const auto begin = mark_of (device) + "\n";
  for (const auto &file : names_in (findings_folder ()).list)
    if (const auto at = file.find ("-" + in_name); at != file.npos)
      if (const auto kept = kept_in (unsealed (look_at_finding (findings_folder () + "/" + file)));
          kept.ratio > 0 && kept.about.starts_with (begin))
        all.push_back ({file.substr (at + 1 + in_name.size ()), kept.about.substr (begin.size ()), kept.ratio});
  std::ranges::sort (all);
  return all;
}

} // namespace sino::families
