// SPDX-License-Identifier: LGPL-3.0-or-later
#include "pass/store.hpp"
#include "base/error.hpp"
#include <cstring>
#include <sys/mman.h>

namespace sino {

// Streams are stored densely in the order of their axes.
template <class Move> void Store::each_run (const Block &block, Move move) const
{
  const auto element = static_cast<int64_t> (size_of (format->element));
  const int64_t line = format->line () * element;
  const bool angles_first = format->kind () == Kind::projections;
  const int64_t outer = angles_first ? block.angles ().size () : 1;
  const int64_t inner = angles_first ? line : line * format->angles ();
  int64_t inside = 0;
  for (int64_t a = 0; a < outer; a++) {
    const int64_t plane = angles_first ? (block.angles ().begin + a) * format->rows () * line : 0;
    move (plane + block.rows ().begin * inner, inside, static_cast<size_t> (block.rows ().size () * inner));
    inside += block.rows ().size () * inner;
  }
}

Store::Store (std::shared_ptr<const Format> f, bool in_memory)
    : format (std::move (f)), size (static_cast<size_t> (format->bytes ()))
{
  if (in_memory) {
    void *fresh = mmap (nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (fresh == MAP_FAILED)
      fail (SINO_ERROR_MEMORY, "no memory for %s between two passes", bytes_text (static_cast<double> (size)).c_str ());
    memory = static_cast<std::byte *> (fresh);
    return;
  }
  file = std::make_unique<ScratchFile> (size);
}

Store::Store (std::shared_ptr<const Format> f, std::unique_ptr<ScratchFile> shared, std::unique_ptr<Temporary> m)
    : format (std::move (f)), file (std::move (shared)), made (std::move (m))
{
}

Store::~Store ()
{
  if (memory)
    munmap (memory, size);
}

void Store::write (const Block &block)
{
  each_run (block, [&] (int64_t at, int64_t inside, size_t bytes) {
    if (memory)
      std::memcpy (memory + at, block.data () + inside, bytes);
    else
      file->write (block.data () + inside, bytes, at);
  });
}

void Store::read (Block &block) const
{
  each_run (block, [&] (int64_t at, int64_t inside, size_t bytes) {
    if (memory)
      std::memcpy (block.data () + inside, memory + at, bytes);
    else
      file->read (block.data () + inside, bytes, at);
  });
}

} // namespace sino
