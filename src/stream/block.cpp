// SPDX-License-Identifier: LGPL-3.0-or-later
#include "stream/block.hpp"
#include "base/error.hpp"

namespace sino {

Buffer::~Buffer () = default;

size_t block_bytes (const Format &format, const Layout &layout, const Region &region)
{
  int64_t rows = region.rows.size ();
  rows = round_up (rows, layout.lanes);
  return static_cast<size_t> (rows * region.angles.size () * format.line ()) * size_of (format.element);
}

Block::Block (std::shared_ptr<const Format> f, Layout l, Region r, std::shared_ptr<Buffer> b)
    : format_ (std::move (f)), layout_ (l), region_ (r), buffer_ (std::move (b)), bytes_ (block_bytes (*format_, l, r)),
      line_ (format_->line ()), rows_first_ (format_->rows_first ())
{
  if (buffer_ && buffer_->size < bytes_)
    fail (SINO_ERROR_FAILED, "a block of %zu bytes does not fit into the %zu that were planned for it", bytes_,
          buffer_->size);
}

} // namespace sino
