// SPDX-License-Identifier: LGPL-3.0-or-later
#include "files/input.hpp"
#include "base/error.hpp"
#include "files/descriptor.hpp"
#include "files/hdf5-stack.hpp"
#include "files/paths.hpp"
#include "files/tiff-stack.hpp"
#include <algorithm>
#include <fcntl.h>
#include <sys/stat.h>

namespace sino::files {

namespace {

// The datasets of a file that have two axes or more, with their extents: "/exchange/data (181 x 2 x 640)".
struct Listing {
  std::vector<std::string> stacks, names, described;
};

herr_t list (hid_t object, const char *name, const H5O_info_t *info, void *to)
{
  if (info->type != H5O_TYPE_DATASET)
    return 0;
  auto &listing = *static_cast<Listing *> (to);
  const hid_t dataset = H5Dopen2 (object, name, H5P_DEFAULT);
  const hid_t space = H5Dget_space (dataset), type = H5Dget_type (dataset);
  hsize_t extent[H5S_MAX_RANK] = {};
  const auto axes = H5Sget_simple_extent_dims (space, extent, nullptr);
  const auto kind = H5Tget_class (type);
  if (axes >= 2 && (kind == H5T_INTEGER || kind == H5T_FLOAT)) {
    const auto full = std::string ("/") + name;
    std::string size;
    for (int i = 0; i < axes; i++)
      size += text ("%s%llu", i ? " x " : "", static_cast<unsigned long long> (extent[i]));
    listing.names.push_back (full);
    listing.described.push_back (full + " (" + size + ")");
    if (axes == 3)
      listing.stacks.push_back (full);
  }
  H5Tclose (type);
  H5Sclose (space);
  H5Dclose (dataset);
  return 0;
}

std::string join (const std::vector<std::string> &words)
{
  std::string result;
  for (size_t i = 0; i < std::min<size_t> (words.size (), 10); i++)
    result += (i ? ", " : "") + words[i];
  return words.size () > 10 ? result + ", ..." : result;
}

std::string find_dataset (hid_t file, const std::string &path, std::string wanted,
                          const std::vector<std::string> &usual)
{
  if (!wanted.empty () && !wanted.starts_with ('/'))
    wanted = "/" + wanted;
  if (wanted.empty ())
    for (const auto &name : usual)
      if (hdf5::exists (file, name))
        return name;
  if (!wanted.empty () && hdf5::exists (file, wanted))
    return wanted;

  Listing listing;
  hdf5::check (H5Ovisit (file, H5_INDEX_NAME, H5_ITER_INC, list, &listing), "cannot read '" + path + "'");
  const auto found = listing.described.empty () ? "no dataset of images" : join (listing.described);
  if (!wanted.empty ()) {
    const auto near = nearest (wanted, listing.names);
    fail (SINO_ERROR_BAD_FILE, "'%s' has no dataset '%s'%s%s%s: it has %s", path.c_str (), wanted.c_str (),
          near.empty () ? "" : " (did you mean '", near.c_str (), near.empty () ? "" : "'?)", found.c_str ());
  }
  if (listing.stacks.size () == 1)
    return listing.stacks[0];
  fail (SINO_ERROR_BAD_FILE, "'%s' has no %s%s: it has %s", path.c_str (), usual[0].c_str (),
        listing.described.empty () ? "" : ", set dataset=", found.c_str ());
}

bool has_ending (const std::string &path, std::initializer_list<const char *> endings)
{
  std::string lower = path;
  std::transform (lower.begin (), lower.end (), lower.begin (), g_ascii_tolower);
  return std::any_of (endings.begin (), endings.end (), [&] (const char *e) { return lower.ends_with (e); });
}

bool is_tiff (const std::string &path)
{
  const Descriptor file (path, O_RDONLY);
  unsigned char head[4] = {};
  if (file.size () < 8)
    return false;
  file.read (head, 4, 0);
  const bool little = head[0] == 'I' && head[1] == 'I', big = head[0] == 'M' && head[1] == 'M';
  const auto version = little ? head[2] | head[3] << 8 : head[3] | head[2] << 8;
  return (little || big) && (version == 42 || version == 43);
}

} // namespace

Input open_input (const std::string &path, const std::string &dataset, const std::vector<std::string> &usual)
{
  Input input;
  input.path = path;
  struct stat status {
  };
  const bool there = stat (path.c_str (), &status) == 0;
  const bool many = (there && S_ISDIR (status.st_mode)) || (!there && path.find_first_of ("*?[") != path.npos);
  if (many || is_tiff (path) || has_ending (path, {".tif", ".tiff"})) {
    if (!dataset.empty ())
      fail (SINO_ERROR_BAD_PROPERTY, "dataset=%s is for HDF5 files, and '%s' is TIFF: leave it out", dataset.c_str (),
            path.c_str ());
    const auto images = many ? find_images (path) : std::vector<std::string>{path};
    input.gaps = find_gaps (images);
    input.stack = open_tiff_stack (images);
    return input;
  }
  if (!has_ending (path, {".h5", ".hdf5", ".hdf", ".nxs", ".nx", ".he5"})) {
    const auto guard = hdf5::lock ();
    if (H5Fis_hdf5 (path.c_str ()) <= 0)
      fail (SINO_ERROR_BAD_FILE, "'%s' is neither HDF5 nor TIFF", path.c_str ());
  }
  input.file = std::make_shared<const hdf5::Handle> (hdf5::open_file (path));
  const auto guard = hdf5::lock ();
  input.dataset = find_dataset (*input.file, path, dataset, usual);
  input.stack = open_hdf5_stack (*input.file, path, input.dataset);
  return input;
}

} // namespace sino::files
