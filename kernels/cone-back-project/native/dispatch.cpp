// SPDX-License-Identifier: LGPL-3.0-or-later
// Selects the instruction set at run time. Each one has object files of its own: see meson.build.
#ifndef HWY_DISABLED_TARGETS // set by builds for a few instruction sets
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3)
#endif
#define HWY_WANT_AVX3_DL 1 // like the kernel
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cone-back-project/native/dispatch.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cone-back-project/native/tile.hpp"

namespace sino::cone_back_project::HWY_NAMESPACE {

void add_tile (const Job &, const Tile &, Interval slices, const Views &, std::byte *memory);
size_t memory_for (Manner);

static const char *name ()
{
  return hwy::TargetName (HWY_TARGET);
}

} // namespace sino::cone_back_project::HWY_NAMESPACE

#if HWY_ONCE
namespace sino::cone_back_project {

HWY_EXPORT (add_tile);
HWY_EXPORT (memory_for);
HWY_EXPORT (name);

size_t tile_memory (Manner manner)
{
  return HWY_DYNAMIC_DISPATCH (memory_for) (manner);
}

void back_project (const Job &job, const Tile &tile, Interval slices, const Views &views, std::byte *memory)
{
  HWY_DYNAMIC_DISPATCH (add_tile) (job, tile, slices, views, memory);
}

const char *instruction_set ()
{
  return HWY_DYNAMIC_DISPATCH (name) ();
}

} // namespace sino::cone_back_project
#endif
