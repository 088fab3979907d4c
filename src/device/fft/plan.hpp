// SPDX-License-Identifier: LGPL-3.0-or-later
// What transforms of one length share: its factors, and tables of e^(-2 pi i k / n).
//
// The values are taken as rows of a few columns, one column per lane of a vector:
//
//   1. Columns are transformed, all at once, in passes of one radix each. A pass reads values that are rows / radix
//      apart and stores them in the order of the next pass (T. G. Stockham, AFIPS Proc. 28, 229, 1966).
//   2. Each value is multiplied by e^(-2 pi i row column / n), and rows are transformed in registers (J. W. Cooley,
//      J. W. Tukey, Math. Comp. 19, 297, 1965).
//
// So vectors are shuffled in step 2 alone. Between steps, a row is a vector of real and one of imaginary parts.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sino {

struct FftPlan;

// The code for an instruction set.
struct FftKernel {
  int lanes;         // columns, for lengths that allow it: 4, 8, 16, or 1 on CPUs without vectors
  int largest_radix; // 8, or 16 where there are registers for it
  // `work`: as many values as the length. `from`, `to` and `work` differ. `back`: with e^(+2 pi i k / n).
  void (*transform) (const FftPlan &plan, const float *from, float *to, float *work, bool back);
};

struct FftPass {
  int radix;
  int64_t before;           // product of the radices of earlier passes
  std::vector<float> turns; // e^(-2 pi i j k / (before radix)), complex: [k < before][0 < j < radix]
};

struct FftPlan {
  FftKernel kernel;
  int64_t rows;
  int lanes; // the kernel's, or 4
  std::vector<FftPass> passes;
  std::vector<float> turns; // e^(-2 pi i row column / n): [row][real, imaginary][column]

  // Whether a length is a multiple of 4, at least 16, and has no other prime factors than 2, 3, 5 and 7.
  static bool covers (int64_t length);
  // The smallest length that is covered and also fast on OpenCL devices, and not below `at_least`: a power of two, or
  // five times one. Those below 16 are not covered.
  static int64_t good_length (int64_t at_least);
  FftPlan (int64_t length, const FftKernel &k);

  int64_t length () const { return rows * lanes; }
  static size_t most_bytes (int64_t length) { return static_cast<size_t> (length) * 5 / 2 * sizeof (float); }
};

// The one for this CPU.
FftKernel fft_kernel ();

} // namespace sino
