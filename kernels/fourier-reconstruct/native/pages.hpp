// SPDX-License-Identifier: LGPL-3.0-or-later
// Large memory, zero at first, in large pages where the system has them: access far apart then needs few translations
// of addresses.
#pragma once
#include <cstddef>
#include <new>
#include <sys/mman.h>

namespace sino::fourier {

class Pages
{
public:
  explicit Pages (size_t floats) : size (bytes (floats))
  {
    void *memory = mmap (nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      throw std::bad_alloc ();
    madvise (memory, size, MADV_HUGEPAGE);
    values = static_cast<float *> (memory);
  }
  Pages (Pages &&o) noexcept : values (o.values), size (o.size) { o.values = nullptr; }
  Pages (const Pages &) = delete;
  Pages &operator= (const Pages &) = delete;
  ~Pages ()
  {
    if (values)
      munmap (values, size);
  }

  // Bytes that so many floats take.
  static size_t bytes (size_t floats)
  {
    constexpr size_t page = size_t{2} << 20;
    return (floats * sizeof (float) + page - 1) / page * page;
  }

  float *data () { return values; }

private:
  float *values;
  size_t size;
};

} // namespace sino::fourier
