// SPDX-License-Identifier: LGPL-3.0-or-later
// Folders that are removed with their content: for temporary files, and for results until they are complete.
#pragma once
#include "base/files/claim.hpp"
#include <string>
#include <vector>

namespace sino {

// A new folder for temporary files; removed with its content.
class SINO_VISIBLE TemporaryFolder
{
public:
  // Makes it in the folder `parent`. Throws the system's error.
  explicit TemporaryFolder (const std::string &parent);
  ~TemporaryFolder ();

  const std::string &path () const { return path_; }

  // Removes folders in `parent` whose processes were killed; returns their paths.
  static std::vector<std::string> remove_abandoned (const std::string &parent);

private:
  std::string path_;
  OpenFile claim;
};

// A result that is a folder, under construction: it lies beside its final path and gets that path when it is complete.
class SINO_VISIBLE UnfinishedFolder
{
public:
  // Its parent folder must exist. Throws the system's error.
  explicit UnfinishedFolder (std::string final_path);
  // Removes it unless it was committed.
  ~UnfinishedFolder ();

  const std::string &path () const { return path_; }
  const std::string &final_path () const { return final_path_; }

  // Brings its content to the disk and gives it its final name. An existing folder is replaced, in one step if the file
  // system can do that. Throws SINO_ERROR_EXISTS if the name is taken and `overwrite` is false, and SINO_ERROR_FAILED
  // if it notices that somebody has removed the folder.
  void commit (bool overwrite);

  // Removes an unfinished folder at `path` if its process is gone; returns the state of that process.
  static Claim remove_if_gone (const std::string &path);

private:
  std::string final_path_, path_;
  OpenFile claim;

  int replace () const;
};

} // namespace sino
