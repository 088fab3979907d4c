// SPDX-License-Identifier: LGPL-3.0-or-later
#include "bench/runs/sweep.hpp"
#include "base/text.hpp"
#include "run/switches.hpp"
#include <algorithm>

namespace sino::bench {

void report_sweep (const BenchOptions &options, const std::function<Timing (const BenchOptions &)> &measure,
                   Report &report)
{
  using Off = std::vector<const Switch *>;
  Off useful;
  std::vector<std::string> no_meaning, found;
  const auto seconds = [&] (const Off &off) {
    auto with = options;
    for (const auto &each : switches ())
      set_switch (with.run, each, std::ranges::count (off, &each) == 0);
    return measure (with).median;
  };
  const auto all = seconds ({});
  report.duration ("seconds", all, "all on", "1");
  const auto without = [&] (const Off &off) {
    const auto time = seconds (off);
    const auto name = [] (const Switch *each) { return std::string (each->name); };
    const auto quoted = [] (const Switch *each) { return text ("\"%s\"", each->name); };
    report.row ({join (off, " and ", name), seconds_text (time), digits (time / all)});
    found.push_back (text ("{\"off\": [%s], \"seconds\": %s, \"ratio\": %s}", join (off, ", ", quoted).c_str (),
                           json_number (time).c_str (), json_number (time / all).c_str ()));
  };
  for (const auto &each : switches ())
    if (no_difference (options.run, each).empty ())
      useful.push_back (&each);
  for (const auto *each : useful)
    without ({each});
  for (size_t i = 0; i < useful.size (); i++)
    for (size_t k = i + 1; k < useful.size (); k++)
      without ({useful[i], useful[k]});
  for (const auto &each : switches ())
    if (const auto why = no_difference (options.run, each); !why.empty ()) {
      report.row ({each.name, "no effect", why});
      no_meaning.push_back (text ("\"%s\": \"%s\"", each.name, why.c_str ()));
    }
  report.literal ("without", "[" + join (found) + "]");
  report.literal ("no_meaning", "{" + join (no_meaning) + "}");
  report.remark ("Seconds of a run with these switches off, and their ratio to a run with all on.");
}

} // namespace sino::bench
