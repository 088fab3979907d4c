// SPDX-License-Identifier: LGPL-3.0-or-later
#include "bench/runs/files.hpp"
#include "base/error.hpp"
#include "run/memory.hpp"
#include "run/task-harness.hpp"
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <linux/magic.h>
#include <sys/vfs.h>

namespace sino::bench {

static const std::string &swept (const std::string &folder)
{
  for (const auto &path : TemporaryFolder::remove_abandoned (folder))
    fprintf (stderr, "sinograph: removed '%s', which was left by an interrupted benchmark\n", path.c_str ());
  return folder;
}

FilesFolder::FilesFolder (const std::string &parent) : folder (swept (parent)) {}

void require_room (const std::string &folder, double bytes)
{
  std::error_code failed;
  const auto space = std::filesystem::space (folder, failed);
  struct statfs system {
  };
  if (failed || statfs (folder.c_str (), &system) != 0)
    return; // the code that makes the folder reports the error
  auto room = static_cast<double> (space.available);
  const auto in_memory = system.f_type == TMPFS_MAGIC;
  if (in_memory)
    room = std::min (room, available_memory ());
  if (bytes > room)
    fail (SINO_ERROR_NO_SPACE,
          "the run's files need %s, but '%s'%s has only %s free: give another --folder, fewer --slices or a smaller "
          "--size, or --to=null",
          bytes_text (bytes).c_str (), folder.c_str (), in_memory ? ", which is in memory," : "",
          bytes_text (room).c_str ());
}

void write_scan (const std::string &path, const Properties &beam, const BenchOptions &options)
{
  Node simulate{"simulate",
                {{"projections", number (options.projections)},
                 {"photons", photons},
                 {"flats", flats},
                 {"darks", "10"},
                 {"type", "u16"}}};
  simulate.properties.insert (simulate.properties.end (), beam.begin (), beam.end ());
  run_whole ({simulate, {"write", {{"path", path}}}}, options);
}

int64_t write_repeated_scan (const FilesFolder &files, const std::string &path, const BenchOptions &options)
{
  const auto rows = std::min<int64_t> (options.slices, 5);
  const auto few = rows < options.slices ? files.path ("few-rows.h5") : path;
  write_scan (few, {{"width", number (options.size)}, {"height", number (rows)}}, options);
  if (rows < options.slices) {
    run_whole ({{"read", {{"path", few}}},
                {"pad", {{"bottom", number (options.slices - rows)}, {"mode", "reflect"}}},
                {"write", {{"path", path}}}},
               options);
    std::filesystem::remove (few);
  }
  return rows;
}

Node slices_sink (const std::string &folder, const BenchOptions &options)
{
  if (options.to == "null")
    return {"null", {}};
  if (options.to == "hdf5")
    return {"write", {{"path", folder + "/slices.h5"}, {"files", number (options.files)}}};
  if (options.files > 1)
    fail (SINO_ERROR_BAD_PROPERTY, "--files=%d is for slices in HDF5: set --to=hdf5", options.files);
  return {"write", {{"path", folder + "/%05i.tif"}}};
}

std::string path_of_slices (const std::string &folder, const BenchOptions &options)
{
  return folder + (options.to == "hdf5" ? "/slices.h5" : "/*.tif");
}

std::vector<Block> read_slices (const std::string &path, const Rows &rows)
{
  const auto task = make_task ("read", {{"path", path}, {"axes", "slices"}});
  TaskHarness read (*task, {}, {});
  auto blocks = read.output_blocks (rows, batch);
  read.run ({}, blocks);
  return blocks;
}

} // namespace sino::bench
