// SPDX-License-Identifier: LGPL-3.0-or-later
// Conversion of a file's values to those of a stream.
#pragma once
#include "formats/sample.hpp"
#include "formats/stack.hpp"

namespace sino::formats {

struct Samples {
  Sample type = Sample::u16;
  bool swapped = false;       // values are in the other byte order than this machine's
  double scale = 1, zero = 0; // a stored value v means zero + scale v
  bool real = false;          // integers stand for real numbers, so values are converted to f32

  // Element type in a stream: the same type if streams have it; u16 for i16 with zero 32768; otherwise f32.
  SINO_VISIBLE Element element () const;
  // The greatest value of the file's integer type, converted as in the stream; infinite for other types.
  SINO_VISIBLE float greatest () const;
  // Whether the bytes of values are those of the stream, except for byte order.
  bool plain () const { return in_streams (type) && scale == 1 && zero == 0 && !real; }
  // The same samples after their bytes were swapped.
  Samples native () const { return {type, false, scale, zero, real}; }

  // Converts the values in `columns` of a line that starts at column `first`.
  SINO_VISIBLE void take (const std::byte *line, int64_t first, Numbers columns, std::byte *out) const;
};

// Sets the attributes of a stack that depend on its samples.
inline void set_samples (Stack &stack, const Samples &samples)
{
  stack.element = samples.element ();
  stack.stored_pixel = size_of (samples.type);
  stack.top = samples.greatest ();
}

} // namespace sino::formats
