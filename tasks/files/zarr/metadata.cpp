// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/zarr/metadata.hpp"
#include "base/files/paths.hpp"
#include "base/text.hpp"
#include "tasks/files/sizes.hpp"
#include "tasks/files/stated.hpp"
#include <algorithm>
#include <bit>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace sino::files {

using namespace formats;

namespace {

std::string whole_list (const std::array<int64_t, 3> &values)
{
  return "[" + join (values, ", ", [] (int64_t v) { return std::to_string (v); }) + "]";
}

std::string number_list (const std::array<double, 3> &values)
{
  return "[" + join (values, ", ", shortest) + "]";
}

// Values of a level are means, so they lie in the centre of the voxels that they cover.
std::string dataset (const Level &level, size_t number, const std::array<double, 3> &spacing)
{
  std::array<double, 3> scale, shift;
  for (size_t i = 0; i < 3; i++) {
    const auto step = spacing[i] > 0 ? spacing[i] : 1;
    scale[i] = step * static_cast<double> (level.reduced[i]);
    shift[i] = step * 0.5 * static_cast<double> (level.reduced[i] - 1);
  }
  return "        {\"path\": \"" + std::to_string (number) +
         "\", \"coordinateTransformations\": [{\"type\": \"scale\", \"scale\": " + number_list (scale) +
         "}, {\"type\": \"translation\", \"translation\": " + number_list (shift) + "}]}";
}

} // namespace

const char *blosc_name (Compression compression)
{
  return compression == Compression::zstd ? "zstd" : compression == Compression::lz4 ? "lz4" : nullptr;
}

std::string zarr_array (const Level &level, Element element, Compression compression)
{
  constexpr const char *types[] = {"|u1", "<u2", "<f2", "<f4"}, *big[] = {"|u1", ">u2", ">f2", ">f4"};
  const auto *type = (std::endian::native == std::endian::little ? types : big)[static_cast<size_t> (element)];
  const auto *packer = blosc_name (compression);
  const auto compressor = packer ? text ("{\"id\": \"blosc\", \"cname\": \"%s\", \"clevel\": %d, \"shuffle\": 1, "
                                         "\"blocksize\": 0}",
                                         packer, blosc_level)
                                 : std::string ("null");
  return "{\n  \"zarr_format\": 2,\n  \"shape\": " + whole_list (level.extent) +
         ",\n  \"chunks\": " + whole_list (level.chunk) + ",\n  \"dtype\": \"" + type +
         "\",\n  \"compressor\": " + compressor +
         ",\n  \"fill_value\": 0,\n  \"order\": \"C\",\n  \"filters\": null,\n  "
         "\"dimension_separator\": \"/\"\n}\n";
}

std::string zarr_array_attributes (const Planned &planned)
{
  const auto stated = stated_values (planned);
  std::vector<std::string> members;
  if (stated.scale) {
    members.push_back ("\"scale_factor\": " + shortest (stated.scale->slope));
    members.push_back ("\"add_offset\": " + shortest (stated.scale->offset));
  }
  if (!stated.unit.empty ())
    members.push_back ("\"units\": \"" + stated.unit + "\"");
  return members.empty () ? "" : "{\n  " + join (members, ",\n  ") + "\n}\n";
}

std::string zarr_attributes (const Planned &planned, const std::vector<Level> &levels)
{
  const auto spacing = spacing_of (planned.format);
  std::string axes, datasets;
  constexpr const char *names[] = {"z", "y", "x"};
  for (size_t i = 0; i < 3; i++)
    axes += std::string (i > 0 ? ", " : "") + "{\"name\": \"" + names[i] + "\", \"type\": \"space\"" +
            (spacing[i] > 0 ? std::string (", \"unit\": \"") + names_of (planned.unit).word + "\"" : "") + "}";
  for (size_t i = 0; i < levels.size (); i++)
    datasets += (i > 0 ? ",\n" : "") + dataset (levels[i], i, spacing);
  return "{\n  \"multiscales\": [\n    {\n      \"version\": \"0.4\",\n      \"axes\": [" + axes +
         "],\n      \"datasets\": [\n" + datasets +
         "\n      ],\n      \"type\": \"mean\"\n    }\n  ],\n  \"sinograph\": " + planned.provenance + "\n}\n";
}

// Whether a folder and its subfolders contain only names that an OME-Zarr has.
static bool has_names_of_zarr (const std::string &folder, bool top)
{
  const auto names = names_in (folder);
  if (names.error != 0)
    fail_file ("cannot read", folder, names.error);
  for (const auto &name : names.list) {
    const bool numbered = // a level, or an index of a chunk
        std::ranges::all_of (name, [top] (char c) { return (c >= '0' && c <= '9') || (c == '.' && !top); }) &&
        name[0] != '.';
    const bool head = name == ".zattrs" || name == (top ? ".zgroup" : ".zarray") ||
                      (top && (name == ".sinograph" || name == zarr_sums));
    if (!numbered && !head)
      return false;
    std::error_code failed;
    auto inside = folder + "/";
    inside += name;
    if (std::filesystem::is_directory (std::filesystem::symlink_status (inside, failed)) &&
        !has_names_of_zarr (inside, false))
      return false;
  }
  return true;
}

bool is_ome_zarr (const std::string &folder)
{
  if (!has_names_of_zarr (folder, true))
    return false;
  std::ifstream attributes (folder + "/.zattrs");
  if (!attributes && errno != ENOENT)
    fail_file ("cannot read", folder + "/.zattrs", errno);
  const std::string words (std::istreambuf_iterator<char> (attributes), {});
  return access ((folder + "/.zgroup").c_str (), F_OK) == 0 && words.find ("\"multiscales\"") != words.npos;
}

} // namespace sino::files
