// SPDX-License-Identifier: LGPL-3.0-or-later
// Where files of results go: checked before the work, with folders that are made for them.
#pragma once
#include "base/visibility.hpp"
#include <string>
#include <vector>

namespace sino {

// Throws when a file cannot be written: it exists and must not be replaced, it is a folder, its name is too long, or
// its folder, or the one in which that would be made, does not take it.
SINO_VISIBLE void check_output (const std::string &path, bool overwrite);
// The same for a file that is never replaced.
SINO_VISIBLE void check_new (const std::string &path);
// The same as the first for files of one folder.
SINO_VISIBLE void check_outputs (const std::vector<std::string> &paths, bool overwrite);

// The same for a result that is a folder, which only replaces what `replaceable` tells to be one of its kind. `kind`:
// of the result, for the message.
SINO_VISIBLE void check_output_folder (const std::string &path, bool overwrite, const char *kind,
                                       bool (*replaceable) (const std::string &folder));

// Folders on the way to a file, made where they were missing. They go again if they are empty and not kept.
class SINO_VISIBLE MadeFolders
{
public:
  // Throws what the system says.
  explicit MadeFolders (const std::string &file);
  ~MadeFolders ();
  MadeFolders (const MadeFolders &) = delete;
  MadeFolders &operator= (const MadeFolders &) = delete;

  void keep ();
  // They go all the same, those that are empty.
  void drop ();
  // Brings the names of those that were made to the disk.
  void sync () const;

private:
  std::vector<std::string> made; // outer ones first
  std::vector<std::string> kept;
  std::string innermost; // the folder of the file

  MadeFolders () = default;
};

// Removes what runs that were killed have left of these files; tells what, for people to read.
SINO_VISIBLE std::vector<std::string> remove_abandoned (const std::vector<std::string> &paths);

} // namespace sino
