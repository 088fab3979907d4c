// SPDX-License-Identifier: LGPL-3.0-or-later
// Selects the instruction set at run time. Each one has object files of its own: see meson.build.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fourier-reconstruct/native/dispatch.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/fourier-reconstruct/native/complex-inl.hpp"
#include "kernels/fourier-reconstruct/native/stack.hpp"

namespace sino::fourier_reconstruct::HWY_NAMESPACE {

void transform_rays (const StackPlan &, const Memory &, const Bins &, std::span<const size_t>, float *, float *);
void spread_rays (const StackPlan &, const Memory &, int, std::span<const size_t>, float *);
void add_centres (const StackPlan &, const Memory &, int64_t);
void transform_line (const StackPlan &, const Memory &, int64_t, float *);
void store_rows (const StackPlan &, const Memory &, int64_t, std::span<float *const>, float *);

static int stack_lanes ()
{
  return HWY_TARGET == HWY_SCALAR ? 0 : lanes;
}

static const char *stack_instruction_set ()
{
  return hwy::TargetName (HWY_TARGET);
}

} // namespace sino::fourier_reconstruct::HWY_NAMESPACE

#if HWY_ONCE
#include "kernels/vector-set-inl.hpp"
namespace sino::fourier_reconstruct {

HWY_EXPORT (transform_rays);
HWY_EXPORT (spread_rays);
HWY_EXPORT (add_centres);
HWY_EXPORT (transform_line);
HWY_EXPORT (store_rows);
HWY_EXPORT (stack_lanes);
HWY_EXPORT (stack_instruction_set);

void transform_rays (const StackPlan &stack, const Memory &memory, const Bins &bins, std::span<const size_t> rays,
                     float *terms, float *work)
{
  HWY_DISPATCH_TABLE (transform_rays)[stack.vectors.index](stack, memory, bins, rays, terms, work);
}

void spread_rays (const StackPlan &stack, const Memory &memory, int sector, std::span<const size_t> rays, float *terms)
{
  HWY_DISPATCH_TABLE (spread_rays)[stack.vectors.index](stack, memory, sector, rays, terms);
}

void add_centres (const StackPlan &stack, const Memory &memory, int64_t line)
{
  HWY_DISPATCH_TABLE (add_centres)[stack.vectors.index](stack, memory, line);
}

void transform_line (const StackPlan &stack, const Memory &memory, int64_t line, float *work)
{
  HWY_DISPATCH_TABLE (transform_line)[stack.vectors.index](stack, memory, line, work);
}

void store_rows (const StackPlan &stack, const Memory &memory, int64_t group, std::span<float *const> slices,
                 float *work)
{
  HWY_DISPATCH_TABLE (store_rows)[stack.vectors.index](stack, memory, group, slices, work);
}

int stack_lanes ()
{
  return HWY_DYNAMIC_DISPATCH (stack_lanes) ();
}

kernels::VectorSet vectors_for (int lanes)
{
  const auto whole = stack_lanes (); // after which Highway has chosen
  return kernels::vector_set (
      {hwy::GetChosenTarget ().GetIndex (), whole, HWY_DYNAMIC_DISPATCH (stack_instruction_set) ()}, lanes);
}

} // namespace sino::fourier_reconstruct
#endif
