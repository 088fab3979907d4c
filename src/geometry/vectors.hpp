// SPDX-License-Identifier: LGPL-3.0-or-later
// Twelve numbers for a projection: ASTRA's vectors, or a projection matrix line by line.
#pragma once
#include "geometry/panel.hpp"
#include <string>
#include <string_view>

namespace sino {

enum class Twelve : uint8_t {
  cone_vec,       // source, middle of the detector, step to the next column, to the next row
  parallel3d_vec, // direction of the rays, then the same
  matrices,       // (column, row, 1) w = matrix (x, y, z, 1)
};

SINO_VISIBLE const char *name_of (Twelve kind);
// Throws Error on an unknown name.
SINO_VISIBLE Twelve twelve_named (std::string_view name);

// Views of 12 numbers each, and the other way round; all must be of one kind of beam.
SINO_VISIBLE std::vector<View> views_of (Twelve kind, std::span<const double> numbers, const Panel &panel);
SINO_VISIBLE std::vector<double> numbers_of (std::span<const View> views, const Panel &panel);

// Lines of text; the first one names the kind, after a '#' or not. Throws Error.
std::vector<View> parse_vectors (const std::string &content, const Panel &panel, int64_t projections);

} // namespace sino
