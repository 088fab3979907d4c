// SPDX-License-Identifier: LGPL-3.0-or-later
// Output files under construction: written beside their final name, renamed when complete, gone otherwise. What a
// process that was killed has left can be told from what others are at work on (base/files/output-file.hpp).
#pragma once
#include "base/visibility.hpp"
#include <string>

namespace sino {

class SINO_VISIBLE Temporary
{
public:
  // Creates an empty file beside `final_path` (so that renaming stays within one file system), under a name
  // that ends in ".part". The folder must exist. Throws what the system says.
  explicit Temporary (std::string final_path);
  // Goes on with a file that an earlier process has left there, which stays, as after outlive (). Throws where another
  // process is at work on it.
  Temporary (std::string final_path, std::string left);
  // One that another process is at work on, which sees to its end.
  static Temporary of_another (std::string final_path, std::string its_path);
  // Removes the file unless it was committed.
  ~Temporary ();
  Temporary (const Temporary &) = delete;
  Temporary &operator= (const Temporary &) = delete;

  // Write here: by any library, which may truncate the file, but not put another one in its place.
  const std::string &path () const { return path_; }
  const std::string &final_path () const { return final_path_; }

  // From now on the file stays, whatever ends the run: another one goes on with it.
  void outlive ();
  // It goes all the same.
  void drop ();

  // Whether a commit brings the new name to the disk as well; many in one folder do it once, with sync_folder ().
  enum class Sync { now, later };

  // Brings the file to the disk and gives it its final name. Throws SINO_ERROR_EXISTS when that name is taken
  // and `overwrite` is false, SINO_ERROR_NO_SPACE on a full disk, SINO_ERROR_BAD_FILE when another file has taken its
  // place.
  void commit (bool overwrite, Sync sync = Sync::now);
  // The same for what never replaces a file.
  void commit_new ();

  // Removes the files that are not committed, and the folders, in the last moment of a process, from any thread.
  // After this, making or committing one throws Cancelled.
  static void remove_all () noexcept;

private:
  std::string final_path_, path_;
  int claim = -1; // tells other processes that this one is at work
  bool committed = false;

  Temporary (std::string final_path, std::string path, int claim);
  void commit (bool overwrite, Sync sync, const char *mend);
};

} // namespace sino
