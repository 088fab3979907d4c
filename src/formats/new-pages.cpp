// SPDX-License-Identifier: LGPL-3.0-or-later
// Uses the kernel's interface for memory whose pages a program makes itself (userfaultfd), without any faults: the
// pages are made before anything could touch them.
#include "formats/new-pages.hpp"
#include "base/files/open-file.hpp"
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sino::formats {

#ifdef UFFD_USER_MODE_ONLY

namespace {

// The process's descriptor for that; negative if the kernel is too old (docs/design/storage.md) or a container forbids
// it.
OpenFile open_pages ()
{
  // Without UFFD_USER_MODE_ONLY, the kernel would want privileges.
  OpenFile opened (static_cast<int> (syscall (SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY)));
  uffdio_api api{.api = UFFD_API, .features = 0, .ioctls = 0};
  return opened >= 0 && ioctl (opened, UFFDIO_API, &api) == 0 ? std::move (opened) : OpenFile ();
}

bool copy (int pages, uint64_t to, const std::byte *from, size_t n)
{
  uffdio_copy part{.dst = to, .src = reinterpret_cast<uint64_t> (from), .len = n, .mode = 0, .copy = 0};
  while (ioctl (pages, UFFDIO_COPY, &part) != 0) {
    if (errno != EAGAIN) // the address space was changed meanwhile, by another thread
      return false;
    const auto done = static_cast<uint64_t> (part.copy > 0 ? part.copy : 0);
    part = {.dst = part.dst + done, .src = part.src + done, .len = part.len - done, .mode = 0, .copy = 0};
  }
  return true;
}

} // namespace

bool fill_new_pages (int file, const std::byte *from, size_t n, int64_t offset)
{
  static const pid_t owner = getpid ();
  static const OpenFile pages = open_pages ();
  static std::atomic<bool> possible{pages >= 0};
  if (!possible || getpid () != owner) // after fork (), it would make pages in the memory of the parent
    return false;
  void *map = mmap (nullptr, n, PROT_READ | PROT_WRITE, MAP_SHARED, file, offset);
  if (map == MAP_FAILED)
    return false;
  const auto place = reinterpret_cast<uint64_t> (map);
  uffdio_register area{.range = {.start = place, .len = n}, .mode = UFFDIO_REGISTER_MODE_MISSING, .ioctls = 0};
  const bool taken = ioctl (pages, UFFDIO_REGISTER, &area) == 0 && (area.ioctls & uint64_t{1} << _UFFDIO_COPY) != 0;
  if (!taken)
    possible = false; // a kernel without it for files
  const bool filled = taken && copy (pages, place, from, n);
  munmap (map, n);
  return filled;
}

#else

bool fill_new_pages (int, const std::byte *, size_t, int64_t)
{
  return false;
}

#endif

} // namespace sino::formats
