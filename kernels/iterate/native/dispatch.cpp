// SPDX-License-Identifier: LGPL-3.0-or-later
// Selects the instruction set at run time. Each one has object files of its own: see meson.build.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/iterate/native/dispatch.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/fourier-reconstruct/native/complex-inl.hpp"
#include "kernels/iterate/window.hpp"

namespace sino::iterate::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR // never called: stack_lanes () is 0
uint32_t pack (const Plan &, float *, const Window &, std::span<const float *const>, int64_t, float *)
{
  return 0;
}
void unpack (const Plan &, const float *, const Window &, std::span<float *const>, uint32_t, int64_t, float *) {}
void lay (const Plan &, const Memory &, const float *, int64_t, float *) {}
void convolve (const Plan &, const Memory &, int, int64_t, float *) {}
void take (const Plan &, const Memory &, float *, int64_t, float *) {}
void divide (const Plan &, const Memory &, int64_t, float *) {}
void lay_metric (const Plan &, const Memory &, const float *, int64_t, int64_t, int64_t, float *) {}
void divide_by (const Plan &, const Memory &, const float *, int64_t, float *) {}
void take_metric (const Plan &, const Memory &, float *, int64_t, int64_t, int64_t, float *) {}
void begin_tv (const Plan &, const Memory &, int64_t) {}
void lay_duals (const Plan &, const Memory &, const TvSteps &, int64_t, float *) {}
void lay_gradient (const Plan &, const Memory &, int64_t, float *) {}
void update (const Plan &, const Memory &, const TvSteps &, int64_t, float *) {}
void take_gradient (const Plan &, const Memory &, int64_t, float *) {}
void transform_along (const Plan &, const Cosines &, std::span<const Memory>, int64_t) {}
void update_window (const Plan &, const Cosines &, std::span<const Memory>, std::span<const TvSteps>, int64_t) {}
void begin_cgls (const Plan &, const Memory &, int64_t) {}
void take_product (const Plan &, const Memory &, int64_t, float *) {}
void step (const Plan &, const Memory &, const float *, int64_t, float *) {}
void take_direction (const Plan &, const Memory &, int64_t, float *) {}
void turn (const Plan &, const Memory &, const float *, int64_t) {}
#else
uint32_t pack (const Plan &, float *, const Window &, std::span<const float *const>, int64_t, float *);
void unpack (const Plan &, const float *, const Window &, std::span<float *const>, uint32_t, int64_t, float *);
void lay (const Plan &, const Memory &, const float *, int64_t, float *);
void convolve (const Plan &, const Memory &, int, int64_t, float *);
void take (const Plan &, const Memory &, float *, int64_t, float *);
void divide (const Plan &, const Memory &, int64_t, float *);
void lay_metric (const Plan &, const Memory &, const float *, int64_t, int64_t, int64_t, float *);
void divide_by (const Plan &, const Memory &, const float *, int64_t, float *);
void take_metric (const Plan &, const Memory &, float *, int64_t, int64_t, int64_t, float *);
void begin_tv (const Plan &, const Memory &, int64_t);
void lay_duals (const Plan &, const Memory &, const TvSteps &, int64_t, float *);
void lay_gradient (const Plan &, const Memory &, int64_t, float *);
void update (const Plan &, const Memory &, const TvSteps &, int64_t, float *);
void take_gradient (const Plan &, const Memory &, int64_t, float *);
void transform_along (const Plan &, const Cosines &, std::span<const Memory>, int64_t);
void update_window (const Plan &, const Cosines &, std::span<const Memory>, std::span<const TvSteps>, int64_t);
void begin_cgls (const Plan &, const Memory &, int64_t);
void take_product (const Plan &, const Memory &, int64_t, float *);
void step (const Plan &, const Memory &, const float *, int64_t, float *);
void take_direction (const Plan &, const Memory &, int64_t, float *);
void turn (const Plan &, const Memory &, const float *, int64_t);
#endif

static int stack_lanes ()
{
  return HWY_TARGET == HWY_SCALAR ? 0 : fourier_reconstruct::HWY_NAMESPACE::lanes;
}

static const char *stack_instruction_set ()
{
  return hwy::TargetName (HWY_TARGET);
}

} // namespace sino::iterate::HWY_NAMESPACE

#if HWY_ONCE
#include "kernels/vector-set-inl.hpp"
namespace sino::iterate {

HWY_EXPORT (pack);
HWY_EXPORT (unpack);
HWY_EXPORT (lay);
HWY_EXPORT (convolve);
HWY_EXPORT (take);
HWY_EXPORT (divide);
HWY_EXPORT (lay_metric);
HWY_EXPORT (divide_by);
HWY_EXPORT (take_metric);
HWY_EXPORT (begin_tv);
HWY_EXPORT (lay_duals);
HWY_EXPORT (lay_gradient);
HWY_EXPORT (update);
HWY_EXPORT (take_gradient);
HWY_EXPORT (transform_along);
HWY_EXPORT (update_window);
HWY_EXPORT (begin_cgls);
HWY_EXPORT (take_product);
HWY_EXPORT (step);
HWY_EXPORT (take_direction);
HWY_EXPORT (turn);
HWY_EXPORT (stack_lanes);
HWY_EXPORT (stack_instruction_set);

uint32_t pack (const Plan &plan, float *image, const Window &window, std::span<const float *const> slices, int64_t row,
               float *work)
{
  return HWY_DISPATCH_TABLE (pack)[plan.vectors.index](plan, image, window, slices, row, work);
}

void unpack (const Plan &plan, const float *image, const Window &window, std::span<float *const> slices,
             uint32_t non_negative, int64_t row, float *work)
{
  HWY_DISPATCH_TABLE (unpack)[plan.vectors.index](plan, image, window, slices, non_negative, row, work);
}

void lay (const Plan &plan, const Memory &memory, const float *image, int64_t row, float *work)
{
  HWY_DISPATCH_TABLE (lay)[plan.vectors.index](plan, memory, image, row, work);
}

void convolve (const Plan &plan, const Memory &memory, int parity, int64_t group, float *work)
{
  HWY_DISPATCH_TABLE (convolve)[plan.vectors.index](plan, memory, parity, group, work);
}

void take (const Plan &plan, const Memory &memory, float *image, int64_t row, float *work)
{
  HWY_DISPATCH_TABLE (take)[plan.vectors.index](plan, memory, image, row, work);
}

void divide (const Plan &plan, const Memory &memory, int64_t group, float *work)
{
  HWY_DISPATCH_TABLE (divide)[plan.vectors.index](plan, memory, group, work);
}

void lay_metric (const Plan &plan, const Memory &memory, const float *from, int64_t columns, int64_t stride,
                 int64_t row, float *work)
{
  HWY_DISPATCH_TABLE (lay_metric)[plan.vectors.index](plan, memory, from, columns, stride, row, work);
}

void divide_by (const Plan &plan, const Memory &memory, const float *add, int64_t group, float *work)
{
  HWY_DISPATCH_TABLE (divide_by)[plan.vectors.index](plan, memory, add, group, work);
}

void take_metric (const Plan &plan, const Memory &memory, float *to, int64_t columns, int64_t stride, int64_t row,
                  float *work)
{
  HWY_DISPATCH_TABLE (take_metric)[plan.vectors.index](plan, memory, to, columns, stride, row, work);
}

void begin_tv (const Plan &plan, const Memory &memory, int64_t row)
{
  HWY_DISPATCH_TABLE (begin_tv)[plan.vectors.index](plan, memory, row);
}

void lay_duals (const Plan &plan, const Memory &memory, const TvSteps &steps, int64_t row, float *work)
{
  HWY_DISPATCH_TABLE (lay_duals)[plan.vectors.index](plan, memory, steps, row, work);
}

void lay_gradient (const Plan &plan, const Memory &memory, int64_t row, float *work)
{
  HWY_DISPATCH_TABLE (lay_gradient)[plan.vectors.index](plan, memory, row, work);
}

void update (const Plan &plan, const Memory &memory, const TvSteps &steps, int64_t row, float *work)
{
  HWY_DISPATCH_TABLE (update)[plan.vectors.index](plan, memory, steps, row, work);
}

void take_gradient (const Plan &plan, const Memory &memory, int64_t row, float *work)
{
  HWY_DISPATCH_TABLE (take_gradient)[plan.vectors.index](plan, memory, row, work);
}

void transform_along (const Plan &plan, const Cosines &cosines, std::span<const Memory> stacks, int64_t row)
{
  HWY_DISPATCH_TABLE (transform_along)[plan.vectors.index](plan, cosines, stacks, row);
}

void update_window (const Plan &plan, const Cosines &cosines, std::span<const Memory> stacks,
                    std::span<const TvSteps> steps, int64_t row)
{
  HWY_DISPATCH_TABLE (update_window)[plan.vectors.index](plan, cosines, stacks, steps, row);
}

void begin_cgls (const Plan &plan, const Memory &memory, int64_t row)
{
  HWY_DISPATCH_TABLE (begin_cgls)[plan.vectors.index](plan, memory, row);
}

void take_product (const Plan &plan, const Memory &memory, int64_t row, float *work)
{
  HWY_DISPATCH_TABLE (take_product)[plan.vectors.index](plan, memory, row, work);
}

void step (const Plan &plan, const Memory &memory, const float *alpha, int64_t row, float *work)
{
  HWY_DISPATCH_TABLE (step)[plan.vectors.index](plan, memory, alpha, row, work);
}

void take_direction (const Plan &plan, const Memory &memory, int64_t row, float *work)
{
  HWY_DISPATCH_TABLE (take_direction)[plan.vectors.index](plan, memory, row, work);
}

void turn (const Plan &plan, const Memory &memory, const float *beta, int64_t row)
{
  HWY_DISPATCH_TABLE (turn)[plan.vectors.index](plan, memory, beta, row);
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

} // namespace sino::iterate
#endif
