// SPDX-License-Identifier: LGPL-3.0-or-later
// A checksum of each image of a stream, made of its lines as they come: in any order, from any thread.
#pragma once
#include "base/visibility.hpp"
#include "stream/rows.hpp"
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace sino::formats {

// Adds an interval to those of a list in order, which do not touch.
SINO_VISIBLE void add_interval (std::vector<Interval> &list, Interval more);

// CRC-32 of the bytes of each image; or of each row, which has a line of every image, where rows are finished one by
// one.
class SINO_VISIBLE Checksums
{
public:
  enum class Of : uint8_t { images, rows };

  Checksums (Of of, int64_t images, int64_t lines, int64_t line_bytes);
  Checksums (const Checksums &) = delete;
  Checksums &operator= (const Checksums &) = delete;

  const Of of;

  // These lines of each of these images. What was added before is left out: it has the same bytes.
  void add (Interval images, Interval lines, const std::byte *pixels, int64_t image_bytes);
  // Since an earlier run.
  void set (int64_t place, uint32_t sum);

  int64_t size () const { return of == Of::images ? images : lines; }
  // None where not all of it was added.
  std::optional<uint32_t> at (int64_t place) const;

  // Memory for so many.
  static size_t bytes (int64_t size);

private:
  // An image or a row of which not all was added.
  struct Begun {
    std::vector<Interval> taken; // parts that somebody adds or has added
    int64_t added = 0;           // parts
  };

  const int64_t images, lines, line_bytes;
  mutable std::mutex mutex; // of what follows
  std::vector<uint32_t> sums;
  std::vector<bool> whole;
  std::map<int64_t, Begun> begun;

  std::vector<Interval> take (int64_t place, Interval parts);
  void put (int64_t place, int64_t parts, uint32_t sum);
  void add_image (int64_t image, Interval some, const std::byte *pixels);
  void add_rows (Interval some, Interval high, const std::byte *pixels, int64_t image_bytes);
};

} // namespace sino::formats
