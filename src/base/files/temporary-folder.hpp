// SPDX-License-Identifier: LGPL-3.0-or-later
// Folders that go again, with all that is in them: of files that nobody keeps, and of results until they are complete.
#pragma once
#include "base/files/claim.hpp"
#include <string>
#include <vector>

namespace sino {

// A new folder for files that nobody keeps. Goes with all that is in it.
class SINO_VISIBLE TemporaryFolder
{
public:
  // In the folder `parent`. Throws what the system says.
  explicit TemporaryFolder (const std::string &parent);
  ~TemporaryFolder ();
  TemporaryFolder (const TemporaryFolder &) = delete;
  TemporaryFolder &operator= (const TemporaryFolder &) = delete;

  const std::string &path () const { return path_; }

  // Removes those in a folder whose processes were killed; gives their paths back.
  static std::vector<std::string> remove_abandoned (const std::string &parent);

private:
  std::string path_;
  int claim = -1;
};

// A result that is a folder, under construction: beside its final name, which it gets when it is complete.
class SINO_VISIBLE UnfinishedFolder
{
public:
  // The folder that it is in must exist. Throws what the system says.
  explicit UnfinishedFolder (std::string final_path);
  // Removes it unless it was committed.
  ~UnfinishedFolder ();
  UnfinishedFolder (const UnfinishedFolder &) = delete;
  UnfinishedFolder &operator= (const UnfinishedFolder &) = delete;

  const std::string &path () const { return path_; }
  const std::string &final_path () const { return final_path_; }

  // Brings all that is in it to the disk and gives it its final name. What has that name is replaced in one step where
  // the file system can do it. Throws SINO_ERROR_EXISTS when the name is taken and `overwrite` is false, and
  // SINO_ERROR_FAILED when somebody has removed what it can notice.
  void commit (bool overwrite);

  // Removes one at `path` if its process is gone, which it tells.
  static Claim remove_if_gone (const std::string &path);

private:
  std::string final_path_, path_;
  int claim = -1;

  int replace () const;
};

} // namespace sino
