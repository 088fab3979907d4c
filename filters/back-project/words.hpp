// SPDX-License-Identifier: LGPL-3.0-or-later
// How bins are read and added, as properties of nodes that back-project.
#pragma once
#include "back-project/back-project.hpp"
#include "glue/property.hpp"

namespace sino::back_project {

inline constexpr Nick<Interpolation> interpolation_nicks[] = {
    {Interpolation::linear, "linear"}, {Interpolation::nearest, "nearest"}, {Interpolation::oversample, "oversample"}};
inline constexpr const char *interpolation_blurb = "Between detector columns: linear, nearest, or oversample (the "
                                                   "nearest of four points per column that were interpolated linearly)";

enum class Wanted { single, half_storage, half, int16, automatic };
inline constexpr Nick<Wanted> precision_nicks[] = {{Wanted::single, "single"},
                                                   {Wanted::half_storage, "half-storage"},
                                                   {Wanted::half, "half"},
                                                   {Wanted::int16, "int16"},
                                                   {Wanted::automatic, "auto"}};
inline constexpr const char *precision_blurb =
    "How sinograms are held and added: single, half-storage (held as half, added as single), half (added as half, "
    "too), "
    "int16 (integers scaled to each slice), or auto (the fastest that errs by at most 1e-4)";

} // namespace sino::back_project
