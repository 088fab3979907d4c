// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/claim.hpp"
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sino {

namespace {

// A byte that nobody writes to, so that the locks of libraries do not meet ours. The lock belongs to the descriptor,
// not to the process: a library that closes the file does not drop it.
bool lock (int file)
{
  struct flock byte {
  };
  byte.l_type = F_WRLCK;
  byte.l_whence = SEEK_SET;
  byte.l_start = off_t{1} << 62;
  byte.l_len = 1;
  return fcntl (file, F_OFD_SETLK, &byte) == 0;
}

} // namespace

int create_claimed (const std::string &path)
{
  while (true) {
    const int file = open (path.c_str (), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
      return -1;
    struct stat made {
    }, there{};
    // Until it was locked, another process could take it for abandoned.
    if (!lock (file) || (fstat (file, &made) == 0 && stat (path.c_str (), &there) == 0 && made.st_ino == there.st_ino &&
                         made.st_dev == there.st_dev))
      return file;
    close (file);
  }
}

Claim claim_of (const std::string &path)
{
  const int file = open (path.c_str (), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0)
    return errno == ENOENT || errno == EACCES ? Claim::held : Claim::unknown; // it has its final name, or another owner
  const bool locked = lock (file);
  const int why = errno;
  close (file);
  return locked ? Claim::gone : why == EAGAIN || why == EACCES ? Claim::held : Claim::unknown;
}

} // namespace sino
