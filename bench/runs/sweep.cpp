// SPDX-License-Identifier: LGPL-3.0-or-later
#include "bench/runs/sweep.hpp"
#include "base/text.hpp"
#include "run/switches.hpp"

namespace sino::bench {

namespace {

class Sweep
{
public:
  Sweep (const BenchOptions &o, const std::function<Timing (const BenchOptions &)> &m) : options (o), measure (m)
  {
    for (const auto &each : switches ())
      (no_difference (options.run, each).empty () ? useful : useless).push_back (&each);
  }

  void report (Report &report)
  {
    const auto all = seconds ({});
    report.number ("seconds", all);
    report.row ({"all on", seconds_text (all), "1"});
    for (size_t i = 0; i < useful.size (); i++)
      without (all, {useful[i]}, report);
    for (size_t i = 0; i < useful.size (); i++)
      for (size_t k = i + 1; k < useful.size (); k++)
        without (all, {useful[i], useful[k]}, report);
    for (const auto *each : useless) {
      const auto why = no_difference (options.run, *each);
      report.row ({each->name, "no meaning", why});
      no_meaning.push_back (text ("\"%s\": \"%s\"", each->name, why.c_str ()));
    }
    report.literal ("without", "[" + join (found) + "]");
    report.literal ("no_meaning", "{" + join (no_meaning) + "}");
    report.remark ("Seconds of a run, and their ratio to all on, with these switched off.");
  }

private:
  using Off = std::vector<const Switch *>;

  const BenchOptions &options;
  const std::function<Timing (const BenchOptions &)> &measure;
  Off useful, useless;
  std::vector<std::string> found, no_meaning;

  double seconds (const Off &off) const
  {
    auto with = options;
    for (const auto &each : switches ())
      set_switch (with.run, each, true);
    for (const auto *each : off)
      set_switch (with.run, *each, false);
    return measure (with).median;
  }

  void without (double all, const Off &off, Report &report)
  {
    const auto time = seconds (off);
    const auto name = [] (const Switch *each) { return std::string (each->name); };
    const auto quoted = [] (const Switch *each) { return text ("\"%s\"", each->name); };
    report.row ({join (off, " and ", name), seconds_text (time), digits (time / all)});
    found.push_back (text ("{\"off\": [%s], \"seconds\": %s, \"ratio\": %s}", join (off, ", ", quoted).c_str (),
                           json_number (time).c_str (), json_number (time / all).c_str ()));
  }
};

} // namespace

void report_sweep (const BenchOptions &options, const std::function<Timing (const BenchOptions &)> &measure,
                   Report &report)
{
  Sweep (options, measure).report (report);
}

} // namespace sino::bench
