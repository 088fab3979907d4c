// SPDX-License-Identifier: LGPL-3.0-or-later
// A whole chain, from a simulated scan in a file of counts to a file per slice, as 'sinograph launch' runs it; then
// each of its tasks by itself: a run that overlaps well lasts little longer than its busiest task, or than its work
// takes on the processor.
#pragma once
#include "bench/runs/by-themselves.hpp"
#include "bench/runs/files.hpp"
#include <optional>

namespace sino::bench {

class Chain
{
public:
  // `beam`: properties of the simulated scan; `middle`: nodes from the file's counts to slices, a ramp-filter among
  // them.
  Chain (const BenchOptions &options, const Properties &beam, const Nodes &middle, ByThemselves::Share share);

  // What the error of the files is measured with: the filtered projections of the share, and slices of the files.
  Scan filtered () const { return {alone->output ()[0].format_pointer (), alone->output ()}; }
  std::vector<Block> slices (const Rows &rows) const;

  // `error`: root mean square of the files, relative.
  void report (double error, Report &report) const;

  double seconds () const { return runs.timing.median; }
  const Nodes &tasks () const { return nodes; }
  const ByThemselves &by_themselves () const { return *alone; }

private:
  const BenchOptions &options;
  const FilesFolder files;
  Nodes nodes;
  WholeRuns runs;
  std::optional<ByThemselves> alone;
};

} // namespace sino::bench
