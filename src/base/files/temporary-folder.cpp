// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/files/temporary-folder.hpp"
#include "base/files/paths.hpp"
#include "base/files/pending.hpp"
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace sino {

// Name of the file in a temporary folder that the process claims.
static constexpr char mark_name[] = "/.sinograph";

TemporaryFolder::TemporaryFolder (const std::string &parent)
{
  auto &pending = Pending::get ();
  const auto guard = pending.lock ();
  do {
    path_ = parent + "/sinograph-XXXXXX";
    if (!g_mkdtemp (path_.data ()))
      fail_file ("cannot create a folder in", parent, errno);
    claim = create_claimed (path_ + mark_name);
  } while (claim < 0 && errno == ENOENT); // another process took the folder for abandoned
  pending.folders.insert (path_);
}

TemporaryFolder::~TemporaryFolder ()
{
  auto &pending = Pending::get ();
  const std::lock_guard guard (pending.mutex);
  if (pending.folders.erase (path_) > 0)
    remove_tree (path_);
}

std::vector<std::string> TemporaryFolder::remove_abandoned (const std::string &parent)
{
  std::vector<std::string> folders;
  for (const auto &name : names_in (parent).list)
    if (name.starts_with ("sinograph-"))
      folders.push_back (std::filesystem::path (parent) / name);
  std::erase_if (folders, [] (const auto &path) {
    return remove_if_gone (path + mark_name, [&] { return remove_tree (path); }) != Claim::gone;
  });
  return folders;
}

UnfinishedFolder::UnfinishedFolder (std::string final_path) : final_path_ (std::move (final_path))
{
  auto &pending = Pending::get ();
  const auto guard = pending.lock ();
  int made;
  do {
    path_ = part_path (final_path_, pending.number++);
    made = mkdir (path_.c_str (), 0777);
  } while (made != 0 && errno == EEXIST); // left by a killed process with the same number
  if (made != 0)
    fail_file ("cannot create", final_path_, errno);
  claim = create_claimed (path_ + mark_name);
  if (claim < 0) {
    const int why = errno;
    rmdir (path_.c_str ());
    fail_file ("cannot create", final_path_, why);
  }
  pending.folders.insert (path_);
}

UnfinishedFolder::~UnfinishedFolder ()
{
  auto &pending = Pending::get ();
  const std::lock_guard guard (pending.mutex);
  const bool goes = pending.folders.erase (path_) > 0, gone = goes && remove_tree (path_);
  claim = OpenFile ();
  if (goes && !gone) // failed for lack of a descriptor; one is free now
    remove_tree (path_);
}

// Swaps names with the folder at the final path.
int UnfinishedFolder::replace () const
{
  if (renameat2 (AT_FDCWD, path_.c_str (), AT_FDCWD, final_path_.c_str (), RENAME_EXCHANGE) == 0)
    return 0;
  if (errno == ENOENT)
    return rename_new (path_.c_str (), final_path_.c_str ());
  if (errno != EINVAL && errno != ENOSYS)
    return -1;
  const auto aside = path_ + ".old"; // without RENAME_EXCHANGE: two steps
  if (rename (final_path_.c_str (), aside.c_str ()) != 0)
    return -1;
  if (rename (path_.c_str (), final_path_.c_str ()) == 0) {
    remove_tree (aside);
    return 0;
  }
  const int why = errno;
  rename (aside.c_str (), final_path_.c_str ());
  errno = why;
  return -1;
}

void UnfinishedFolder::commit (bool overwrite)
{
  { // Outside the lock: this may take long.
    const OpenFile folder (open (path_.c_str (), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder < 0)
      fail_file ("cannot open", path_, errno);
    struct stat status {
    };
    if (fstat (claim, &status) == 0 && status.st_nlink == 0) // other files may be removed as well, unnoticed
      fail (SINO_ERROR_FAILED, "files of '%s' were removed during writing: write it again", final_path_.c_str ());
    if (syncfs (folder) != 0)
      fail_file ("cannot write", final_path_, errno);
  }
  {
    auto &pending = Pending::get ();
    const auto guard = pending.lock ();
    if ((overwrite ? replace () : rename_new (path_.c_str (), final_path_.c_str ())) != 0) {
      if (errno == EEXIST)
        fail (SINO_ERROR_EXISTS, "'%s' exists: set overwrite=true to replace it", final_path_.c_str ());
      fail_file ("cannot write", final_path_, errno);
    }
    // The old folder, if there was one, now has the other name. The destructor removes it, or the next run, which
    // recognises it by the mark.
    const auto mark = final_path_ + mark_name;
    if (rename (mark.c_str (), (path_ + mark_name).c_str ()) != 0)
      unlink (mark.c_str ());
  }
  sync_folder (folder_of (final_path_));
}

Claim UnfinishedFolder::remove_if_gone (const std::string &path)
{
  return sino::remove_if_gone (path + mark_name, [&] { return remove_tree (path); });
}

} // namespace sino
