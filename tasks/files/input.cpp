// SPDX-License-Identifier: LGPL-3.0-or-later
#include "files/input.hpp"
#include "base/error.hpp"
#include "files/descriptor.hpp"
#include "files/paths.hpp"
#include "files/tiff-stack.hpp"
#include <algorithm>
#include <fcntl.h>
#include <sys/stat.h>

namespace sino::files {

namespace {

// The first few of them.
std::string some (std::vector<std::string> words)
{
  if (words.size () > 10) {
    words.resize (10);
    words.push_back ("...");
  }
  return join (words);
}

// "/exchange/data (181 x 2 x 640)"
std::string describe (const Hdf5File::Listed &listed)
{
  return listed.name + " (" + join (listed.extent, " x ", [] (uint64_t n) { return std::to_string (n); }) + ")";
}

std::string find_dataset (const Hdf5File &file, std::string wanted, const std::vector<std::string> &usual)
{
  if (!wanted.empty () && !wanted.starts_with ('/'))
    wanted = "/" + wanted;
  if (wanted.empty ())
    for (const auto &name : usual)
      if (file.exists (name))
        return name;
  if (!wanted.empty () && file.exists (wanted))
    return wanted;

  std::vector<std::string> stacks, names, described;
  for (const auto &listed : file.list ()) {
    names.push_back (listed.name);
    described.push_back (describe (listed));
    if (listed.extent.size () == 3)
      stacks.push_back (listed.name);
  }
  const auto found = described.empty () ? "no dataset of images" : some (described);
  if (!wanted.empty ()) {
    const auto near = nearest (wanted, names);
    fail (SINO_ERROR_BAD_FILE, "'%s' has no dataset '%s'%s%s%s: it has %s", file.path.c_str (), wanted.c_str (),
          near.empty () ? "" : " (did you mean '", near.c_str (), near.empty () ? "" : "'?)", found.c_str ());
  }
  if (stacks.size () == 1)
    return stacks[0];
  fail (SINO_ERROR_BAD_FILE, "'%s' has no %s%s: it has %s", file.path.c_str (), usual[0].c_str (),
        described.empty () ? "" : ", set dataset=", found.c_str ());
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

Input open_input (const std::string &path, const std::string &dataset, const std::vector<std::string> &usual,
                  Missing missing, std::vector<std::string> &messages)
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
  if (!has_ending (path, {".h5", ".hdf5", ".hdf", ".nxs", ".nx", ".he5"}) && !is_hdf5 (Descriptor (path, O_RDONLY)))
    fail (SINO_ERROR_BAD_FILE, "'%s' is neither HDF5 nor TIFF", path.c_str ());
  if (missing == Missing::skip)
    fail (SINO_ERROR_BAD_PROPERTY,
          "missing=skip is for sequences of TIFFs, and '%s' is HDF5: leave it out, or set missing=zero", path.c_str ());
  input.file = std::make_shared<const Hdf5File> (path);
  input.dataset = find_dataset (*input.file, dataset, usual);
  input.stack = open_hdf5_stack (input.file, input.dataset, missing, messages);
  return input;
}

} // namespace sino::files
