// SPDX-License-Identifier: LGPL-3.0-or-later
// Fourier transforms on the CPU.
#pragma once
#include "base/visibility.hpp"
#include <complex>
#include <cstdint>

namespace sino {

// A complex transform of one length, unnormalised. The same length gives the same bits in every process on the same
// kind of CPU. Calls are safe from any thread. Fast lengths are multiples of 16 without prime factors above 7.
class SINO_VISIBLE Fft : NoCopy
{
public:
  using Value = std::complex<float>;

  explicit Fft (int64_t length);
  ~Fft ();

  int64_t length () const { return length_; }

  // `from`, `to` and `work`, which has work_values (), must be aligned to 64 bytes and be different; `from` is not
  // changed.
  void forward (const Value *from, Value *to, Value *work) const;
  void backward (const Value *from, Value *to, Value *work) const;

  static int64_t work_values (int64_t length);
  // Most bytes of the tables of a length, with the memory to make them. Objects of one length share them.
  static size_t plan_bytes (int64_t length);

  // The smallest fast length that is not below `at_least`.
  static int64_t good_length (int64_t at_least);
  // The same for rows of real values, which are transformed as half as many complex ones.
  static int64_t good_even_length (int64_t at_least) { return 2 * good_length ((at_least + 1) / 2); }

private:
  int64_t length_;
  void *plan;
};

} // namespace sino
