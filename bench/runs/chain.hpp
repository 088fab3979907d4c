// SPDX-License-Identifier: LGPL-3.0-or-later
// Runs a whole chain as 'sinograph launch' does, from a simulated scan in a file of counts to one file per slice; then
// each of its tasks alone. A run with good overlap takes little longer than its slowest task, or than its total
// processor time allows.
#pragma once
#include "bench/runs/by-themselves.hpp"
#include "bench/runs/files.hpp"
#include <optional>

namespace sino::bench {

class Chain
{
public:
  // `beam`: properties of the simulated scan; `middle`: nodes from counts to slices, with a ramp-filter among them.
  Chain (const BenchOptions &options, const Properties &beam, const Nodes &middle, ByThemselves::Share share);

  // Data for measuring the error of the files: filtered projections of the computed slices, and slices from the files.
  Scan filtered () const { return {alone->output ()[0].format_pointer (), alone->output ()}; }
  std::vector<Block> slices (const Rows &rows) const { return read_slices (files.path ("slice-*.tif"), rows); }

  // `error`: relative root mean square error of the files.
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
