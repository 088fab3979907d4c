// SPDX-License-Identifier: LGPL-3.0-or-later
// The images in a folder and in its folders, in groups.
#pragma once
#include "formats/name-groups.hpp"
#include "formats/name-words.hpp"
#include <string>
#include <vector>

namespace sino::cli {

class ImageGroup
{
public:
  std::string folder; // that was looked into
  std::string inner;  // its folder that holds the files, "" for itself
  formats::NameGroup names;
  bool container = false; // a file that may hold a whole scan, as those of HDF5
  bool alone = true;      // there is no other group in its folder
  formats::NameMeaning meaning;

  size_t count () const { return names.names.size (); }
  const std::string &doubt () const { return names.doubt; }
  // As `read` takes it: a file, a folder that holds nothing else, or a pattern.
  std::string path () const;
  std::string short_path () const; // below `folder`
};

struct FolderImages {
  std::vector<ImageGroup> groups; // what their names mean apart from the words that all of them have
  std::vector<std::string> angles,
      others; // texts that may be angles, and files that are no images: paths in the folder
};

// Throws Error where a folder cannot be read. `raw`: files without a head are images.
FolderImages image_groups (const std::string &folder, bool raw);

} // namespace sino::cli
