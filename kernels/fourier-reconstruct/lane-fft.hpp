// SPDX-License-Identifier: LGPL-3.0-or-later
// Transforms many complex sequences at once: value j of all sequences is one vector, so no values are shuffled within
// vectors. A transform needs 5 n log2 n operations on whole vectors.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sino::fourier_reconstruct {

// Lengths are n1 x n2, each 8 times a radix: columns j of [n1][n2] are transformed and multiplied by e^(2 pi i j k /
// n), then rows k (J. W. Cooley, J. W. Tukey, 1965). A column or row stays in the nearest cache, so that all data
// passes the second cache twice.
struct LaneFft {
  int n = 0, n1 = 0, n2 = 0;
  std::vector<float> inner1, inner2; // factors between 8 and the radix, complex: [radix][8]
  std::vector<float> middle;         // factors between n1 and n2: [n2][n1]

  explicit LaneFft (int64_t length); // `length`: a result of good_length ()

  // Vectors of temporary memory for a transform.
  int64_t scratch () const { return static_cast<int64_t> (n1) * (n2 + 1); }
  size_t resident () const { return (inner1.size () + inner2.size () + middle.size ()) * sizeof (float); }
};

// e^(i pi j / n), j = 0 .. n - 1, complex: they turn a sequence so that its transform has the frequencies between.
std::vector<float> half_turns (int64_t n);

constexpr int64_t longest_fft = 16384;
// The shortest length of at least `least` that can be transformed; 0 if it is beyond the longest.
int64_t good_length (int64_t least);

} // namespace sino::fourier_reconstruct
