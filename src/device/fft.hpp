// SPDX-License-Identifier: LGPL-3.0-or-later
// Fourier transforms on the CPU, by a module that is loaded for the first transform.
#pragma once
#include "base/visibility.hpp"
#include "device/fft/backend.h"
#include <complex>
#include <cstdint>

namespace sino {

// A complex transform of one length, unnormalised. The same length gives the same bits in every process on the same
// kind of CPU. Calls are safe from any thread.
class SINO_VISIBLE Fft : NoCopy
{
public:
  explicit Fft (int64_t length);
  ~Fft ();

  int64_t length () const { return length_; }

  // `from` and `to` must be aligned to 64 bytes and be different; `from` is not changed.
  void forward (const std::complex<float> *from, std::complex<float> *to) const;
  void backward (const std::complex<float> *from, std::complex<float> *to) const;

  // The smallest fast length that is not below `at_least`.
  static int64_t good_length (int64_t at_least);
  // The same for rows of real values, which are transformed as half as many complex ones.
  static int64_t good_even_length (int64_t at_least) { return 2 * good_length ((at_least + 1) / 2); }

  // Throws if there is no module; called in negotiation, to find that out before the run.
  static void require ();
  static bool available ();

private:
  int64_t length_;
  void *plan;
};

} // namespace sino
