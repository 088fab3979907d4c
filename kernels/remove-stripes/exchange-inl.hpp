// SPDX-License-Identifier: LGPL-3.0-or-later
// Sorts a few vectors, each lane on its own, by exchanges that are the same for all data. K. E. Batcher, Sorting
// networks and their applications, AFIPS Proc. 32, 1968, 307. Included once per target, inside its translation unit.
#if defined(SINO_REMOVE_STRIPES_EXCHANGE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_REMOVE_STRIPES_EXCHANGE_INL
#undef SINO_REMOVE_STRIPES_EXCHANGE_INL
#else
#define SINO_REMOVE_STRIPES_EXCHANGE_INL
#endif

#include <array>
#include <cstdint>
#include <hwy/highway.h>
#include <utility>

HWY_BEFORE_NAMESPACE ();
namespace sino::remove_stripes::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Places that are compared; the first one gets the smaller value.
struct Pair {
  int low, high;
};

template <int COUNT> struct Pairs {
  std::array<Pair, COUNT> of{};
  int count = 0;

  constexpr void add (int low, int high) { of[static_cast<size_t> (count++)] = {low, high}; }
};

// Sorts N values, a power of two.
template <int N> constexpr auto sorting_pairs ()
{
  Pairs<64> pairs;
  static_assert (N <= 16);
  for (int run = 1; run < N; run *= 2)
    for (int apart = run; apart > 0; apart /= 2)
      for (int first = apart % run; first + apart < N; first += 2 * apart)
        for (int i = first; i < first + apart && i + apart < N; i++)
          if (i / (2 * run) == (i + apart) / (2 * run))
            pairs.add (i, i + apart);
  return pairs;
}

// Sorts N values that rise and then fall, or fall and then rise. `last`: distance at which the exchanges end.
template <int N, int LAST> constexpr auto bitonic_pairs ()
{
  Pairs<64> pairs;
  static_assert (N <= 16);
  for (int apart = N / 2; apart >= LAST; apart /= 2)
    for (int i = 0; i < N; i++)
      if ((i & apart) == 0)
        pairs.add (i, i + apart);
  return pairs;
}

template <class V> HWY_INLINE void exchange (V &low, V &high)
{
  const V a = low, b = high;
  low = hn::Min (a, b);
  high = hn::Max (a, b);
}

template <const auto &PAIRS, class V, size_t... I>
HWY_INLINE void exchange_all ([[maybe_unused]] V *values, std::index_sequence<I...>)
{
  (exchange (values[PAIRS.of[I].low], values[PAIRS.of[I].high]), ...);
}

template <int N> inline constexpr auto sorting_pairs_of = sorting_pairs<N> ();
template <int N, int LAST> inline constexpr auto bitonic_pairs_of = bitonic_pairs<N, LAST> ();

template <int N, class V> HWY_INLINE void sort_few (V *values)
{
  exchange_all<sorting_pairs_of<N>> (values, std::make_index_sequence<sorting_pairs_of<N>.count> ());
}

template <int N, int LAST = 1, class V> HWY_INLINE void sort_bitonic (V *values)
{
  exchange_all<bitonic_pairs_of<N, LAST>> (values, std::make_index_sequence<bitonic_pairs_of<N, LAST>.count> ());
}

} // namespace sino::remove_stripes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
