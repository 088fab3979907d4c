// SPDX-License-Identifier: LGPL-3.0-or-later
// Twelve numbers for each projection: ASTRA's vectors, or a projection matrix line by line.
#pragma once
#include "geometry/panel.hpp"
#include <string>
#include <string_view>

namespace sino {

enum class Twelve : uint8_t {
  cone_vec,       // position of the source, middle of the detector, vectors to the next column and to the next row
  parallel3d_vec, // direction of the rays, then like cone_vec
  matrices,       // (column, row, 1) w = matrix (x, y, z, 1)
};

SINO_VISIBLE const char *name_of (Twelve kind);
// Throws Error on an unknown name.
SINO_VISIBLE Twelve twelve_named (std::string_view name);

// views_of () makes a view from 12 numbers each, numbers_of () does the reverse. All views must have the same kind of
// beam.
SINO_VISIBLE std::vector<View> views_of (Twelve kind, std::span<const double> numbers, const Panel &panel);
SINO_VISIBLE std::vector<double> numbers_of (std::span<const View> views, const Panel &panel);

// Parses lines of text; the first one has the name of the kind, with or without a '#'. Throws Error.
std::vector<View> parse_vectors (const std::string &content, const Panel &panel, int64_t projections);

} // namespace sino
