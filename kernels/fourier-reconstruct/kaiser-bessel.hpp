// SPDX-License-Identifier: LGPL-3.0-or-later
// The compact function that spreads a sample over neighbouring cells of the grid, and its transform, by which the
// result must be divided:
//
//   phi (u) = I0 (beta sqrt (1 - (2 u / W)^2)) / I0 (beta),  |u| <= W / 2 cells
//   beta = 1.04 (W <= 4) or 1.02 times pi sqrt ((W / s)^2 (s - 1/2)^2 - 0.8)
//
// for a grid with s times as many cells as samples (J. I. Jackson, C. H. Meyer, D. G. Nishimura, A. Macovski, IEEE
// Trans. Med. Imaging 10, 473, 1991; beta: P. J. Beatty, D. G. Nishimura, J. M. Pauly, IEEE Trans. Med. Imaging 24,
// 799, 2005, equation 5).
#pragma once
#include <vector>

namespace sino::fourier_reconstruct {

// W is an integer. A sample at g touches W cells, beginning with ceil (g - W/2). With f = ceil (g - W/2) - (g - W/2) in
// [0, 1), cell t gets phi (t - W/2 + f), here a polynomial in z = 2 f - 1.
class KaiserBessel
{
public:
  KaiserBessel (int width, double oversampling);

  int width () const { return width_; }
  int degree () const { return degree_; }
  // The coefficient of power d of z for cell t is [degree - d][t]: highest power first.
  const std::vector<float> &coefficients () const { return coefficients_; }

  // at (): value of the polynomials at f; transform (): int phi (u) cos (2 pi x u) du.
  double at (int cell, double f) const;
  double transform (double x) const;

private:
  int width_, degree_;
  double beta;
  std::vector<float> coefficients_;
};

// The modified Bessel function of the first kind and order 0.
double bessel_i0 (double x);

} // namespace sino::fourier_reconstruct
