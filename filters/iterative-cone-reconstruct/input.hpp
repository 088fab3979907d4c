// SPDX-License-Identifier: LGPL-3.0-or-later
// Projections as they come, arranged for footprints; the noise in them; slices for the output.
#pragma once
#include "filters/iterative-cone-reconstruct/space.hpp"
#include "stream/block.hpp"

namespace sino::iterative_cone_reconstruct {

// Puts a block of projections to its place. Throws Error if it has values that are not finite.
void put (const Space &space, const Block &block);
// Multiplies all projections by a power of 2 that brings them near 1: Space::scale.
void scale (Space &space);
// The noise of these, given or found in some rows.
FoundNoise noise_of (const Space &space, const Format &projections, const Frames::Watch &watch);
// Fills a block of slices, in attenuation per unit of length.
void fill (const Space &space, Block &block);

} // namespace sino::iterative_cone_reconstruct
