// SPDX-License-Identifier: LGPL-3.0-or-later
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/calculate/operations.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/calculate/operations.hpp"
#include "kernels/vectors-inl.hpp"
#include <cmath>
#include <hwy/contrib/math/math-inl.h>
#include <limits>

HWY_BEFORE_NAMESPACE ();
namespace sino::calculate::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D> HWY_INLINE hn::Vec<D> load (D d, const Operand &from, int64_t i)
{
  return from.values ? hn::LoadU (d, from.values + i) : hn::Set (d, from.value);
}

template <class F> HWY_INLINE void unary (const Operand &a, int64_t n, float *out, F f)
{
  kernels::HWY_NAMESPACE::over (n,
                                [&] (auto d, int64_t i) HWY_ATTR { hn::StoreU (f (d, load (d, a, i)), d, out + i); });
}

template <class F> HWY_INLINE void binary (const Operand &a, const Operand &b, int64_t n, float *out, F f)
{
  kernels::HWY_NAMESPACE::over (n, [&] (auto d, int64_t i)
                                       HWY_ATTR { hn::StoreU (f (d, load (d, a, i), load (d, b, i)), d, out + i); });
}

// Power by repeated squaring. A negative exponent uses 1 / a.
template <class D, class V> HWY_INLINE V whole_power (D d, V a, int exponent)
{
  const auto one = hn::Set (d, 1.0f);
  auto result = one, square = a;
  for (int left = exponent < 0 ? -exponent : exponent; left > 0; left /= 2) {
    if (left % 2 != 0)
      result = hn::Mul (result, square);
    square = hn::Mul (square, square);
  }
  return exponent < 0 ? hn::Div (one, result) : result;
}

// The vector library's functions are valid for finite values only; others are handled separately.
template <class D, class V> HWY_INLINE V logarithm (D d, V a)
{
  const auto zero = hn::Zero (d), infinite = hn::Set (d, std::numeric_limits<float>::infinity ());
  const auto inside = hn::And (hn::Gt (a, zero), hn::Lt (a, infinite));
  const auto outside = hn::IfThenElse (hn::Eq (a, zero), hn::Neg (infinite),
                                       hn::IfThenElse (hn::Lt (a, zero), hn::NaN (d), a)); // infinite, or NaN
  return hn::IfThenElse (inside, hn::Log (d, hn::IfThenElse (inside, a, hn::Set (d, 1.0f))), outside);
}

template <class D, class V> HWY_INLINE V exponential (D d, V a)
{
  constexpr float largest = 88.72283f, least = -104; // beyond them the result is infinity or 0
  const auto inside = hn::And (hn::Ge (a, hn::Set (d, least)), hn::Le (a, hn::Set (d, largest)));
  const auto infinite = hn::Set (d, std::numeric_limits<float>::infinity ());
  const auto outside = hn::IfThenElse (hn::Gt (a, hn::Zero (d)), infinite,
                                       hn::IfThenElse (hn::Lt (a, hn::Zero (d)), hn::Zero (d), a)); // NaN
  return hn::IfThenElse (inside, hn::Exp (d, hn::IfThenElseZero (inside, a)), outside);
}

void power (const Operand &a, const Operand &b, int64_t n, float *out)
{
  const auto at = [] (const Operand &of, int64_t i) { return of.values ? of.values[i] : of.value; };
  for (int64_t i = 0; i < n; i++)
    out[i] = std::pow (at (a, i), at (b, i));
}

void step (const Step &s, const Operand &a, const Operand &b, int64_t n, float *out)
{
  switch (s.operation) {
  case Operation::add:
    return binary (a, b, n, out, [] (auto, auto u, auto v) HWY_ATTR { return hn::Add (u, v); });
  case Operation::subtract:
    return binary (a, b, n, out, [] (auto, auto u, auto v) HWY_ATTR { return hn::Sub (u, v); });
  case Operation::multiply:
    return binary (a, b, n, out, [] (auto, auto u, auto v) HWY_ATTR { return hn::Mul (u, v); });
  case Operation::divide:
    return binary (a, b, n, out, [] (auto, auto u, auto v) HWY_ATTR { return hn::Div (u, v); });
  case Operation::minimum:
    return binary (a, b, n, out, [] (auto, auto u, auto v) HWY_ATTR {
      return hn::IfThenElse (hn::Or (hn::Lt (u, v), hn::IsNaN (u)), u, v);
    });
  case Operation::maximum:
    return binary (a, b, n, out, [] (auto, auto u, auto v) HWY_ATTR {
      return hn::IfThenElse (hn::Or (hn::Gt (u, v), hn::IsNaN (u)), u, v);
    });
  case Operation::power:
    return power (a, b, n, out);
  case Operation::whole_power:
    return unary (a, n, out, [&] (auto d, auto u) HWY_ATTR { return whole_power (d, u, s.exponent); });
  case Operation::negate:
    return unary (a, n, out, [] (auto, auto u) HWY_ATTR { return hn::Neg (u); });
  case Operation::absolute:
    return unary (a, n, out, [] (auto, auto u) HWY_ATTR { return hn::Abs (u); });
  case Operation::square_root:
    return unary (a, n, out, [] (auto, auto u) HWY_ATTR { return hn::Sqrt (u); });
  case Operation::exponential:
    return unary (a, n, out, [] (auto d, auto u) HWY_ATTR { return exponential (d, u); });
  case Operation::logarithm:
    return unary (a, n, out, [] (auto d, auto u) HWY_ATTR { return logarithm (d, u); });
  }
}

void run_steps (std::span<const Step> steps, std::span<const Operand> operands, int64_t n, float *temporaries,
                int64_t stride, float *out)
{
  const auto known = static_cast<int> (operands.size ());
  const auto at = [&] (int i) {
    return i < known ? operands[static_cast<size_t> (i)] : Operand{temporaries + (i - known) * stride, 0};
  };
  for (const auto &each : steps)
    step (each, at (each.a), at (each.b), n, &each == &steps.back () ? out : temporaries + (each.out - known) * stride);
}

} // namespace sino::calculate::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::calculate {

HWY_EXPORT (run_steps);

void run (std::span<const Step> steps, std::span<const Operand> operands, int64_t n, float *temporaries, int64_t stride,
          float *out)
{
  HWY_DYNAMIC_DISPATCH (run_steps) (steps, operands, n, temporaries, stride, out);
}

} // namespace sino::calculate
#endif
