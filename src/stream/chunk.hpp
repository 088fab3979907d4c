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

// The common properties of all frames of a scan.
struct SINO_VISIBLE FrameShape {
  Element element = Element::u16;
  int64_t rows = 0, columns = 0;

  size_t bytes () const { return static_cast<size_t> (rows * columns) * size_of (element); }
  std::string describe () const; // "512 x 512 u16"
  // Number of frames in so many bytes. Throws if they are none, or no whole number of frames.
  int64_t frames_in (size_t size) const;
  friend bool operator== (const FrameShape &, const FrameShape &) = default;
};

// Frames that lie one after the other in memory.
struct SINO_VISIBLE Chunk {
  std::shared_ptr<const std::byte> memory; // released with the last reference
  FrameShape shape;
  int64_t count = 0;
  int64_t number = -1;        // number of the first frame in the scan; -1: after the frames of the chunk before
  std::vector<double> angles; // angle of each frame in degrees; empty: the angles are known already

  size_t bytes () const { return static_cast<size_t> (count) * shape.bytes (); }
  // Removes the first few frames.
  void drop_first (int64_t few);
};

} // namespace sino
