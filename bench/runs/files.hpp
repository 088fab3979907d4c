// SPDX-License-Identifier: LGPL-3.0-or-later
// Files of whole runs: their folder, a check of free space, and the scan.
#pragma once
#include "base/files/temporary-folder.hpp"
#include "bench/runs/whole-run.hpp"

namespace sino::bench {

// A new folder in `parent`. Removes folders left by killed benchmarks, with a message. The folder and its content are
// removed at the end, also after an interruption.
class FilesFolder
{
public:
  explicit FilesFolder (const std::string &parent);
  std::string path (const char *name) const { return folder.path () + "/" + name; }

private:
  const TemporaryFolder folder;
};

// Throws SINO_ERROR_NO_SPACE if `folder`, on a disk or in memory, has no space for files of `bytes` bytes.
void require_room (const std::string &folder, double bytes);

// Writes a scan of u16 counts with noise, simulated with `beam`, properties of simulate.
void write_scan (const std::string &path, const Properties &beam, const BenchOptions &options);

// The same for a parallel beam with a row for each slice. A few rows are simulated, each with its own noise, and
// repeated back and forth over the height, because simulating all rows of a large scan would take much longer than the
// run. Returns the number of simulated rows.
int64_t write_repeated_scan (const FilesFolder &files, const std::string &path, const BenchOptions &options);

// The node that writes slices into a folder as the options say; path_of_slices (): of what it writes, to be read.
Node slices_sink (const std::string &folder, const BenchOptions &options);
std::string path_of_slices (const std::string &folder, const BenchOptions &options);

// Slices of a file, or of files with a pattern of names.
std::vector<Block> read_slices (const std::string &path, const Rows &rows);

} // namespace sino::bench
