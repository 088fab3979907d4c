// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/files/temporary.hpp"
#include "base/files/claim.hpp"
#include "base/files/paths.hpp"
#include "base/files/pending.hpp"
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace sino {

Temporary::Temporary (std::string final_path) : final_path_ (std::move (final_path))
{
  auto &pending = Pending::get ();
  const auto guard = pending.lock ();
  do {
    path_ = part_path (final_path_, pending.number++);
    claim = create_claimed (path_);
  } while (claim < 0 && errno == EEXIST); // left by a killed process with the same number
  if (claim < 0)
    fail_file ("cannot create", final_path_, errno);
  pending.files.insert (path_);
}

Temporary::Temporary (std::string final_path, std::string left)
    : final_path_ (std::move (final_path)), path_ (std::move (left)), claim (claim_existing (path_))
{
  if (claim < 0 && errno == EAGAIN)
    fail (SINO_ERROR_EXISTS, "'%s': another run is writing it", path_.c_str ());
  if (claim < 0)
    fail_file ("cannot open", path_, errno);
}

Temporary::Temporary (std::string final_path, std::string path, OpenFile c)
    : final_path_ (std::move (final_path)), path_ (std::move (path)), claim (std::move (c))
{
}

Temporary Temporary::of_another (std::string final_path, std::string its_path)
{
  return {std::move (final_path), std::move (its_path), OpenFile ()};
}

void Temporary::write (std::string_view content) const
{
  std::ofstream file (path_, std::ios::binary);
  if (!file.write (content.data (), std::ssize (content)).flush ())
    fail_file ("cannot write", final_path_, errno);
}

void Temporary::outlive ()
{
  auto &pending = Pending::get ();
  const auto guard = pending.lock ();
  pending.files.erase (path_);
}

void Temporary::drop ()
{
  auto &pending = Pending::get ();
  const auto guard = pending.lock ();
  pending.files.insert (path_);
}

Temporary::~Temporary ()
{
  auto &pending = Pending::get ();
  const std::lock_guard guard (pending.mutex);
  if (!committed && !pending.closed && pending.files.erase (path_) > 0)
    unlink (path_.c_str ());
}

void Temporary::commit (bool overwrite, Sync sync, const char *mend)
{
  { // Outside the lock: this may take long.
    const OpenFile file (open (path_.c_str (), O_RDONLY | O_CLOEXEC));
    if (file < 0)
      fail_file ("cannot open", path_, errno);
    struct stat written {
    }, there{};
    const bool ours = claim < 0 || fstat (claim, &written) != 0 || fstat (file, &there) != 0 ||
                      (written.st_ino == there.st_ino && written.st_dev == there.st_dev);
    if (!ours)
      fail (SINO_ERROR_BAD_FILE, "'%s' was replaced by another file during writing of '%s': write it again",
            path_.c_str (), final_path_.c_str ());
    if (fsync (file) != 0)
      fail_file ("cannot write", final_path_, errno);
  }
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
  if (sync != Sync::now)
    return;
  try {
    sync_folder (folder_of (final_path_));
  } catch (...) {
    unlink (final_path_.c_str ()); // after an error no file stays
    throw;
  }
}

void Temporary::remove_all () noexcept
{
  auto &pending = Pending::get ();
  if (!pending.mutex.try_lock_for (std::chrono::milliseconds (200)))
    return; // the file system hangs; leaving in time is more important
  pending.closed = true;
  // Repeats this, because a library that was about to open its file would make it again.
  for (int i = 0; i < 4 && !(pending.files.empty () && pending.folders.empty ()); i++) {
    if (i > 0)
      std::this_thread::sleep_for (std::chrono::milliseconds (15));
    for (const auto &path : pending.files)
      unlink (path.c_str ());
    for (const auto &path : pending.folders)
      remove_tree (path);
  }
  pending.made.merge (pending.left);
  for (auto path = pending.made.rbegin (); path != pending.made.rend (); ++path) // inner folders before outer ones
    rmdir (path->c_str ());
  pending.files.clear ();
  pending.folders.clear ();
  pending.made.clear ();
  pending.mutex.unlock ();
}

} // namespace sino
