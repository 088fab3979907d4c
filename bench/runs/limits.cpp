// SPDX-License-Identifier: LGPL-3.0-or-later
#include "bench/runs/limits.hpp"
#include "base/text.hpp"
#include "device/bus.hpp"
#include <algorithm>

namespace sino::bench {

void Limits::report (double seconds, Report &report) const
{
  std::vector<std::string> list;
  for (const auto &limit : all) {
    list.push_back (text ("\"%s\": %s", limit.key, json_number (limit.seconds).c_str ()));
    report.row ({limit.name, seconds_text (limit.seconds),
                 text ("%.0f %% of the time: ", 100 * limit.seconds / seconds) + limit.about});
  }
  const auto &most = *std::ranges::max_element (all, {}, &Limit::seconds);
  report.literal ("limits", "{" + join (list) + "}");
  report.word ("bound_by", most.key);
  report.figure ("ratio", seconds / most.seconds, "ratio", "",
                 text ("of the time to the largest of these, %s", most.name));
}

std::string rate_text (double bytes, double seconds)
{
  return text ("%s GB at %s GB/s", digits (1e-9 * bytes).c_str (), digits (1e-9 * bytes / seconds).c_str ());
}

std::optional<Limit> bus_limit (const BenchOptions &options, double up, double down)
{
  Bus together{};
  for (const auto &device : options.devices) {
    if (device->own_memory () <= 0)
      return {};
    const auto bus = measure_bus (*device);
    together.up += bus.up, together.down += bus.down;
  }
  return Limit{.key = "bus",
               .name = "bus alone",
               .seconds = std::max (up / together.up, down / together.down),
               .about = text ("counts up at %s GB/s, slices down at %s GB/s", digits (1e-9 * together.up).c_str (),
                              digits (1e-9 * together.down).c_str ())};
}

std::optional<Limit> kernels_limit (const BenchOptions &options, const RunStatistics &statistics,
                                    const std::string &reconstructing)
{
  for (const auto &device : options.devices)
    if (device->kind == Device::Kind::native)
      return {};
  int64_t all = 0;
  bool told = false;
  for (const auto &task : statistics.tasks)
    if (const auto counter = task.counters.find ("kernel-microseconds"); counter != task.counters.end ()) {
      told |= task.node == reconstructing;
      all += counter->second;
    }
  if (!told)
    return {};
  return Limit{.key = "kernels",
               .name = "kernels alone",
               .seconds = 1e-6 * static_cast<double> (all) / static_cast<double> (options.devices.size ()),
               .about = "of all nodes in the run, by the device's clock"};
}

} // namespace sino::bench
