// SPDX-License-Identifier: LGPL-3.0-or-later
#include "formats/descriptor.hpp"
#include "base/error.hpp"
#include "base/paths.hpp"
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sino::formats {

Descriptor::Descriptor (const std::string &path, int flags, const std::string &s)
    : shown (s.empty () ? path : s),
      number ((flags & O_ACCMODE) == O_RDONLY ? open_input ("", path) : open (path.c_str (), flags | O_CLOEXEC, 0666))
{
  if (number < 0)
    fail_file ("cannot open", shown, errno);
}

void Descriptor::require (const FileStamp &known) const
{
  const auto now = stamp ();
  if (!now.same_file (known))
    fail (SINO_ERROR_BAD_FILE, "'%s' was replaced by another file after the run was planned", shown.c_str ());
  if (!(now == known))
    fail (SINO_ERROR_BAD_FILE, "'%s' was changed after the run was planned", shown.c_str ());
}

int Descriptor::duplicate () const
{
  const int other = fcntl (number, F_DUPFD_CLOEXEC, 0);
  if (other < 0)
    fail_file ("cannot open", shown, errno);
  return other;
}

Descriptor::~Descriptor ()
{
  close (number);
}

int64_t Descriptor::size () const
{
  struct stat status {
  };
  if (fstat (number, &status) != 0)
    fail_file ("cannot read", shown, errno);
  return status.st_size;
}

void Descriptor::read (void *to, size_t n, int64_t offset) const
{
  auto *p = static_cast<std::byte *> (to);
  while (n > 0) {
    const auto got = pread (number, p, n, offset);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      fail_file ("cannot read", shown, errno);
    if (got == 0)
      fail (SINO_ERROR_BAD_FILE, "'%s' is truncated: %zu bytes are missing at byte %" G_GINT64_FORMAT, shown.c_str (),
            n, offset);
    p += got;
    n -= static_cast<size_t> (got);
    offset += got;
  }
}

void Descriptor::write (const void *from, size_t n, int64_t offset) const
{
  const auto *p = static_cast<const std::byte *> (from);
  while (n > 0) {
    const auto put = pwrite (number, p, n, offset);
    if (put < 0 && errno == EINTR)
      continue;
    if (put == 0) // a file system that takes nothing and gives no reason
      errno = EIO;
    if (put <= 0)
      fail_write ();
    p += put;
    n -= static_cast<size_t> (put);
    offset += put;
  }
}

void Descriptor::reserve () const
{
  // posix_fallocate would write zeros where the file system cannot do it.
  while (fallocate (number, 0, 0, expected) != 0) {
    if (errno == EOPNOTSUPP || errno == ENOSYS)
      return;
    if (errno != EINTR)
      fail_write ();
  }
}

void Descriptor::resize (int64_t size) const
{
  if (ftruncate (number, size) != 0)
    fail_write ();
}

void Descriptor::sync () const
{
  if (fsync (number) != 0)
    fail_write ();
}

void Descriptor::fail_write () const
{
  if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)
    fail (SINO_ERROR_NO_SPACE, "no space for '%s': it needs %s%s, %s", shown.c_str (),
          bytes_text (static_cast<double> (expected)).c_str (), at_least ? " at least" : "", g_strerror (errno));
  fail_file ("cannot write", shown, errno);
}

} // namespace sino::formats
