// SPDX-License-Identifier: LGPL-3.0-or-later
// Weighting and adding of a bin in the loop for stacks, for each stored format.
#if defined(SINO_BACK_PROJECT_SAMPLES) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_BACK_PROJECT_SAMPLES
#undef SINO_BACK_PROJECT_SAMPLES
#else
#define SINO_BACK_PROJECT_SAMPLES
#endif

#include "kernels/back-project/native/position-inl.hpp"
#include "kernels/pairs-inl.hpp"

HWY_BEFORE_NAMESPACE ();
namespace sino::back_project::HWY_NAMESPACE {

// Positions of a row of a cell in each ray.
struct Positions {
  // offset of the left bin in bytes, plus the remainder of the magic number
  HWY_ALIGN uint32_t offset[most_rays][cell_size];
  HWY_ALIGN uint32_t weight[most_rays][cell_size]; // weight in the format of the sample
};

template <int Lanes> struct Floats {
  static constexpr hn::CappedTag<float, Lanes> d{};
  static constexpr int lanes = Lanes, parts = Lanes / static_cast<int> (hn::MaxLanes (d));
  static constexpr size_t bin_bytes = Lanes * sizeof (float);
  using Value = float;
  using Sum = hn::Vec<hn::CappedTag<float, Lanes>>;

  static HWY_INLINE Sum zero () { return hn::Zero (d); }
  static HWY_INLINE Sum of_ray (const Batch &batch, int k) { return hn::LoadU (d, batch.weight[k]); }
  static HWY_INLINE Sum to_float (Sum sum) { return sum; }
  static HWY_INLINE Sum bin (const float *bin, int part) { return hn::LoadU (d, bin + part * (Lanes / parts)); }
};

template <int Lanes> struct Linear : Floats<Lanes> {
  using Base = Floats<Lanes>;
  using typename Base::Sum;
  struct Weights {
    Sum left, right;
  };

  // Keeps the weights of the right bin; the weights of both bins add up to the ray's weight.
  template <class D>
  static HWY_INLINE void keep_weights (D d, const Batch &batch, int k, size_t x, hn::Vec<D> fraction,
                                       Positions &positions)
  {
    const auto whole = hn::Load (d, batch.weight[k]), half = hn::Mul (whole, hn::Set (d, 0.5f));
    const hn::RebindToUnsigned<D> du;
    hn::Store (hn::BitCast (du, hn::MulAdd (fraction, whole, half)), du, positions.weight[k] + x);
  }
  static HWY_INLINE Weights weights (Sum whole, const Positions &positions, int k, int i)
  {
    const auto right = hn::Set (Base::d, reinterpret_cast<const float *> (positions.weight[k])[i]);
    return {hn::Sub (whole, right), right};
  }
  static HWY_INLINE void add (const float *bin, int part, const Weights &weights, Sum &sum)
  {
    sum = hn::MulAdd (Base::bin (bin, part), weights.left, sum);
    sum = hn::MulAdd (Base::bin (bin + Lanes, part), weights.right, sum);
  }
};

template <int Lanes> struct Nearest : Floats<Lanes> {
  using Base = Floats<Lanes>;
  using typename Base::Sum;

  template <class D> static HWY_INLINE void keep_weights (D, const Batch &, int, size_t, hn::Vec<D>, Positions &) {}
  static HWY_INLINE Sum weights (Sum whole, const Positions &, int, int) { return whole; }
  static HWY_INLINE void add (const float *bin, int part, Sum whole, Sum &sum)
  {
    sum = hn::MulAdd (Base::bin (bin, part), whole, sum);
  }
};

// Pairs of 16-bit integers: the bin in the lower half of 32 bits, its right neighbour in the upper half. Weights, too.
template <int Lanes, bool Nearest> struct Pairs {
  static constexpr hn::CappedTag<int32_t, Lanes> d{};
  static constexpr int lanes = Lanes, parts = Lanes / static_cast<int> (hn::MaxLanes (d));
  static constexpr size_t bin_bytes = Lanes * sizeof (int32_t);
  static constexpr int whole = pair_weight;
  using Value = int32_t;
  using Sum = hn::Vec<hn::CappedTag<int32_t, Lanes>>;

  static HWY_INLINE Sum zero () { return hn::Zero (d); }
  static HWY_INLINE Sum of_ray (const Batch &, int) { return hn::Set (d, whole); }
  static HWY_INLINE auto to_float (Sum sum) { return hn::ConvertTo (hn::CappedTag<float, Lanes> (), sum); }

  template <class D>
  static HWY_INLINE void keep_weights (D df, const Batch &, int k, size_t x, hn::Vec<D> fraction, Positions &positions)
  {
    if constexpr (!Nearest) {
      const hn::RebindToUnsigned<D> du;
      constexpr auto scale = static_cast<float> (whole);
      const auto rounded = hn::MulAdd (fraction, hn::Set (df, scale), hn::Set (df, magic + 0.5f * scale));
      const auto right = hn::BitCast (du, rounded);
      const auto left = hn::Sub (hn::Set (du, magic_bits + static_cast<uint32_t> (whole)), right);
      hn::Store (hn::Or (hn::ShiftLeft<16> (right), left), du, positions.weight[k] + x);
    }
  }
  static HWY_INLINE Sum weights (Sum all, const Positions &positions, int k, int i)
  {
    if constexpr (Nearest)
      return all;
    else
      return hn::Set (d, static_cast<int32_t> (positions.weight[k][i]));
  }
  static HWY_INLINE void add (const int32_t *bin, int part, Sum weights, Sum &sum)
  {
    const auto pair = hn::LoadU (d, bin + part * (Lanes / parts));
    sum = kernels::HWY_NAMESPACE::add_pairs (d, pair, weights, sum);
  }
};

} // namespace sino::back_project::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
