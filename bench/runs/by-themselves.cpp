// SPDX-License-Identifier: LGPL-3.0-or-later
#include "bench/runs/by-themselves.hpp"
#include "bench/timing.hpp"
#include "run/task-harness.hpp"
#include <algorithm>
#include <optional>

namespace sino::bench {

ByThemselves::ByThemselves (const Nodes &nodes, const BenchOptions &o, Share s, size_t kept) : options (o), share (s)
{
  std::vector<std::shared_ptr<const Format>> formats;
  for (const auto &[type, properties] : nodes) {
    auto &task = *tasks.emplace_back (make_task (type, properties));
    const auto *input = formats.empty () ? nullptr : formats.back ().get ();
    formats.push_back (std::make_shared<const Format> (task.negotiate (at_first_port (task, input))));
  }
  wanted.assign (tasks.size (), 1);
  for (size_t i = tasks.size () - 1; i > 0; i--)
    wanted[i - 1] = tasks[i]->wanted_lanes (*options.device, wanted[i]);
  const auto all = formats.back ()->rows ();
  const auto some = share == Share::all ? all : std::min<int64_t> (all, *std::ranges::max_element (wanted));
  scale = static_cast<double> (all) / static_cast<double> (some);
  rows.assign (tasks.size (), {0, some});
  for (size_t i = tasks.size () - 1; i > 0; i--)
    rows[i - 1] = tasks[i]->demand (0, *formats[i - 1], rows[i]);
  std::vector<Block> blocks;
  for (size_t i = 0; i < tasks.size (); i++) {
    blocks = run (i, blocks);
    if (i == kept)
      kept_output = blocks;
  }
  last_output = std::move (blocks);
}

std::vector<Block> ByThemselves::run (size_t i, const std::vector<Block> &input)
{
  auto &task = *tasks[i];
  const auto formats = at_first_port (task, input.empty () ? nullptr : input[0].format_pointer ());
  const auto from = at_first_port (task, input);
  std::optional<TaskHarness> alone;
  std::vector<Block> to;
  const auto times_of = measure (options.runs, [&] {
    if (!alone || share == Share::all) {
      to.clear ();
      alone.emplace (task, formats,
                     TaskHarness::Conditions{.device = options.device.get (),
                                             .threads = options.threads,
                                             .lanes = 0,
                                             .wanted = wanted[i],
                                             .rows = rows[i],
                                             .batch = share == Share::all ? 0 : batch});
      if (task.has_output ())
        to = alone->output_blocks (rows[i], batch);
    }
    alone->run (from, to);
  });
  times.push_back (times_of.median);
  kernels.push_back (1e-6 * static_cast<double> (alone->counted ()["kernel-microseconds"]));
  return to;
}

} // namespace sino::bench
