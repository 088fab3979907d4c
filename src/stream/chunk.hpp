// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "base/visibility.hpp"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace sino {

// Frames that lie in memory one after the other.
struct SINO_VISIBLE Chunk {
  std::shared_ptr<const std::byte> memory; // given back with the last reference
  int64_t count = 0;
  size_t frame_bytes = 0;
  int64_t number = -1;        // of the first one, in the scan; -1: they follow those before
  std::vector<double> angles; // of each, in radians; none: as was said before

  size_t bytes () const { return static_cast<size_t> (count) * frame_bytes; }
  // The same without the first few.
  void drop_first (int64_t few);
};

} // namespace sino
