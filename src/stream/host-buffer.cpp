// SPDX-License-Identifier: LGPL-3.0-or-later
#include "stream/host-buffer.hpp"
#include "base/divide-up.hpp"
#include "base/error.hpp"
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace sino {

void HostBuffer::settle ()
{
  const std::lock_guard guard (mutex);
  for (; !awaited.empty (); awaited.pop_back ())
    awaited.back () ();
}

void HostBuffer::after (std::function<void ()> wait)
{
  const std::lock_guard guard (mutex);
  awaited.push_back (std::move (wait));
}

bool HostBuffer::keep ()
{
  if (!is_kept.exchange (true) && left)
    left ();
  return true;
}

PlacedBuffer::PlacedBuffer (std::byte *d, size_t n, std::shared_ptr<Buffer> o, std::shared_ptr<Buffer> p)
    : HostBuffer (d, n), owner (std::move (o)), place (std::move (p))
{
  left = [this] { place.reset (); };
}

namespace {
// Large buffers use huge pages, as those of pools do.
constexpr size_t huge_page = size_t{2} << 20;

size_t alignment (size_t n)
{
  return n >= 2 * huge_page ? huge_page : 64;
}

struct HeapBuffer final : HostBuffer {
  explicit HeapBuffer (size_t n)
      : HostBuffer (static_cast<std::byte *> (std::aligned_alloc (alignment (n), round_up (n, alignment (n)))), n)
  {
    if (!data)
      fail (SINO_ERROR_MEMORY, "no memory for %s", bytes_text (static_cast<double> (n)).c_str ());
    if (n >= 2 * huge_page)
      madvise (data, n, MADV_HUGEPAGE);
    std::memset (data, 0, n);
  }
  ~HeapBuffer () override { std::free (data); }
};
} // namespace

Block make_block (std::shared_ptr<const Format> format, Layout layout, Region region)
{
  const size_t n = block_bytes (*format, layout, region);
  return {std::move (format), layout, region, std::make_shared<HeapBuffer> (n)};
}

} // namespace sino
