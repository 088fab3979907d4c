// SPDX-License-Identifier: LGPL-3.0-or-later
// Properties of back-projecting nodes: interpolation and precision of bins.
#pragma once
#include "glue/property.hpp"
#include "kernels/back-project/back-project.hpp"

namespace sino::back_project {

inline constexpr Nick<Interpolation> interpolation_nicks[] = {
    {Interpolation::linear, "linear"}, {Interpolation::nearest, "nearest"}, {Interpolation::oversample, "oversample"}};
inline constexpr const char *interpolation_blurb =
    "Interpolation between detector columns: linear, nearest, or oversample (the nearest of four linearly interpolated "
    "points per column)";

// Precision that the user asks for; `automatic` selects one of the others.
enum class Rounding { single, half_storage, half, int16, automatic };
inline constexpr Nick<Rounding> rounding_nicks[] = {{Rounding::single, "single"},
                                                    {Rounding::half_storage, "half-storage"},
                                                    {Rounding::half, "half"},
                                                    {Rounding::int16, "int16"},
                                                    {Rounding::automatic, "auto"}};

struct BinSettings {
  Interpolation interpolation = Interpolation::linear;
  Rounding precision = Rounding::single;

  static constexpr std::array properties{
      prop<&BinSettings::interpolation> ("interpolation", interpolation_blurb, interpolation_nicks),
      prop<&BinSettings::precision> (
          "precision",
          "How sinograms are stored and added: single, half-storage (stored as half, added as single), half (added as "
          "half, too), int16 (integers scaled for each slice), or auto (the fastest whose error is at most 1e-4)",
          rounding_nicks),
  };
};

} // namespace sino::back_project
