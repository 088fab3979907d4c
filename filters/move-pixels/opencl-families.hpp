// SPDX-License-Identifier: LGPL-3.0-or-later
// Families of OpenCL kernels that move pixels. Several nodes have the same kernels, each under its own name.
#pragma once
#include "filters/move-pixels/resampled.hpp"

namespace sino::move_pixels {

// Kernels of Gather; of moves that swap rows and columns; of Binned; of Resampled. `words`: those of the node itself.
families::Family copying_family (const char *node);
families::Family transposing_family (const char *node);
families::Family binning_family (const char *node);
families::Family resampling_family (const char *node, const std::vector<families::Word> &words = {});

families::Problem copying_problem (Element element); // also of transposing_family ()
families::Problem binning_problem (Element element);
families::Problem resampling_problem (Element element, Interpolation interpolation, bool rows_too);

} // namespace sino::move_pixels
