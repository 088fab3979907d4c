// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "stream/frames.hpp"
#include <memory>
#include <mutex>

namespace sino::app {

// Darks or flats that the program pushed.
class Extras
{
public:
  void add (std::shared_ptr<const std::byte> frames, int64_t count, size_t frame_bytes, double position);
  void clear ();
  // As they are now; null: there are none.
  std::shared_ptr<const Frames> read (Element element, int64_t rows, int64_t columns) const;

private:
  mutable std::mutex mutex;
  std::vector<std::shared_ptr<const std::byte>> frames;
  std::vector<int64_t> counts; // of frames in each
  std::vector<size_t> sizes;   // of one of them, in bytes
  std::vector<double> positions;
};

} // namespace sino::app
