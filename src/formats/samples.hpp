// SPDX-License-Identifier: LGPL-3.0-or-later
// How the values of a file become those of a stream.
#pragma once
#include "formats/sample.hpp"
#include "formats/stack.hpp"

namespace sino::formats {

struct Samples {
  Sample type = Sample::u16;
  bool swapped = false;       // of the other byte order
  double scale = 1, zero = 0; // what a value v stands for: zero + scale v
  bool real = false;          // integers are real numbers that were stored in less room

  // What they are in a stream: their own type where streams have it; u16 for i16 from 32768 on; else f32.
  SINO_VISIBLE Element element () const;
  // The greatest value that integers of the file can have, as it is in a stream; infinite for others.
  SINO_VISIBLE float greatest () const;
  // Whether the bytes of a value are those of the stream, but for their order.
  bool plain () const { return in_streams (type) && scale == 1 && zero == 0 && !real; }
  // The same values once something else has turned their bytes round.
  Samples native () const { return {type, false, scale, zero, real}; }

  // The values of `columns` of a line that starts at column `first`.
  SINO_VISIBLE void take (const std::byte *line, int64_t first, Numbers columns, std::byte *out) const;
};

// Sets what a stack says of its values.
inline void set_samples (Stack &stack, const Samples &samples)
{
  stack.element = samples.element ();
  stack.stored_pixel = size_of (samples.type);
  stack.top = samples.greatest ();
}

} // namespace sino::formats
