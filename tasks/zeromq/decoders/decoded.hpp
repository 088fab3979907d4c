// SPDX-License-Identifier: LGPL-3.0-or-later
// What a message of any protocol says.
#pragma once
#include "formats/samples.hpp"
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace sino::zeromq {

using Bytes = std::span<const std::byte>;
using Parts = std::span<const Bytes>;

enum class Protocol : uint8_t { any, array, concert, recastx, sls, odin, eiger };

constexpr const char *name_of (Protocol protocol)
{
  constexpr const char *names[] = {"auto", "array-1.0", "concert", "recastx", "sls", "odin", "eiger-2"};
  return names[static_cast<size_t> (protocol)];
}

enum class FrameKind : uint8_t { unknown, dark, flat, projection };
enum class Packing : uint8_t { none, lz4, bitshuffle_lz4 };

struct Decoded {
  // nothing: a message without a frame, which needs no attention; broken: the sender says that pixels of this frame are
  // missing; unreadable: nothing but the number and kind of this frame can be read.
  enum class What : uint8_t { nothing, start, frame, broken, unreadable, end };
  What what = What::nothing;

  // start: number of frames and their angles in degrees, if told.
  int64_t frames = 0;
  std::optional<double> angle_start, angle_step;

  // frame
  FrameKind kind = FrameKind::unknown;
  int64_t number = 0;
  int64_t rows = 0, columns = 0;
  formats::Samples samples;
  Packing packing = Packing::none;
  Bytes pixels; // a part of the message
  std::optional<double> angle;

  size_t unpacked () const { return static_cast<size_t> (rows * columns) * size_of (samples.type); }
};

// Largest rows, columns and number of a frame.
constexpr int64_t most_pixels = 1 << 20, most_number = (1 << 30) - 1;
// Largest frame: what `unpacked ()` may be.
constexpr int64_t most_bytes = int64_t{4} << 30;

// Throws if the size of the pixels does not fit what the header says.
void check_size (const Decoded &frame);

} // namespace sino::zeromq
