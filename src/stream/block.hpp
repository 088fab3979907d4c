// SPDX-License-Identifier: LGPL-3.0-or-later
// Blocks: a region of a stream in memory. Streams are passed along edges block by block.
//
// The life of a block:
//   1. A worker asks its Output for the next block (pass/ends). The pool of the stage gives it a Buffer (pass/pool),
//      which Device::allocate made at first use: pages of the host, or a buffer of OpenCL (memory_of in plan/demand).
//   2. The worker fills the block and pushes it. Each consumer's channel gets a Block that shares the Buffer.
//   3. Each consumer pops its Block from its Input, reads it, and drops it. A filter fills a new block of its own
//      stream. `write` converts values and keeps the Block until the bytes are in the file (tasks/files/writer).
//   4. When the last Block is dropped, the Buffer returns to the pool. The pool frees it at the end of the pass.
#pragma once
#include "stream/format.hpp"
#include <cstddef>
#include <memory>
#include <span>

namespace sino {

// Memory of one block; returns to its pool when the last block that shares it is dropped.
struct SINO_VISIBLE Buffer : NoCopy {
  std::byte *data = nullptr;
  size_t size = 0; // bytes

  Buffer (std::byte *d, size_t n) : data (d), size (n) {}
  virtual ~Buffer ();

  // Waits until the host may read and write the content. Before that, `data` is null or must not be accessed.
  virtual void settle () {}
  // Leaves the memory to the owners of the block, for any time; a pool then makes another buffer. False if that is not
  // possible.
  virtual bool keep () { return false; }
};

// The part of the stream that a block holds. Columns, y and x are never cut.
struct Region {
  Rows rows;       // rows along the slab axis, row or z
  Interval angles; // {0, 1} for slices

  friend bool operator== (const Region &, const Region &) = default;
};

// The layout that the plan chooses for blocks of an edge. Values lie densely:
//   projections  [angle][row][column]
//   sinograms    [group][angle][column][lane], a group being `lanes` neighbouring rows, the last one padded by zeros
//   slices       [z][y][x]
struct Layout {
  int lanes = 1;

  bool operator== (const Layout &) const = default;
};

// Bytes of a region.
SINO_VISIBLE size_t block_bytes (const Format &format, const Layout &layout, const Region &region);

// A region and its memory. Blocks are handles: copying one shares the memory. A block that came out of an input is
// shared with other consumers and must only be read.
class SINO_VISIBLE Block
{
public:
  Block () = default;
  Block (std::shared_ptr<const Format> f, Layout l, Region r, std::shared_ptr<Buffer> b);

  explicit operator bool () const { return bool (buffer_); }
  const Format &format () const { return *format_; }
  const std::shared_ptr<const Format> &format_pointer () const { return format_; }
  const Region &region () const { return region_; }
  const Rows &rows () const { return region_.rows; }
  Interval angles () const { return region_.angles; }
  int lanes () const { return layout_.lanes; }
  size_t bytes () const { return bytes_; }
  const std::shared_ptr<Buffer> &buffer () const { return buffer_; }

  std::byte *data () { return buffer_->data; }
  const std::byte *data () const { return buffer_->data; }
  template <class T> T *as () { return reinterpret_cast<T *> (buffer_->data); }
  template <class T> const T *as () const { return reinterpret_cast<const T *> (buffer_->data); }

  template <class T = std::byte> std::span<T> all () { return {as<T> (), bytes_ / sizeof (T)}; }
  template <class T = std::byte> std::span<const T> all () const { return {as<T> (), bytes_ / sizeof (T)}; }

  // Number of values in the block, including the padding of lanes.
  int64_t values () const { return static_cast<int64_t> (bytes_ / size_of (format_->element)); }
  int64_t line () const { return line_; }

  // Offset, in values, of (angle, row, 0), both counted from the begin of the block; the next column is lanes ()
  // further.
  int64_t offset (int64_t angle, int64_t row) const
  {
    if (rows_first_)
      return ((row / layout_.lanes * region_.angles.size () + angle) * line_) * layout_.lanes + row % layout_.lanes;
    return (angle * region_.rows.size () + row) * line_;
  }

private:
  std::shared_ptr<const Format> format_;
  Layout layout_;
  Region region_;
  std::shared_ptr<Buffer> buffer_;
  size_t bytes_ = 0;
  int64_t line_ = 0;
  bool rows_first_ = false;
};

// The rows that some blocks cover together.
inline Rows rows_of (std::span<const Block> blocks)
{
  Rows all;
  for (const auto &block : blocks)
    all = all.cover (block.rows ());
  return all;
}

// A block with its own memory, outside any pool: for tests and for values that outlive the run.
SINO_VISIBLE Block make_block (std::shared_ptr<const Format> format, Layout layout, Region region);

} // namespace sino
