// SPDX-License-Identifier: LGPL-3.0-or-later
#include "formats/descriptor.hpp"
#include "base/cancellation.hpp"
#include "base/divide-up.hpp"
#include "base/error.hpp"
#include "base/files/paths.hpp"
#include "base/pointers.hpp"
#include "formats/new-pages.hpp"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
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
  if (const auto *run = worked_for (); run && run->growing && now.size >= known.size)
    return;
  if (!(now == known))
    fail (SINO_ERROR_BAD_FILE, "'%s' was changed after the run was planned", shown.c_str ());
}

Descriptor::~Descriptor () = default;

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

// write () calls to one file wait for each other, but not for writes through a memory map. These cost more: a map has
// to be made, and where the kernel cannot fill new pages with given bytes, they are zeroed first. So one thread calls
// write (), and only threads that would have to wait for it use a map: docs/design/storage.md.
void Descriptor::put_all (const std::byte *bytes, size_t n, int64_t offset) const
{
  if (offset + static_cast<int64_t> (n) > mappable)
    return put (bytes, n, offset);
  if (!writing.test_and_set ()) {
    const AtEnd leave ([this] { writing.clear (); });
    return put (bytes, n, offset);
  }
  while (n > 0) {
    // Parts end between pages, so that most of them are whole pages.
    const auto some = std::min (n, mapped_at_once - static_cast<size_t> (offset) % mapped_at_once);
    if (!put_mapped (bytes, some, offset))
      put (bytes, some, offset); // throws with the reason
    bytes += some;
    n -= some;
    offset += static_cast<int64_t> (some);
  }
}

void Descriptor::write (const void *from, size_t n, int64_t offset) const
{
  check_length ();
  put_all (static_cast<const std::byte *> (from), n, offset);
  const auto end = offset + static_cast<int64_t> (n);
  for (auto before = reached.load (); before < end && !reached.compare_exchange_weak (before, end);)
    ;
}

// Does not ask for the time of the last change: NFS would send all written data to its server for that.
void Descriptor::check_length () const
{
  const auto wanted = reached.load ();
  struct statx status {
  };
  if (wanted > 0 && statx (number, "", AT_EMPTY_PATH, STATX_SIZE, &status) == 0 &&
      static_cast<int64_t> (status.stx_size) < wanted)
    fail (SINO_ERROR_BAD_FILE, "'%s' was truncated by another program during writing: write it again", shown.c_str ());
}

void Descriptor::put (const std::byte *from, size_t n, int64_t offset) const
{
  while (n > 0) {
    const auto put = pwrite (number, from, n, offset);
    if (put < 0 && errno == EINTR)
      continue;
    if (put == 0) // the file system accepts nothing and gives no reason
      errno = EIO;
    if (put <= 0)
      fail_write ();
    from += put;
    n -= static_cast<size_t> (put);
    offset += put;
  }
}

// Returns false if that is not possible.
bool Descriptor::put_mapped (const std::byte *from, size_t n, int64_t offset) const
{
  const auto page = sysconf (_SC_PAGESIZE);
  const auto end = offset + static_cast<int64_t> (n), first = divide_up (offset, page) * page, last = end / page * page;
  if (first < last && fill_new_pages (number, from + (first - offset), static_cast<size_t> (last - first), first))
    return put_populated (from, static_cast<size_t> (first - offset), offset) &&
           put_populated (from + (last - offset), static_cast<size_t> (end - last), last);
  return put_populated (from, n, offset);
}

// Returns false if that is not possible. Without MADV_POPULATE_WRITE, a full file system would raise a signal.
bool Descriptor::put_populated (const std::byte *from, size_t n, int64_t offset) const
{
  if (n == 0)
    return true;
#ifdef MADV_POPULATE_WRITE
  const auto before = offset % sysconf (_SC_PAGESIZE);
  const auto length = n + static_cast<size_t> (before);
  void *map = mmap (nullptr, length, PROT_READ | PROT_WRITE, MAP_SHARED, number, offset - before);
  if (map == MAP_FAILED)
    return false;
  const bool made = madvise (map, length, MADV_POPULATE_WRITE) == 0;
  if (made)
    std::memcpy (static_cast<std::byte *> (map) + before, from, n);
  else if (errno == EINVAL) // the kernel does not support it
    mappable = 0;
  munmap (map, length);
  return made;
#else
  mappable = 0;
  return false;
#endif
}

static bool in_memory (const struct statfs &system)
{
  return system.f_type == TMPFS_MAGIC;
}

// Only checks the free space for a file in memory, because allocating its space would zero all of it in one thread.
void Descriptor::reserve ()
{
  struct statfs system {
  };
  struct statvfs space {
  };
  struct stat status {
  };
  if (fstatfs (number, &system) != 0 || !in_memory (system) || fstatvfs (number, &space) != 0 ||
      fstat (number, &status) != 0) {
    take_space ();
    reached = size ();
    return;
  }
  const auto there = static_cast<double> (status.st_blocks) * 512,
             free = static_cast<double> (space.f_bavail) * static_cast<double> (space.f_frsize);
  if (space.f_blocks > 0 && static_cast<double> (expected) > there + free) { // a file system with 0 blocks has no limit
    errno = ENOSPC;
    fail_write ();
  }
  if (status.st_size < expected)
    resize (expected);
  if ((fcntl (number, F_GETFL) & O_ACCMODE) == O_RDWR)
    mappable = std::max<int64_t> (status.st_size, expected);
  reached = std::max<int64_t> (status.st_size, expected);
}

void Descriptor::take_space () const
{
  // posix_fallocate would write zeros if the file system does not support allocation.
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
  mappable = std::min<int64_t> (mappable, size);
  reached = std::min<int64_t> (reached, size);
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

bool kept_in_memory (const std::string &path)
{
  struct statfs system {
  };
  auto folder = folder_of (path);
  while (statfs (folder.c_str (), &system) != 0 && errno == ENOENT && folder != folder_of (folder))
    folder = folder_of (folder); // the nearest existing folder above
  return in_memory (system);
}

} // namespace sino::formats
