// SPDX-License-Identifier: LGPL-3.0-or-later
#include "monitor/volume/volume.hpp"
#include "base/error.hpp"
#include "formats/open.hpp"
#include "glue/facets.hpp"
#include "graph/graph.hpp"
#include "graph/properties.hpp"
#include <filesystem>

namespace sino::monitor {

namespace fs = std::filesystem;

namespace {

struct Negotiated {
  std::unique_ptr<Task> task; // owns what `format` was made of
  Format format;
};

// What a node 'read' finds in the files.
Negotiated negotiate (const scan::LineNode &read)
{
  Graph graph;
  const auto &node = graph.nodes ()[graph.add ("read")];
  for (const auto &[property, value] : read.settings)
    set_property (node, property, value);
  auto task = snapshot (node.task.get ());
  auto format = task->negotiate ({});
  return {std::move (task), std::move (format)};
}

// The folder of slices, where the path is a folder that 'reconstruct' has left.
std::string path_of_images (const std::string &path)
{
  const auto slices = fs::path (path) / "slices";
  std::error_code code;
  return fs::is_directory (slices, code) && fs::exists (fs::path (path) / "graph.json", code) ? slices.string () : path;
}

} // namespace

std::array<double, 3> pixel_of (const Format &format, Kind kind)
{
  if (!format.geometry || !format.geometry->pixel_size)
    return {};
  const double across = *format.geometry->pixel_size, down = across * format.geometry->rows_apart;
  return kind == Kind::slices        ? std::array{across, across, across}
         : kind == Kind::projections ? std::array{0., down, across}
                                     : std::array{down, 0., across};
}

namespace {

bool has_angles (const Format &format)
{
  return format.geometry && !format.geometry->angles.empty ();
}

Volume volume_of (const scan::LineNode &read, const std::string &path, Kind kind)
{
  const auto found = negotiate (read);
  Volume volume{.kind = kind};
  volume.path = read.value_of ("path");
  const auto whole = fs::absolute (path).lexically_normal ();
  volume.title = (whole.has_filename () ? whole : whole.parent_path ()).filename ().string ();
  volume.pixel = pixel_of (found.format, kind);
  volume.messages = found.task->warnings ();
  volume.stack = facet<Reads> (*found.task).images ();
  if (!volume.stack)
    fail (SINO_ERROR_BAD_FORMAT,
          "'%s' can only be read from its first to its last image: convert it first, as by 'sinograph launch read "
          "path=... ! write path=volume.h5'",
          path.c_str ());
  return volume;
}

} // namespace

namespace {

// The further resolutions of an OME-Zarr. What is no half of the one before is left out, with those after it.
void add_resolutions (const scan::LineNode &read, Volume &volume)
{
  if (!fs::is_directory (volume.path) || !formats::has_suffix (volume.path, {".zarr"}) ||
      !read.value_of ("dataset").empty ())
    return;
  const auto half = [] (int64_t n) { return (n + 1) / 2; };
  for (int level = 1; level < 16; level++)
    try {
      auto next = read;
      const auto found = negotiate (next.set ("dataset", std::to_string (level)));
      const auto stack = facet<Reads> (*found.task).images ();
      const auto &before = volume.coarser.empty () ? *volume.stack : *volume.coarser.back ();
      if (!stack || stack->pages != half (before.pages) || stack->lines != half (before.lines) ||
          stack->columns != half (before.columns))
        return;
      volume.coarser.push_back (stack);
    } catch (const Error &) { // there is no further one
      return;
    }
}

} // namespace

Opened open_path (const std::string &path, Kind kind, const scan::Wishes &wishes)
{
  const auto images = path_of_images (path);
  scan::LineNode read{"read"};
  read.set ("path", images).set ("raw", wishes.raw ? wishes.raw : "");
  if (kind != Kind::slices && images == path)
    try {
      const auto seen = scan::look_at_scan (path, wishes);
      if (has_angles (seen.format))
        return {volume_of (seen.read, path, seen.format.kind ()), true};
      if (kind != Kind::other)
        return {volume_of (seen.read, path, seen.format.kind ()), false};
      read = seen.read; // of a folder, only the images
    } catch (const Error &) {
      if (kind != Kind::other)
        throw;
    }
  scan::LineNode slices{"read"};
  slices.set ("path", read.value_of ("path")).set ("raw", read.value_of ("raw"));
  auto volume = volume_of (slices.set ("missing", "zero"), path, Kind::slices);
  add_resolutions (slices, volume);
  return {std::move (volume), false};
}

} // namespace sino::monitor
