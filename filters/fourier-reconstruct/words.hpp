// SPDX-License-Identifier: LGPL-3.0-or-later
// Property for the accuracy of gridding, for all nodes that use gridding.
#pragma once
#include "glue/property.hpp"
#include "kernels/fourier-reconstruct/gridding.hpp"

namespace sino::fourier_reconstruct {

struct GriddingSettings {
  double accuracy = 1e-3;

  static constexpr std::array properties{
      prop<&GriddingSettings::accuracy> ("accuracy",
                                         "Largest root mean square error of gridding, relative to back-projection with "
                                         "exact interpolation; there are three levels, 0.001, 0.0002 and 0.00005",
                                         Range{best_accuracy, 1}),
  };
};

// Precision of stored terms: the choices of back-project that gridding has, too.
enum class Holding { single, half_storage };
inline constexpr Nick<Holding> holding_nicks[] = {{Holding::single, "single"}, {Holding::half_storage, "half-storage"}};

} // namespace sino::fourier_reconstruct
