// SPDX-License-Identifier: LGPL-3.0-or-later
#include "files/target.hpp"
#include "base/error.hpp"
#include "base/temporary.hpp"
#include <algorithm>
#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>

namespace sino::files {

Target::~Target () = default;

Kept kept_as (const std::string &path, const Pattern &pattern)
{
  const auto dot = path.rfind ('.');
  auto ending = dot == path.npos || path.find ('/', dot) != path.npos ? "" : path.substr (dot);
  std::transform (ending.begin (), ending.end (), ending.begin (), g_ascii_tolower);
  if (ending == ".tif" || ending == ".tiff")
    return pattern.numbered () ? Kept::sequence : Kept::pages;
  if (ending != ".h5" && ending != ".hdf5" && ending != ".nxs")
    fail (SINO_ERROR_BAD_PROPERTY,
          "path=%s does not say what to write: name .tif, .tiff, .h5, .hdf5 or .nxs, for example slices/%%05i.tif",
          path.c_str ());
  if (pattern.numbered ())
    fail (SINO_ERROR_BAD_PROPERTY, "path=%s: an HDF5 file holds all of the stream, leave the number out",
          path.c_str ());
  return Kept::hdf5;
}

static std::string folder_of (const std::string &path)
{
  const auto slash = path.find_last_of ('/');
  return slash == path.npos ? "." : slash == 0 ? "/" : path.substr (0, slash);
}

// The nearest folder on the way to a file that is there already must take new ones.
static void check_folder (const std::string &path)
{
  struct stat status {
  };
  auto folder = folder_of (path);
  while (stat (folder.c_str (), &status) != 0) {
    if (errno != ENOENT)
      fail_file ("cannot write into", folder, errno);
    folder = folder_of (folder);
  }
  if (!S_ISDIR (status.st_mode))
    fail_file ("cannot write into", folder, ENOTDIR);
  if (access (folder.c_str (), W_OK | X_OK) != 0)
    fail_file ("cannot write into", folder, errno);
}

static void check_absent (const std::string &path, bool overwrite)
{
  struct stat status {
  };
  if (lstat (path.c_str (), &status) != 0)
    return;
  if (S_ISDIR (status.st_mode))
    fail (SINO_ERROR_EXISTS, "'%s' is a folder: give path= another name", path.c_str ());
  if (!overwrite)
    fail (SINO_ERROR_EXISTS, "'%s' exists: set overwrite=true to replace it", path.c_str ());
}

void check_output (const std::string &path, bool overwrite)
{
  check_folder (path);
  check_absent (path, overwrite);
}

std::vector<std::string> output_paths (const Planned &planned)
{
  const auto &first = planned.format.axes[0];
  std::vector<std::string> paths;
  for (int64_t i = 0; i < (planned.pattern.numbered () ? first.extent : 1); i++)
    paths.push_back (planned.pattern.name (first.number (i)));
  return paths;
}

void check_writable (const Planned &planned)
{
  const auto paths = output_paths (planned);
  check_folder (paths[0]);
  for (const auto &path : paths)
    check_absent (path, planned.overwrite);
}

void make_folders (const std::string &path)
{
  const auto folder = folder_of (path);
  if (g_mkdir_with_parents (folder.c_str (), 0777) != 0)
    fail_file ("cannot make the folder", folder, errno);
}

} // namespace sino::files
