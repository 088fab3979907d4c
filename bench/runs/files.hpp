// SPDX-License-Identifier: LGPL-3.0-or-later
// Files of whole runs: where they are, whether they have room, and the scan that runs begin with.
#pragma once
#include "base/files/temporary-folder.hpp"
#include "bench/runs/whole-run.hpp"

namespace sino::bench {

// A new folder in `parent`, without those that benchmarks which were killed had left there, which is told. It goes with
// all that is in it, also when the benchmark is interrupted.
class FilesFolder
{
public:
  explicit FilesFolder (const std::string &parent);
  std::string path (const char *name) const { return folder.path () + "/" + name; }

private:
  const TemporaryFolder folder;
};

// Throws SINO_ERROR_NO_SPACE where `folder` has no room for files of so many bytes, be it on a disk or in memory.
void require_room (const std::string &folder, double bytes);

// Writes a scan of u16 counts with noise, simulated by `beam`, properties of simulate.
void write_scan (const std::string &path, const Properties &beam, const BenchOptions &options);

// The same of a parallel beam with a row for each slice. A few rows are simulated, with noise of their own each, and
// repeated back and forth over the height, as to simulate all of a large scan would take far longer than the run. Says
// how many.
int64_t write_repeated_scan (const FilesFolder &files, const std::string &path, const BenchOptions &options);

} // namespace sino::bench
