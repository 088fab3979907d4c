// SPDX-License-Identifier: LGPL-3.0-or-later
// Fourier transforms on the CPU, through a module that is loaded when the first is made.
#pragma once
#include "base/visibility.hpp"
#include "device/fft/backend.h"
#include <complex>
#include <cstdint>
#include <memory>

namespace sino {

// One complex transform of a length, unnormalised. The same length gives the same bits in every process on the same
// kind of CPU. Calls are safe from any thread.
class SINO_VISIBLE Fft
{
public:
  explicit Fft (int64_t length);
  ~Fft ();
  Fft (const Fft &) = delete;
  Fft &operator= (const Fft &) = delete;

  int64_t length () const { return length_; }

  // `from` and `to` are aligned to 64 bytes and differ; `from` keeps its values.
  void forward (const std::complex<float> *from, std::complex<float> *to) const;
  void backward (const std::complex<float> *from, std::complex<float> *to) const;

  // The next length from `at_least` on that is fast.
  static int64_t good_length (int64_t at_least);
  // The same for rows of real values, which are transformed as half as many complex ones.
  static int64_t good_even_length (int64_t at_least) { return 2 * good_length ((at_least + 1) / 2); }

  // Throws when there is no module: for negotiation, which should find that out before a run starts.
  static void require ();
  static bool available ();

private:
  int64_t length_;
  void *plan;
};

} // namespace sino
