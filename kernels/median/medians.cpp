// SPDX-License-Identifier: LGPL-3.0-or-later
// Applies networks to vectors of a line. Compiled once for each type of keys, SINO_KEY, because compilers need long for
// the networks.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/median/medians.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/median/medians.hpp"
#include "kernels/median/network.hpp"
#include <utility>

HWY_BEFORE_NAMESPACE ();
namespace sino::median::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Memory that a step reads and writes: row r at from + r * pitch, or from_lines[r] in the first step.
template <class Key> struct Places {
  const Key *const *from_lines;
  int64_t first; // index in the lines
  const Key *from;
  int64_t pitch, step;
  Key *to; // first row of the output

  const Key *source (const WindowRow &in) const
  {
    return from_lines ? from_lines[in.row] + first : from + in.row * pitch + in.shift * step;
  }
};

template <bool LOW, bool HIGH, class V> HWY_INLINE void exchange (V &low, V &high)
{
  const V a = low, b = high;
  if constexpr (LOW)
    low = hn::Min (a, b);
  if constexpr (HIGH)
    high = hn::Max (a, b);
}

// Runs the comparators of step N unrolled, in registers.
template <const Program &P, size_t N, class Key, size_t... I, size_t... C, size_t... O>
HWY_INLINE void unrolled (const Places<Key> &places, int64_t begin, int64_t end, std::index_sequence<I...>,
                          std::index_sequence<C...>, std::index_sequence<O...>)
{
  const hn::ScalableTag<Key> d;
  const Key *const from[] = {places.source (P.step[N].input[I])...};
  for (auto x = begin; x < end; x += static_cast<int64_t> (hn::Lanes (d))) {
    hn::Vec<decltype (d)> wires[] = {hn::LoadU (d, from[I] + x)...};
    (exchange<P.step[N].comparator[C].keeps_low, P.step[N].comparator[C].keeps_high> (
         wires[P.step[N].comparator[C].low], wires[P.step[N].comparator[C].high]),
     ...);
    (hn::StoreU (wires[P.step[N].output[O]], d, places.to + static_cast<int64_t> (O) * places.pitch + x), ...);
  }
}

// Runs a step with too many comparators for registers: in the cache, several vectors at a time, which measurements show
// to be faster than one at a time.
template <class Key> void looped (const Step &s, const Places<Key> &places, int64_t begin, int64_t end, Key *wires)
{
  const hn::ScalableTag<Key> d;
  const auto n = static_cast<int64_t> (hn::Lanes (d)), some = looped_vectors * n;
  const auto copy = [&] (const Key *from, Key *to) HWY_ATTR {
    for (int v = 0; v < looped_vectors; v++)
      hn::StoreU (hn::LoadU (d, from + v * n), d, to + v * n);
  };
  for (auto x = begin; x < end; x += some) {
    for (int i = 0; i < s.inputs; i++)
      copy (places.source (s.input[static_cast<size_t> (i)]) + x, wires + i * some);
    for (int c = 0; c < s.comparators; c++) {
      Key *low = wires + s.comparator[static_cast<size_t> (c)].low * some,
          *high = wires + s.comparator[static_cast<size_t> (c)].high * some;
      for (int v = 0; v < looped_vectors; v++) {
        const auto a = hn::LoadU (d, low + v * n), b = hn::LoadU (d, high + v * n);
        hn::StoreU (hn::Min (a, b), d, low + v * n);
        hn::StoreU (hn::Max (a, b), d, high + v * n);
      }
    }
    for (int o = 0; o < s.outputs; o++)
      copy (wires + s.output[static_cast<size_t> (o)] * some, places.to + o * places.pitch + x);
  }
}

// Runs a step. Reads and writes up to some vectors beyond `end`. Loops are used for networks that take compilers long,
// and on old processors.
template <const Program &P, size_t N, class Key>
void run_step (const Places<Key> &places, int64_t begin, int64_t end, Key *wires)
{
  if constexpr (P.step[N].unrolled && (HWY_TARGET <= HWY_AVX2 || !HWY_ARCH_X86))
    unrolled<P, N> (places, begin, end, std::make_index_sequence<P.step[N].inputs> (),
                    std::make_index_sequence<P.step[N].comparators> (), std::make_index_sequence<P.step[N].outputs> ());
  else
    looped (P.step[N], places, begin, end, wires);
}

// Computes medians of a line, beginning with value `first`; at most part.values. `lines` begin with the border.
template <const Program &P, class Key, size_t... S>
void run_part (const Key *const *lines, int64_t first, int64_t values, int64_t step, Part part, Key *rows, Key *out,
               std::index_sequence<S...>)
{
  Key *wires = rows + P.rows * part.pitch;
  const auto places = [&] (size_t s, Key *to) {
    return Places<Key>{s == 0 ? lines : nullptr, first, rows, part.pitch, step, to};
  };
  const auto row = [&] (size_t s) { return rows + P.step[s].first_row * part.pitch; };
  (run_step<P, S> (places (S, row (S)), 0, values + P.step[S].beyond * step, wires), ...);
  std::copy_n (row (P.steps - 1), values, out);
}

template <const Program &P, class Key>
void run (const Key *const *lines, int64_t step, int64_t values, Key *scratch, Key *out)
{
  constexpr auto steps = std::make_index_sequence<P.steps> ();
  const auto part = part_of (P, step, sizeof (Key));
  const auto unaligned = reinterpret_cast<uintptr_t> (scratch) % vector_bytes / sizeof (Key);
  if (unaligned > 0)
    scratch += vector_bytes / sizeof (Key) - unaligned;
  for (int64_t first = 0; first < values; first += part.values)
    run_part<P> (lines, first, std::min (part.values, values - first), step, part, scratch, out + first, steps);
}

using Key = SINO_KEY;

void medians (MedianWindow window, const Key *const *lines, int64_t step, int64_t n, Key *scratch, Key *out)
{
  with_size (window.size, [&]<int SIZE> (std::integral_constant<int, SIZE>) HWY_ATTR {
    if (window.square)
      run<around_of<SIZE>> (lines, step, n, scratch, out);
    else
      run<down_of<SIZE>> (lines, step, n, scratch, out);
  });
}

} // namespace sino::median::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::median {

HWY_EXPORT (medians);

template <class Key>
void medians_of_keys (MedianWindow window, const Key *const *lines, int64_t step, int64_t n, Key *scratch, Key *out)
{
  HWY_DYNAMIC_DISPATCH (medians) (window, lines, step, n, scratch, out);
}
template void medians_of_keys (MedianWindow, const SINO_KEY *const *, int64_t, int64_t, SINO_KEY *, SINO_KEY *);

} // namespace sino::median
#endif
