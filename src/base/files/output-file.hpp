// SPDX-License-Identifier: LGPL-3.0-or-later
// Output paths: checked before the work; missing folders are made.
#pragma once
#include "base/visibility.hpp"
#include <string>
#include <vector>

namespace sino {

// Throws if a file cannot be written: it exists and must not be replaced, it is a folder, its name is too long, or its
// folder (or the nearest existing one above it) is not writable.
SINO_VISIBLE void check_output (const std::string &path, bool overwrite);
// Like check_output (), for a file that is never replaced.
SINO_VISIBLE void check_new (const std::string &path);
// Like check_output (), for several files of one folder.
SINO_VISIBLE void check_outputs (const std::vector<std::string> &paths, bool overwrite);

// Like check_output (), for a result that is a folder. It replaces only folders of its kind, which `replaceable`
// recognises. `kind`: kind of the result, for the message.
SINO_VISIBLE void check_output_folder (const std::string &path, bool overwrite, const char *kind,
                                       bool (*replaceable) (const std::string &folder));

// Makes missing folders on the path of a file. The destructor removes them if they are empty, unless keep () was
// called.
class SINO_VISIBLE MadeFolders : NoCopy
{
public:
  // Throws the system's error.
  explicit MadeFolders (const std::string &file);
  ~MadeFolders ();

  void keep ();
  // Removes the folders that are empty, even after keep ().
  void drop ();
  // Brings the names of the new folders to the disk.
  void sync () const;

private:
  std::vector<std::string> made; // outer ones first
  std::vector<std::string> kept;
  std::string innermost; // the folder of the file

  MadeFolders () = default;
};

// Removes unfinished files that killed runs have left beside these paths; returns messages for people.
SINO_VISIBLE std::vector<std::string> remove_abandoned (const std::vector<std::string> &paths);

} // namespace sino
