// SPDX-License-Identifier: LGPL-3.0-or-later
#include "families/time-ratio.hpp"
#include "api/sino-version.h"
#include "base/error.hpp"
#include "base/text.hpp"
#include "device/devices.hpp"
#include "device/opencl.hpp"
#include "families/choice.hpp"
#include "families/findings.hpp"
#include "families/kernels.hpp"
#include <algorithm>
#include <cmath>

namespace sino::families {

namespace {

constexpr double most_ratio = 30;
constexpr double least_change = 1.1; // a ratio varies by some percent from run to run

double clamped (double ratio)
{
  return std::clamp (ratio, 1 / most_ratio, most_ratio);
}

} // namespace

bool keeps_time_ratios (const Device &device)
{
  return device.kind == Device::Kind::opencl && as_opencl (device).is_gpu && device.own_memory () > 0;
}

// Whatever may decide the speed besides numbers of the scan, which are in the prediction. The version stands for the
// formulas of predictions.
std::string time_ratio_path (const OpenclDevice &device, const Use &use, int lanes)
{
  const auto &family = use.family ();
  const auto &choice = use.choice (device, lanes);
  const auto &kernel = *choice.setting.kernel;
  std::vector<std::string> depends{SINO_VERSION, kernel.name, kernel.source.read (kernel.source.name),
                                   lanes_text (choice.lanes)};
  for (const auto &parameter : kernel.parameters)
    depends.push_back (text ("%s=%d", parameter.name, choice.setting[parameter.name]));
  for (const auto &word : family.words)
    if (const auto value = use.problem ().words.find (word.name);
        !word.values.empty () && value != use.problem ().words.end ())
      depends.push_back (text ("%s=%s", word.name, value_text (word, value->second).c_str ()));
  return finding_path (device, text ("time-of-%s", family.name), depends);
}

double kept_time_ratio (const std::string &path)
{
  double ratio = 0;
  return parse_number (read_sealed (path), ratio) && std::isfinite (ratio) && ratio > 0 ? clamped (ratio) : 0;
}

void keep_time_ratio (const std::string &path, double ratio)
{
  const auto kept = kept_time_ratio (path), found = clamped (ratio);
  if (kept <= 0 || std::max (kept, found) > least_change * std::min (kept, found))
    keep_sealed (path, text ("%.3g", found));
}

} // namespace sino::families
