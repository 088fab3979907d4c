// SPDX-License-Identifier: LGPL-3.0-or-later
// A transform with its memory.
#pragma once
#include "device/fft.hpp"
#include <algorithm>
#include <hwy/aligned_allocator.h>

namespace sino::iterate {

using Complex = Fft::Value;

class Line
{
public:
  explicit Line (const Fft &f)
      : fft (f), from (hwy::AllocateAligned<Complex> (static_cast<size_t> (f.length ()))),
        to (hwy::AllocateAligned<Complex> (static_cast<size_t> (f.length ()))),
        work (
            hwy::AllocateAligned<Complex> (static_cast<size_t> (std::max<int64_t> (Fft::work_values (f.length ()), 1))))
  {
  }

  // Sets the first `count` values to value (i), the others to 0.
  template <class Value> void fill (int64_t count, Value value)
  {
    for (int64_t i = 0; i < count; i++)
      from[static_cast<size_t> (i)] = value (i);
    std::fill (from.get () + count, from.get () + fft.length (), Complex{});
  }
  // The transform, unnormalised; valid until the next one.
  const Complex *transformed ()
  {
    fft.forward (from.get (), to.get (), work.get ());
    return to.get ();
  }
  const Complex *transformed_back ()
  {
    fft.backward (from.get (), to.get (), work.get ());
    return to.get ();
  }

private:
  using Values = hwy::AlignedFreeUniquePtr<Complex[]>;
  const Fft &fft;
  Values from, to, work;
};

} // namespace sino::iterate
