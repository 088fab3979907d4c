// SPDX-License-Identifier: LGPL-3.0-or-later
// The files of an old output, while those of a new one take their names: docs/design/hdf5.md.
#pragma once
#include "base/files/claim.hpp"
#include <string>
#include <vector>

namespace sino {

// Files that refer to each other by their names in one folder. They get the same names in a new folder beside, where
// the old output can be read until the new one is complete.
class SINO_VISIBLE SetAside
{
public:
  // Sets existing files aside; the first one is that which refers to the others. At any moment, one of the two folders
  // has all of them, if the file system has hard links. Throws the system's error; all files are in their place then.
  explicit SetAside (std::vector<std::string> paths);
  // Puts them back unless done () was called. The places must be free, or what is there is replaced.
  ~SetAside ();

  // Removes them.
  void done ();

  // The folder with the files of an output that an interrupted run was replacing; empty if there is none, or the new
  // output is complete.
  static std::string left_of (const std::string &output);
  // Removes a folder that belongs to an output, and its files, if its process is gone and the output is complete.
  static Claim remove_if_gone (const std::string &path, const std::string &output);

private:
  std::vector<std::string> paths;
  std::string folder; // empty after done ()
  OpenFile claim;

  std::string aside (const std::string &path) const;
  void copy_names () const;
  void put_back () noexcept;
};

} // namespace sino
