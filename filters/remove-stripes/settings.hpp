// SPDX-License-Identifier: LGPL-3.0-or-later
// Properties of the node.
#pragma once
#include "filters/remove-stripes/wavelet-fourier.hpp"
#include "glue/property.hpp"
#include <algorithm>
#include <array>

namespace sino::remove_stripes {

enum class Method { offset, sorting, large, dead, all, wavelet_fourier };
constexpr Nick<Method> methods[] = {{Method::offset, "offset"}, {Method::sorting, "sorting"},
                                    {Method::large, "large"},   {Method::dead, "dead"},
                                    {Method::all, "all"},       {Method::wavelet_fourier, "wavelet-fourier"}};

// Numbered by their vanishing moments.
enum class Wavelet { db1 = 1, db2, db3, db4, db5, db6, db7, db8, db9, db10 };
constexpr Nick<Wavelet> wavelets[] = {{Wavelet::db1, "db1"},  {Wavelet::db2, "db2"}, {Wavelet::db3, "db3"},
                                      {Wavelet::db4, "db4"},  {Wavelet::db5, "db5"}, {Wavelet::db6, "db6"},
                                      {Wavelet::db7, "db7"},  {Wavelet::db8, "db8"}, {Wavelet::db9, "db9"},
                                      {Wavelet::db10, "db10"}};

struct Settings {
  Method method = Method::offset;
  bool bridge = false;
  double snr = 3;
  int sm_size = 21, la_size = 51;
  double drop_ratio = 0.1;
  Wavelet wavelet = Wavelet::db5;
  int levels = 3;
  double sigma = 0.5;

  bool finds_dead () const { return bridge || is_dead_or_all (); }
  bool finds_large () const { return is_dead_or_all () || method == Method::large; }
  bool is_dead_or_all () const { return method == Method::all || method == Method::dead; }
  bool sorts () const { return method != Method::offset && method != Method::wavelet_fourier; }
  bool smooths () const { return method == Method::all || method == Method::sorting; }
  int widest () const
  {
    return std::max (finds_large () ? la_size : 0, method != Method::large && method != Method::dead ? sm_size : 0);
  }
  // Number of values at either end of a column of n values that its mean ignores.
  int64_t dropped (int64_t n) const { return static_cast<int64_t> (drop_ratio * static_cast<double> (n) / 2); }
  WaveletSettings for_wavelets () const { return {static_cast<int> (wavelet), levels, sigma}; }

  static constexpr std::array properties{
      prop<&Settings::method> (
          "method",
          "offset: columns with the same error at all angles; sorting: narrow and partial stripes; large: strong and "
          "wide stripes; dead: unresponsive and fluctuating columns, and all that large removes; all: dead, large, "
          "then sorting; wavelet-fourier: details that hardly change with the angle, with wavelets",
          methods),
      prop<&Settings::bridge> (
          "bridge", "First fill unresponsive and fluctuating columns from their neighbours; dead and all always do so"),
      prop<&Settings::snr> ("snr",
                            "Threshold for a large or dead stripe, relative to the rise of a line fitted to the other "
                            "columns; larger values find fewer stripes",
                            Range{1, 1000}),
      prop<&Settings::sm_size> ("sm-size", "Columns of the median for offset and sorting, an odd number",
                                Range{1, 1001}),
      prop<&Settings::la_size> (
          "la-size", "Columns of the medians for large and dead, an odd number: at least twice the widest stripe",
          Range{1, 1001}),
      prop<&Settings::drop_ratio> (
          "drop-ratio", "Fraction of the largest and smallest values of a column that its mean ignores", Range{0, 0.8}),
      prop<&Settings::wavelet> ("wavelet", "Daubechies wavelet for wavelet-fourier, named by its vanishing moments",
                                wavelets),
      prop<&Settings::levels> (
          "levels", "Levels of wavelet-fourier: the widest stripe has about 2 to the power of levels columns",
          Range{1, 16}),
      prop<&Settings::sigma> ("sigma",
                              "Width of the frequency band along angles for wavelet-fourier, in periods of the "
                              "sinogram: larger values remove shorter stripes, and more of the object",
                              Range{0.01, 1000}),
  };
};

} // namespace sino::remove_stripes
