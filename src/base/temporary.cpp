// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/temporary.hpp"
#include "base/claim.hpp"
#include "base/paths.hpp"
#include "base/pending.hpp"
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace sino {

namespace {

// Renames, and fails with EEXIST rather than replace a file.
int rename_new (const char *from, const char *to)
{
  if (renameat2 (AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
    return 0;
  if (errno != EINVAL && errno != ENOSYS)
    return -1;
  struct stat ignored; // a file system that cannot do it in one step
  if (lstat (to, &ignored) == 0) {
    errno = EEXIST;
    return -1;
  }
  return rename (from, to);
}

void remove_folder (const std::string &path) noexcept
{
  std::error_code ignored;
  std::filesystem::remove_all (path, ignored);
}

// In a temporary folder: the file that its process claims.
constexpr char mark_name[] = "/.sinograph";

} // namespace

Temporary::Temporary (std::string final_path) : final_path_ (std::move (final_path))
{
  auto &pending = Pending::get ();
  const auto guard = pending.lock ();
  do {
    path_ = part_path (final_path_, pending.number++);
    claim = create_claimed (path_);
  } while (claim < 0 && errno == EEXIST); // left by a process that was killed and had the same number
  if (claim < 0)
    fail_file ("cannot create", final_path_, errno);
  pending.files.insert (path_);
}

Temporary::~Temporary ()
{
  auto &pending = Pending::get ();
  const std::lock_guard guard (pending.mutex);
  if (!committed && !pending.closed) {
    unlink (path_.c_str ());
    pending.files.erase (path_);
  }
  close (claim);
}

void Temporary::commit (bool overwrite, Sync sync)
{
  commit (overwrite, sync, "set overwrite=true to replace it");
}

void Temporary::commit_new ()
{
  commit (false, Sync::now, "choose another name or remove it");
}

// `mend`: what to do where the name is taken.
void Temporary::commit (bool overwrite, Sync sync, const char *mend)
{
  // Outside the lock: this may take long.
  const int file = open (path_.c_str (), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    fail_file ("cannot open", path_, errno);
  const int synced = fsync (file), why = errno;
  close (file);
  if (synced != 0)
    fail_file ("cannot write", final_path_, why);

  {
    auto &pending = Pending::get ();
    const auto guard = pending.lock ();
    const int renamed =
        overwrite ? rename (path_.c_str (), final_path_.c_str ()) : rename_new (path_.c_str (), final_path_.c_str ());
    if (renamed != 0 && errno == EEXIST)
      fail (SINO_ERROR_EXISTS, "'%s' exists: %s", final_path_.c_str (), mend);
    if (renamed != 0)
      fail_file ("cannot write", final_path_, errno);
    pending.files.erase (path_);
    committed = true;
  }
  if (sync == Sync::now)
    sync_folder (folder_of (final_path_));
}

void Temporary::remove_all () noexcept
{
  auto &pending = Pending::get ();
  if (!pending.mutex.try_lock_for (std::chrono::milliseconds (200)))
    return; // a file system that hangs: leaving in time matters more
  pending.closed = true;
  // More than once: a library that was about to open its file makes it again.
  for (int i = 0; i < 4 && !(pending.files.empty () && pending.folders.empty ()); i++) {
    if (i > 0)
      std::this_thread::sleep_for (std::chrono::milliseconds (15));
    for (const auto &path : pending.files)
      unlink (path.c_str ());
    for (const auto &path : pending.folders)
      remove_folder (path);
  }
  pending.made.merge (pending.left);
  for (auto path = pending.made.rbegin (); path != pending.made.rend (); ++path) // inner folders before outer ones
    rmdir (path->c_str ());
  pending.files.clear ();
  pending.folders.clear ();
  pending.made.clear ();
  pending.mutex.unlock ();
}

TemporaryFolder::TemporaryFolder (const std::string &parent)
{
  auto &pending = Pending::get ();
  const auto guard = pending.lock ();
  do {
    path_ = parent + "/sinograph-XXXXXX";
    if (!g_mkdtemp (path_.data ()))
      fail_file ("cannot create a folder in", parent, errno);
    claim = create_claimed (path_ + mark_name);
  } while (claim < 0 && errno == ENOENT); // another process took it for abandoned
  pending.folders.insert (path_);
}

TemporaryFolder::~TemporaryFolder ()
{
  auto &pending = Pending::get ();
  const std::lock_guard guard (pending.mutex);
  if (pending.folders.erase (path_) > 0)
    remove_folder (path_);
  if (claim >= 0)
    close (claim);
}

std::vector<std::string> TemporaryFolder::remove_abandoned (const std::string &parent)
{
  std::vector<std::string> folders;
  std::error_code failed;
  for (std::filesystem::directory_iterator entry (parent, failed), end; !failed && entry != end;
       entry.increment (failed))
    if (entry->path ().filename ().string ().starts_with ("sinograph-"))
      folders.push_back (entry->path ().string ());
  std::erase_if (folders, [] (const auto &path) {
    return remove_if_gone (path + mark_name, [&] { remove_folder (path); }) != Claim::gone;
  });
  return folders;
}

} // namespace sino
