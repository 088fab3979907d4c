// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/files/output-file.hpp"
#include "base/cancellation.hpp"
#include "base/files/confinement.hpp"
#include "base/files/paths.hpp"
#include "base/files/pending.hpp"
#include "base/files/temporary-folder.hpp"
#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace sino {

// The nearest existing folder on the path must be writable, so that missing folders can be made in it.
static void check_folder (const std::string &path)
{
  check_place_confined (path);
  struct stat status {
  };
  auto folder = folder_of (path);
  while (stat (folder.c_str (), &status) != 0) {
    if (errno != ENOENT)
      fail_file ("cannot write into", folder, errno);
    folder = folder_of (folder);
  }
  if (!S_ISDIR (status.st_mode))
    fail_file ("cannot write into", folder, ENOTDIR);
  if (access (folder.c_str (), W_OK | X_OK) != 0)
    fail_file ("cannot write into", folder, errno);
}

// `mend`: advice for the message if the file exists.
static void check_absent (const std::string &path, bool overwrite,
                          const char *mend = "set overwrite=true to replace it")
{
  struct stat status {
  };
  if (file_name (path).size () > NAME_MAX) // also checked if its folder does not exist yet
    fail_file ("cannot write", path, ENAMETOOLONG);
  if (lstat (path.c_str (), &status) != 0) {
    if (errno == ENOENT)
      return;
    fail_file ("cannot write", path, errno);
  }
  if (S_ISDIR (status.st_mode))
    fail (SINO_ERROR_EXISTS, "'%s' is a folder: give path= another name", path.c_str ());
  if (!overwrite)
    fail (SINO_ERROR_EXISTS, "'%s' exists: %s", path.c_str (), mend);
}

void check_output (const std::string &path, bool overwrite)
{
  check_folder (path);
  check_absent (path, overwrite);
}

void check_new (const std::string &path)
{
  check_folder (path);
  check_absent (path, false, "choose another name or remove it");
}

void check_outputs (const std::vector<std::string> &paths, bool overwrite)
{
  check_folder (paths.at (0));
  for (const auto &path : paths) {
    step_unless_cancelled ();
    check_absent (path, overwrite);
  }
}

void check_output_folder (const std::string &path, bool overwrite, const char *kind,
                          bool (*replaceable) (const std::string &folder))
{
  check_folder (path);
  struct stat status {
  };
  if (lstat (path.c_str (), &status) != 0 || !S_ISDIR (status.st_mode)) {
    check_absent (path, false, "choose another name or remove it"); // a folder cannot replace a file
    return;
  }
  if (!replaceable (path))
    fail (SINO_ERROR_EXISTS, "'%s' is a folder that contains other files than %s: give path= another name",
          path.c_str (), kind);
  if (!overwrite)
    fail (SINO_ERROR_EXISTS, "'%s' exists: set overwrite=true to replace it", path.c_str ());
}

// Delegates to the default constructor, so that after an error the destructor removes the folders that were made.
MadeFolders::MadeFolders (const std::string &file) : MadeFolders ()
{
  check_place_confined (file);
  innermost = folder_of (file);
  std::vector<std::string> missing; // inner ones first
  struct stat ignored {
  };
  for (auto folder = innermost; stat (folder.c_str (), &ignored) != 0 && errno == ENOENT; folder = folder_of (folder))
    missing.push_back (folder);
  auto &pending = Pending::get ();
  for (auto folder = missing.rbegin (); folder != missing.rend (); ++folder) {
    const auto guard = pending.lock ();
    if (mkdir (folder->c_str (), 0777) == 0) {
      pending.made.insert (*folder);
      made.push_back (*folder);
    } else if (errno != EEXIST) // another sink or process has just made it
      fail_file ("cannot make the folder", *folder, errno);
  }
}

MadeFolders::~MadeFolders ()
{
  auto &pending = Pending::get ();
  const std::lock_guard guard (pending.mutex);
  for (const auto &folder : made) {
    pending.made.erase (folder);
    pending.left.insert (folder);
  }
  // Another output in the same folder may be the last one that is removed.
  for (auto folder = made.empty () ? innermost : made.back (); pending.left.contains (folder);
       folder = folder_of (folder)) {
    if (rmdir (folder.c_str ()) != 0 && errno != ENOENT)
      break;
    pending.left.erase (folder);
  }
}

void MadeFolders::sync () const
{
  for (const auto &folder : made)
    sync_folder (folder_of (folder));
}

void MadeFolders::keep ()
{
  auto &pending = Pending::get ();
  {
    const auto guard = pending.lock ();
    for (const auto &folder : made)
      pending.made.erase (folder);
    for (auto folder = innermost; pending.left.erase (folder) > 0;)
      folder = folder_of (folder);
  }
  const auto now = std::exchange (made, {});
  kept.insert (kept.end (), now.begin (), now.end ());
  for (const auto &folder : now)
    sync_folder (folder_of (folder));
}

void MadeFolders::drop ()
{
  auto &pending = Pending::get ();
  const auto guard = pending.lock ();
  made.insert (made.begin (), kept.begin (), kept.end ());
  pending.made.insert (kept.begin (), kept.end ());
  kept.clear ();
}

// Names of files under construction in a folder.
static std::vector<std::string> parts_in (const std::string &folder)
{
  std::vector<std::string> list;
  for (auto &name : names_in (folder).list)
    if (std::filesystem::path (name).extension () == ".part")
      list.push_back (std::move (name));
  return list;
}

// Removes a file or a folder under construction if its process is gone.
static Claim remove_abandoned (const std::string &path)
{
  struct stat status {
  };
  if (lstat (path.c_str (), &status) == 0 && S_ISDIR (status.st_mode))
    return UnfinishedFolder::remove_if_gone (path);
  return remove_if_gone (path, [&] { return unlink (path.c_str ()) == 0; });
}

std::vector<std::string> remove_abandoned (const std::vector<std::string> &paths)
{
  if (paths.empty ())
    return {};
  const auto folder = folder_of (paths[0]);
  std::vector<std::string> told;
  for (const auto &name : parts_in (folder)) {
    if (std::ranges::none_of (paths, [&] (const auto &path) { return is_part_of (name, file_name (path)); }))
      continue;
    const auto path = std::string (folder).append ("/").append (name);
    const auto claim = remove_abandoned (path);
    if (claim == Claim::gone)
      told.push_back (text ("removed '%s', which was left by an interrupted run", path.c_str ()));
    else if (claim == Claim::unknown)
      told.push_back (text ("'%s' may be left by an interrupted run: remove it if no run is active", path.c_str ()));
  }
  return told;
}

} // namespace sino
