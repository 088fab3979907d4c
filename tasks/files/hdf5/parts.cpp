// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/hdf5/parts.hpp"
#include "base/error.hpp"
#include "base/files/confinement.hpp"
#include "base/files/paths.hpp"
#include "tasks/files/hdf5/file.hpp"
#include "tasks/files/hdf5/structure.hpp"
#include <algorithm>
#include <sys/stat.h>

namespace sino::files {

using namespace formats;

namespace {

constexpr char shared_images[] = "/exchange/data";

// Links are none.
bool is_regular (const std::string &path)
{
  struct stat status {
  };
  return lstat (path.c_str (), &status) == 0 && S_ISREG (status.st_mode);
}

// Whether this file says that the output refers to it.
bool belongs_to (const std::string &path, const std::string &output)
{
  const Hdf5File file (path);
  return file.exists (shared_images) && file.text_attribute (shared_images, part_of) == file_name (output);
}

// The names that files with the images of this output may have; none if it is not HDF5.
std::vector<std::string> possible_parts (const std::string &output)
{
  std::vector<std::string> paths;
  for (int i = 0; has_suffix (output, hdf5_suffixes) && i < most_files; i++)
    paths.push_back (name_of_part (output, i));
  return paths;
}

} // namespace

// Both must agree: the file may have been copied or renamed, and the parts may be those of another program.
std::vector<std::string> existing_parts (const std::string &output, std::string *unclear)
{
  const auto note = [unclear] (const Error &error) {
    if (unclear && unclear->empty ())
      *unclear = error.what ();
  };
  auto paths = possible_parts (output);
  std::erase_if (paths, [] (const auto &path) { return !is_regular (path); });
  if (paths.empty () || !is_regular (output))
    return {};
  std::vector<hdf5::PixelSource> sources;
  try {
    const Hdf5File file (output);
    if (file.exists (shared_images))
      if (auto facts = file.describe (shared_images); facts.layout == hdf5::Layout::assembled)
        sources = std::move (facts.sources);
  } catch (const Error &error) { // damaged, of another format, or it cannot be opened
    note (error);
  }
  std::erase_if (paths, [&] (const auto &path) {
    const auto name = file_name (path);
    try {
      return std::ranges::none_of (sources, [&] (const auto &source) { return source.file == name; }) ||
             !belongs_to (path, output);
    } catch (const Error &error) {
      note (error);
      return true;
    }
  });
  return paths;
}

std::vector<std::string> with_old_parts (std::vector<std::string> names, const std::vector<std::string> &outputs,
                                         const Planned &planned)
{
  if (planned.overwrite && !planned.pattern.numbered ())
    for (auto &part : existing_parts (planned.name (0)))
      if (std::ranges::find (outputs, part) == outputs.end ())
        names.push_back (std::move (part));
  return names;
}

std::vector<std::string> with_possible_parts (std::vector<std::string> outputs, const std::string &output,
                                              const Planned &planned)
{
  if (!planned.pattern.numbered ())
    for (auto &part : possible_parts (planned.name (0)))
      outputs.push_back (std::move (part));
  outputs.push_back (checksums_path (output));
  return outputs;
}

void check_parts (const Planned &planned)
{
  if (!planned.spread ())
    return;
  const auto output = planned.name (0);
  check_place_confined (output);
  std::optional<std::vector<std::string>> own; // found only if it is needed, because that takes time
  std::string unclear;
  for (int i = 0; i < planned.files; i++) {
    const auto path = planned.part_name (i);
    struct stat status {
    };
    if (lstat (path.c_str (), &status) != 0 || S_ISDIR (status.st_mode)) // others report folders
      continue;
    if (!own)
      own = existing_parts (output, &unclear);
    if (std::ranges::find (*own, path) != own->end ())
      continue;
    if (!unclear.empty ())
      fail (
          SINO_ERROR_EXISTS,
          "'%s' exists, and whether it belongs to '%s' cannot be found out: %s: mend that, or give path= another name",
          path.c_str (), output.c_str (), unclear.c_str ());
    fail (SINO_ERROR_EXISTS,
          "'%s' exists, but belongs to no '%s', and may have images of another file: remove or rename it, or give "
          "path= another name",
          path.c_str (), output.c_str ());
  }
}

} // namespace sino::files
