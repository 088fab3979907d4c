// SPDX-License-Identifier: LGPL-3.0-or-later
#include "app/copies.hpp"
#include <cstring>

namespace sino::app {

std::unique_ptr<std::byte[]> Copies::take (size_t bytes)
{
  {
    const std::lock_guard guard (mutex);
    if (!unused.empty () && unused.back ().bytes == bytes) {
      auto memory = std::move (unused.back ().memory);
      unused.pop_back ();
      return memory;
    }
    unused.clear (); // unused memory has another size
  }
  return std::unique_ptr<std::byte[]> (new std::byte[bytes]);
}

void Copies::give_back (Piece piece) noexcept
{
  constexpr size_t most_bytes = 32 << 20; // large frames are not kept
  const std::lock_guard guard (mutex);
  if ((unused.size () + 1) * piece.bytes <= most_bytes && (unused.empty () || unused.back ().bytes == piece.bytes))
    try {
      unused.push_back (std::move (piece));
    } catch (...) { // the memory is freed
    }
}

std::shared_ptr<const std::byte> Copies::copy (const void *data, size_t bytes)
{
  auto memory = take (bytes);
  std::memcpy (memory.get (), data, bytes);
  const auto *content = memory.release ();
  return {content, [self = shared_from_this (), bytes] (const std::byte *p) {
            self->give_back ({std::unique_ptr<std::byte[]> (const_cast<std::byte *> (p)), bytes});
          }};
}

} // namespace sino::app
