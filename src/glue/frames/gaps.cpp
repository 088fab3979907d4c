// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/frames/gaps.hpp"
#include "base/half.hpp"
#include "base/text.hpp"
#include <cmath>
#include <utility>

namespace sino {

namespace {

template <class T, class To, class From>
void blend_values (const Chunk &a, const Chunk &b, float share, std::byte *to, To to_float, From from_float)
{
  const auto *left = reinterpret_cast<const T *> (a.memory.get ()),
             *right = reinterpret_cast<const T *> (b.memory.get ());
  auto *out = reinterpret_cast<T *> (to);
  const auto count = static_cast<size_t> (a.shape.rows * a.shape.columns);
  for (size_t i = 0; i < count; i++)
    out[i] = from_float (to_float (left[i]) * (1 - share) + to_float (right[i]) * share);
}

// a + share (b - a), for two frames.
std::shared_ptr<const std::byte> blend (const Chunk &a, const Chunk &b, float share)
{
  // NOLINTNEXTLINE(modernize-avoid-c-arrays)
  const std::shared_ptr<std::byte[]> to (new std::byte[a.shape.bytes ()]);
  const auto plain = [] (auto value) { return static_cast<float> (value); };
  switch (a.shape.element) {
  case Element::u8:
    blend_values<uint8_t> (a, b, share, to.get (), plain,
                           [] (float v) { return static_cast<uint8_t> (std::lround (v)); });
    break;
  case Element::u16:
    blend_values<uint16_t> (a, b, share, to.get (), plain,
                            [] (float v) { return static_cast<uint16_t> (std::lround (v)); });
    break;
  case Element::f16:
    blend_values<uint16_t> (a, b, share, to.get (), half_to_float, half_from_float);
    break;
  case Element::f32:
    blend_values<float> (a, b, share, to.get (), plain, plain);
    break;
  }
  return {to, to.get ()};
}

// Frame i of a chunk.
Chunk frame_of (const Chunk &frames, int64_t i)
{
  Chunk one = frames;
  one.memory = {frames.memory, frames.memory.get () + static_cast<size_t> (i) * frames.shape.bytes ()};
  one.count = 1;
  one.number = frames.number + i;
  if (!frames.angles.empty ())
    one.angles = {frames.angles[static_cast<size_t> (i)]};
  return one;
}

[[noreturn]] void fail_lost (int64_t begin, int64_t end)
{
  const auto first = static_cast<long long> (begin), last = static_cast<long long> (end - 1);
  fail (
      SINO_ERROR_LOST_FRAME,
      "%s lost: set missing=skip to continue without them, or missing=interpolate to make them from those beside them",
      first == last ? text ("frame %lld is", first).c_str () : text ("frames %lld to %lld are", first, last).c_str ());
}

} // namespace

void fail_short (int64_t came, int64_t wanted)
{
  fail (SINO_ERROR_SHORT_SCAN,
        "the scan ended after %lld of %lld frames: set short-scan=finish to reconstruct the existing frames",
        static_cast<long long> (came), static_cast<long long> (wanted));
}

std::optional<Chunk> Gaps::pop ()
{
  if (!ahead)
    ahead = queue.pop ();
  if (!ahead)
    return {};
  if (ahead->number > next) {
    if (lost == Lost::fail)
      fail_lost (next, ahead->number);
    if (lost == Lost::interpolate)
      return hand_on (between ());
  }
  return hand_on (*std::exchange (ahead, std::nullopt));
}

std::optional<Chunk> Gaps::pop_to (int64_t end)
{
  if (next >= end || lost == Lost::skip)
    return {};
  if (lost == Lost::fail)
    fail_lost (next, end);
  return last.memory ? std::optional (hand_on (between ())) : std::nullopt;
}

Chunk Gaps::hand_on (Chunk frames)
{
  next = frames.number + frames.count;
  if (lost == Lost::interpolate)
    last = frame_of (frames, frames.count - 1);
  return frames;
}

// Frame `next`, from those on both sides; at the ends of the scan from the one that there is.
Chunk Gaps::between () const
{
  const auto behind = ahead ? frame_of (*ahead, 0) : last;
  const auto &before = last.memory ? last : behind;
  const auto distance = behind.number - before.number;
  const double share = distance > 0 ? static_cast<double> (next - before.number) / static_cast<double> (distance) : 0;
  Chunk made = before;
  made.number = next;
  made.memory = blend (before, behind, static_cast<float> (share));
  if (!made.angles.empty () && !behind.angles.empty ())
    made.angles = {before.angles[0] + share * (behind.angles[0] - before.angles[0])};
  return made;
}

} // namespace sino
