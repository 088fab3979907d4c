// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "base/visibility.hpp"
#include "stream/element.hpp"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sino {

// What all frames of a scan are.
struct SINO_VISIBLE FrameShape {
  Element element = Element::u16;
  int64_t rows = 0, columns = 0;

  size_t bytes () const { return static_cast<size_t> (rows * columns) * size_of (element); }
  std::string describe () const; // "512 x 512 u16"
  friend bool operator== (const FrameShape &, const FrameShape &) = default;
};

// Frames that lie in memory one after the other.
struct SINO_VISIBLE Chunk {
  std::shared_ptr<const std::byte> memory; // given back with the last reference
  FrameShape shape;
  int64_t count = 0;
  int64_t number = -1;        // of the first one, in the scan; -1: they follow those before
  std::vector<double> angles; // of each, in degrees; none: as was said before

  size_t bytes () const { return static_cast<size_t> (count) * shape.bytes (); }
  // The same without the first few.
  void drop_first (int64_t few);
};

} // namespace sino
