// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/hdf5/limits.hpp"
#include "tasks/hdf5/protocol.hpp"
#include <algorithm>
#include <fstream>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace sino::hdf5 {

// Sanitizers reserve terabytes of address space.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static constexpr bool bounded = false;
#else
static constexpr bool bounded = true;
#endif

static uint64_t initial; // address space in use before a file is opened

static uint64_t addresses ()
{
  uint64_t pages = 0;
  std::ifstream ("/proc/self/statm") >> pages;
  return pages * static_cast<uint64_t> (sysconf (_SC_PAGESIZE));
}

// Ends the process if the other side closes the socket: a call of the library may still run, or wait for a disk.
static void watch (int socket)
{
  pollfd other{socket, POLLRDHUP, 0};
  while (poll (&other, 1, -1) <= 0 || !(other.revents & (POLLRDHUP | POLLHUP | POLLERR)))
    ;
  _exit (0);
}

void confine (int socket)
{
  mallopt (M_ARENA_MAX, 1);
  pthread_attr_t small; // small stacks for the threads of filters, because stacks count as memory
  pthread_attr_init (&small);
  pthread_attr_setstacksize (&small, size_t{512} << 10);
  pthread_setattr_default_np (&small);
  pthread_attr_destroy (&small);
  const rlimit none{0, 0};
  setrlimit (RLIMIT_CORE, &none);
  std::thread (watch, socket).detach ();
  initial = addresses ();
  allow (0, look_seconds);
}

uint64_t settle ()
{
  static const uint64_t first = initial;
  initial = std::max (initial, addresses ());
  return initial - first;
}

static void set (int what, uint64_t soft)
{
  rlimit limit{};
  getrlimit (static_cast<__rlimit_resource> (what), &limit);
  limit.rlim_cur = std::min<rlim_t> (soft, limit.rlim_max);
  setrlimit (static_cast<__rlimit_resource> (what), &limit);
}

void allow (uint64_t bytes, uint64_t seconds)
{
  rusage used{};
  getrusage (RUSAGE_SELF, &used);
  set (RLIMIT_CPU, static_cast<uint64_t> (used.ru_utime.tv_sec + used.ru_stime.tv_sec) + seconds);
  if (bounded)
    set (RLIMIT_AS, initial + ordinary_bytes + bytes);
}

} // namespace sino::hdf5
