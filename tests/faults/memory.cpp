// SPDX-License-Identifier: LGPL-3.0-or-later
// Takes the place of the allocator. The real one is called by names that glibc has for this, since to look a name up
// takes memory.
#include "tests/faults/rules.hpp"
#include <cerrno>
#include <cstdlib>

extern "C" {
void *__libc_malloc (size_t n);
void *__libc_calloc (size_t number, size_t n);
void *__libc_realloc (void *old, size_t n);
void *__libc_memalign (size_t alignment, size_t n);
}

namespace {

// Calls `real ()`, unless a rule says that there is no memory.
template <class Real> void *take (size_t n, const void *caller, Real real)
{
  const auto *rule = faults::due ({"malloc", -1, nullptr, n, -1, caller});
  if (!rule || !rule->error)
    return real ();
  errno = ENOMEM;
  return nullptr;
}

} // namespace

extern "C" {
#pragma GCC visibility push(default)

void *malloc (size_t n) noexcept
{
  return take (n, __builtin_return_address (0), [&] { return __libc_malloc (n); });
}

void *calloc (size_t number, size_t n) noexcept
{
  return take (number * n, __builtin_return_address (0), [&] { return __libc_calloc (number, n); });
}

void *realloc (void *old, size_t n) noexcept
{
  return take (n, __builtin_return_address (0), [&] { return __libc_realloc (old, n); });
}

void *aligned_alloc (size_t alignment, size_t n) noexcept
{
  return take (n, __builtin_return_address (0), [&] { return __libc_memalign (alignment, n); });
}

int posix_memalign (void **to, size_t alignment, size_t n) noexcept
{
  void *memory = take (n, __builtin_return_address (0), [&] { return __libc_memalign (alignment, n); });
  if (!memory)
    return ENOMEM;
  *to = memory;
  return 0;
}

#pragma GCC visibility pop
}
