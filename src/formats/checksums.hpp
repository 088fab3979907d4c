// SPDX-License-Identifier: LGPL-3.0-or-later
// Checksums of each image of a stream, computed line by line: lines may come in any order, from any thread.
#pragma once
#include "base/visibility.hpp"
#include "stream/rows.hpp"
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace sino::formats {

// Adds an interval to a sorted list of separate intervals.
SINO_VISIBLE void add_interval (std::vector<Interval> &list, Interval more);

// CRC-32 of the bytes of each image; or of each row, which is one line of every image, if rows are finished one by one.
class SINO_VISIBLE Checksums
{
public:
  enum class Of : uint8_t { images, rows };

  Checksums (Of of, int64_t images, int64_t lines, int64_t line_bytes);

  const Of of;

  // Adds the pixels of these lines of these images. Lines that were added before are skipped, because their bytes are
  // equal.
  void add (Interval images, Interval lines, const std::byte *pixels, int64_t image_bytes);
  // Sets a checksum known from an earlier run.
  void set (int64_t place, uint32_t sum);

  int64_t size () const { return of == Of::images ? images : lines; }
  // None if some lines are missing.
  std::optional<uint32_t> at (int64_t place) const;

  // Memory for `size` checksums.
  static size_t bytes (int64_t size);

private:
  // An image or a row with missing lines.
  struct Begun {
    std::vector<Interval> taken; // parts that a thread adds or has added
    int64_t added = 0;           // number of parts
  };

  const int64_t images, lines, line_bytes;
  mutable std::mutex mutex; // protects the members below
  std::vector<uint32_t> sums;
  std::vector<bool> whole;
  std::map<int64_t, Begun> begun;

  std::vector<Interval> take (int64_t place, Interval parts);
  void put (int64_t place, int64_t parts, uint32_t sum);
  void add_image (int64_t image, Interval some, const std::byte *pixels);
  void add_rows (Interval some, Interval high, const std::byte *pixels, int64_t image_bytes);
};

} // namespace sino::formats
