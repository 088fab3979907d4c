// SPDX-License-Identifier: LGPL-3.0-or-later
// Eigenvectors of small symmetric matrices, by Jacobi's rotations (G. Golub, C. Van Loan, Matrix Computations, 8.5).
#pragma once
#include <cstddef>
#include <vector>

namespace sino::dynamic_flats {

struct Eigen {
  std::vector<double> values;  // falling
  std::vector<double> vectors; // vector k is [k * n, k * n + n), of length 1
};

// `matrix` is n x n.
Eigen eigen_of (std::vector<double> matrix, size_t n);

} // namespace sino::dynamic_flats
