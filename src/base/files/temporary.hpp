// SPDX-License-Identifier: LGPL-3.0-or-later
// Output files under construction: written beside their final name, renamed when complete, removed otherwise. Files of
// killed processes can be told from files that others still write (base/files/output-file.hpp).
#pragma once
#include "base/files/open-file.hpp"
#include "base/visibility.hpp"
#include <string>
#include <string_view>

namespace sino {

class SINO_VISIBLE Temporary
{
public:
  // Creates an empty file beside `final_path` (so that renaming stays within one file system), with a name that ends in
  // ".part". The folder must exist. Throws the system's error.
  explicit Temporary (std::string final_path);
  // Continues a file that an earlier process has left; it stays, as after outlive (). Throws if another process works
  // on it.
  Temporary (std::string final_path, std::string left);
  // A file on which another process works; that process renames or removes it.
  static Temporary of_another (std::string final_path, std::string its_path);
  // Removes the file unless it was committed.
  ~Temporary ();

  // Path to write to. Libraries may truncate the file, but must not replace it.
  const std::string &path () const { return path_; }
  const std::string &final_path () const { return final_path_; }

  // Writes its whole content. Throws the system's error.
  void write (std::string_view content) const;

  // Keeps the file even if the run fails, so that another run can continue it.
  void outlive ();
  // Removes the file, even after outlive ().
  void drop ();

  // Whether a commit also brings the new name to the disk; for many files in one folder, do that once with sync_folder
  // ().
  enum class Sync { now, later };

  // Brings the file to the disk and gives it its final name. Throws SINO_ERROR_EXISTS if that name is taken and
  // `overwrite` is false, SINO_ERROR_NO_SPACE on a full disk, SINO_ERROR_BAD_FILE if another file has taken its place.
  // `mend`: advice for the message if the name is taken.
  void commit (bool overwrite, Sync sync = Sync::now, const char *mend = "set overwrite=true to replace it");
  // Like commit (), but never replaces a file.
  void commit_new () { commit (false, Sync::now, "choose another name or remove it"); }

  // Removes all files that are not committed, and folders, just before the process exits, from any thread. After this,
  // making or committing a file throws Cancelled.
  static void remove_all () noexcept;

private:
  std::string final_path_, path_;
  OpenFile claim; // tells other processes that this one is at work
  bool committed = false;

  Temporary (std::string final_path, std::string path, OpenFile claim);
};

} // namespace sino
