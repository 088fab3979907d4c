// SPDX-License-Identifier: LGPL-3.0-or-later
#include "stream/block.hpp"
#include "base/error.hpp"
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace sino {

Buffer::~Buffer () = default;

size_t block_bytes (const Format &format, const Layout &layout, const Region &region)
{
  int64_t rows = region.rows.size ();
  rows = (rows + layout.lanes - 1) / layout.lanes * layout.lanes;
  return static_cast<size_t> (rows * region.angles.size () * format.line ()) * size_of (format.element);
}

Block::Block (std::shared_ptr<const Format> f, Layout l, Region r, std::shared_ptr<Buffer> b)
    : format_ (std::move (f)), layout_ (l), region_ (r), buffer_ (std::move (b)), bytes_ (block_bytes (*format_, l, r)),
      line_ (format_->line ()), rows_first_ (!format_->axes.empty () && format_->axes[0].axis == format_->slab_axis ())
{
  if (buffer_ && buffer_->size < bytes_)
    fail (SINO_ERROR_FAILED, "a block of %zu bytes does not fit into the %zu that were planned for it", bytes_,
          buffer_->size);
}

namespace {
// Large ones in huge pages, as those of pools are.
constexpr size_t huge_page = size_t{2} << 20;

size_t alignment (size_t n)
{
  return n >= 2 * huge_page ? huge_page : 64;
}

struct HeapBuffer final : Buffer {
  explicit HeapBuffer (size_t n)
      : Buffer (static_cast<std::byte *> (
                    std::aligned_alloc (alignment (n), (n + alignment (n) - 1) / alignment (n) * alignment (n))),
                n)
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
