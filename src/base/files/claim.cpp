// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/files/claim.hpp"
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>

namespace sino {

namespace {

// Locks a byte that is never written, so that it does not conflict with locks of libraries. The lock belongs to the
// descriptor, not to the process: a library that closes the file does not release it.
struct flock claimed_byte ()
{
  struct flock byte {
  };
  byte.l_type = F_WRLCK;
  byte.l_whence = SEEK_SET;
  byte.l_start = off_t{1} << 62;
  byte.l_len = 1;
  return byte;
}

bool lock (int file, int how)
{
  auto byte = claimed_byte ();
  int got;
  do
    got = fcntl (file, how, &byte);
  while (got != 0 && errno == EINTR);
  return got == 0;
}

// Whether a lock was refused because another process holds one (errno of the last call). File systems without locks
// give other errors.
bool held_by_another ()
{
  return errno == EAGAIN || errno == EACCES;
}

// Whether an open file has this name, and was neither renamed nor removed.
bool is_at (int file, const std::string &path)
{
  struct stat opened {
  }, there{};
  return fstat (file, &opened) == 0 && lstat (path.c_str (), &there) == 0 && opened.st_ino == there.st_ino &&
         opened.st_dev == there.st_dev;
}

} // namespace

// Before the file is locked, another process may consider it abandoned and lock it, but only until it has removed it.
OpenFile create_claimed (const std::string &path)
{
  while (true) {
    OpenFile file (open (path.c_str (), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file < 0)
      return file;
    const bool locked = lock (file, F_OFD_SETLK) || (held_by_another () && lock (file, F_OFD_SETLKW));
    if (!locked || is_at (file, path))
      return file;
  }
}

OpenFile claim_existing (const std::string &path)
{
  OpenFile file (open (path.c_str (), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  // If the lock fails for another reason, the file system has no locks.
  if (file < 0 || lock (file, F_OFD_SETLK) || !held_by_another ())
    return file;
  file = OpenFile ();
  errno = EAGAIN;
  return file;
}

// Read access is enough to ask.
bool is_claimed (const std::string &path)
{
  const OpenFile file (open (path.c_str (), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  auto byte = claimed_byte ();
  return file >= 0 && fcntl (file, F_OFD_GETLK, &byte) == 0 && byte.l_type != F_UNLCK;
}

Claim remove_if_gone (const std::string &path, const std::function<bool ()> &remove)
{
  const OpenFile file (open (path.c_str (), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (file < 0)
    return errno == ENOENT || errno == EACCES ? Claim::held
                                              : Claim::unknown; // the file has its final name, or another owner
  if (!lock (file, F_OFD_SETLK))
    return held_by_another () ? Claim::held : Claim::unknown;
  return is_at (file, path) && remove () ? Claim::gone : Claim::held;
}

} // namespace sino
