// SPDX-License-Identifier: LGPL-3.0-or-later
// Transforms of many complex sequences side by side: value j of all of them is one vector, so nothing is ever shuffled
// between sequences, and a transform costs 5 n log2 n operations on whole vectors.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sino::fourier_reconstruct {

// Lengths are n1 x n2, each 8 times a radix: columns j of [n1][n2] are transformed and turned by e^(2 pi i j k / n),
// then the rows k of that (J. W. Cooley, J. W. Tukey, 1965). A column or row stays in the nearest cache, so that the
// whole passes the second one twice.
struct LaneFft {
  int n = 0, n1 = 0, n2 = 0;
  std::vector<float> inner1, inner2; // turns between 8 and the radix, complex: [radix][8]
  std::vector<float> middle;         // [n2][n1]

  explicit LaneFft (int64_t length); // one of good_length ()

  // Vectors of the memory that a transform needs.
  int64_t scratch () const { return static_cast<int64_t> (n1) * (n2 + 1); }
  size_t resident () const { return (inner1.size () + inner2.size () + middle.size ()) * sizeof (float); }
};

constexpr int64_t longest_fft = 16384;
// The shortest length that can be transformed and has `least` values; 0 beyond the longest.
int64_t good_length (int64_t least);

} // namespace sino::fourier_reconstruct
