// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/text.hpp"
#include "bench/machine.hpp"
#include "bench/timing.hpp"
#include "kernels/back-project/native/cell.hpp"

namespace sino::bench {

namespace {

// Description of an operation.
const char *about (peaks::Operation operation)
{
  constexpr const char *texts[peaks::operations] = {"of floats",
                                                    "of floats: alternating multiply-adds and additions",
                                                    "of 16-bit integers, summed in 32 bits",
                                                    "aligned vectors",
                                                    "4 bytes",
                                                    "lookups in vectors",
                                                    "from the L1 cache"};
  return texts[static_cast<size_t> (operation)];
}

// "L1 loads" -> "l1_loads"
std::string key_of (const std::string &name)
{
  std::string key;
  for (const char c : name)
    key += g_ascii_isalnum (c) ? g_ascii_tolower (c) : '_';
  return key;
}

std::string json (const Peaks &peaks)
{
  auto out = text ("{\"threads\": %d", peaks.threads);
  const auto add = [&] (const std::string &key, double value) { out += ", \"" + key + "\": " + json_number (value); };
  for (size_t i = 0; i < peaks::operations; i++)
    add (key_of (peaks::name_of (static_cast<peaks::Operation> (i))), peaks.operations[i]);
  add ("l2_bytes", peaks.l2);
  add ("memory_bytes", peaks.memory);
  add ("copy_bytes", peaks.copy);
  return out + "}";
}

} // namespace

void bench_peaks (const BenchOptions &options, Report &report)
{
  report.word ("instruction_set", back_project::instruction_set ());
  report.integer ("vector_bytes", peaks::vector_bytes ());
  report.headline (text ("%s, %s: vectors of %d bytes, G/s", options.device->name.c_str (),
                         back_project::instruction_set (), peaks::vector_bytes ()));
  std::vector<Peaks> all;
  for (const int threads : thread_counts (options.threads))
    all.push_back (measure_peaks (threads));
  report.literal ("peaks", "[\n    " + join (all, ",\n    ", json) + "\n  ]");

  std::vector<std::string> head{"threads"};
  for (const auto &peaks : all)
    head.push_back (text ("%d", peaks.threads));
  report.row (head);
  const auto row = [&] (const char *name, const char *unit, auto peak) {
    std::vector<std::string> cells{name};
    for (const auto &peaks : all)
      cells.push_back (peak (peaks) > 0 ? digits (1e-9 * peak (peaks)) : "-");
    cells.push_back (unit);
    report.row (cells);
  };
  for (size_t i = 0; i < peaks::operations; i++)
    row (peaks::name_of (static_cast<peaks::Operation> (i)), about (static_cast<peaks::Operation> (i)),
         [i] (const Peaks &peaks) { return peaks.operations[i]; });
  row ("L2 bandwidth", "bytes read", [] (const Peaks &peaks) { return peaks.l2; });
  row ("memory bandwidth", "bytes read", [] (const Peaks &peaks) { return peaks.memory; });
  row ("copy", "bytes read and bytes written", [] (const Peaks &peaks) { return peaks.copy; });
}

} // namespace sino::bench
