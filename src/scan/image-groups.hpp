// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds images in a folder and its subfolders, in groups.
#pragma once
#include "formats/name-groups.hpp"
#include "formats/name-words.hpp"
#include <string>
#include <vector>

namespace sino::scan {

class ImageGroup
{
public:
  std::string folder; // the folder that was searched
  std::string inner;  // the subfolder that contains the files, "" for the folder itself
  formats::NameGroup names;
  bool container = false; // a file that may hold a whole scan, such as HDF5
  bool alone = true;      // the only group in its folder
  formats::NameMeaning meaning;

  size_t count () const { return names.names.size (); }
  const std::string &doubt () const { return names.doubt; }
  // Path for `read`: a file, a folder with no other files, or a pattern.
  std::string path () const;
  std::string short_path () const; // below `folder`
};

struct FolderImages {
  std::vector<ImageGroup> groups; // the groups; words that all groups have in their names do not count for their roles
  std::vector<std::string> angles,
      others; // texts that may be angles, and files that are not images: paths within the folder
};

// Throws Error if a folder cannot be read. `raw`: files without a head are images.
FolderImages image_groups (const std::string &folder, bool raw);

} // namespace sino::scan
