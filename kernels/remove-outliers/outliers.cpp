// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/remove-outliers/outliers.hpp"
#include "kernels/flat-field/correct.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

namespace sino::remove_outliers {

namespace {

constexpr int64_t piece = 1024; // values that stay in the nearest cache
using Floats = std::array<float, piece>;

// `value` and `median` are the same as floats, unless values are floats already. A simple loop, which compilers
// vectorise.
template <Sign SIGN, class T>
int32_t select (const T *__restrict values, const float *__restrict value, const float *__restrict median, int64_t n,
                float threshold, T *__restrict medians)
{
  int32_t outliers = 0;
  for (int64_t i = 0; i < n; i++) {
    float above;
    if constexpr (std::is_same_v<T, float>)
      above = values[i] - medians[i];
    else
      above = value[i] - median[i];
    const bool out = (SIGN == Sign::bright ? above : SIGN == Sign::dark ? -above : std::fabs (above)) > threshold;
    outliers += out;
    medians[i] = out ? medians[i] : values[i];
  }
  return outliers;
}

template <class T> int64_t replace (Element element, const T *values, int64_t n, Sign sign, float threshold, T *medians)
{
  const auto with = sign == Sign::bright ? select<Sign::bright, T>
                    : sign == Sign::dark ? select<Sign::dark, T>
                                         : select<Sign::both, T>;
  int64_t outliers = 0;
  Floats value, median;
  for (int64_t i = 0; i < n; i += piece) {
    const auto part = std::min (piece, n - i);
    if constexpr (!std::is_same_v<T, float>) {
      flat_field::widen (element, values + i, part, value.data ());
      flat_field::widen (element, medians + i, part, median.data ());
    }
    outliers += with (values + i, value.data (), median.data (), part, threshold, medians + i);
  }
  return outliers;
}

} // namespace

int64_t replace_outliers (Element element, const void *values, int64_t n, Sign sign, float threshold, void *medians)
{
  const auto with = [&] (auto type) {
    using T = decltype (type);
    return replace (element, static_cast<const T *> (values), n, sign, threshold, static_cast<T *> (medians));
  };
  switch (size_of (element)) {
  case 1:
    return with (uint8_t ());
  case 2: // halves, too
    return with (uint16_t ());
  default:
    return with (float ());
  }
}

} // namespace sino::remove_outliers
