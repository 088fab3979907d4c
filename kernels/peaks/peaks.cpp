// SPDX-License-Identifier: LGPL-3.0-or-later
#ifndef HWY_DISABLED_TARGETS // set by builds for a few instruction sets
#define HWY_DISABLED_TARGETS                                                                                           \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3) // arrays of vectors
#endif
#define HWY_WANT_AVX3_DL 1
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/peaks/peaks.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/pairs-inl.hpp"
#include "kernels/peaks/peaks.hpp"

HWY_BEFORE_NAMESPACE ();
namespace sino::peaks::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <int Bytes> using Floats = hn::CappedTag<float, static_cast<size_t> (Bytes) / sizeof (float)>;
template <int Bytes> using Integers = hn::CappedTag<int32_t, static_cast<size_t> (Bytes) / sizeof (int32_t)>;

// Takes values without doing anything, so that the compiler does not remove their computation.
HWY_INLINE void keep (const void *values)
{
  asm volatile ("" : : "r"(values) : "memory");
}

template <class D, size_t N> HWY_INLINE void keep (D d, const hn::Vec<D> (&v)[N])
{
  HWY_ALIGN hn::TFromD<D> values[hn::MaxLanes (d)];
#pragma GCC unroll 12
  for (const auto &each : v) {
    hn::Store (each, d, values);
    keep (values);
  }
}

constexpr size_t at_once = 12; // enough for two pipelines with a latency of up to six; fits 16 registers

// Repeats `step (v[i], i)`, unrolled, at least `n` times.
template <class D, class Step> HWY_INLINE int64_t chains (D d, hn::Vec<D> first, int64_t n, Step step)
{
  // Values come from memory; otherwise the compiler would see that all chains are equal, and compute one.
  HWY_ALIGN hn::TFromD<D> values[at_once * hn::MaxLanes (d)];
  for (size_t i = 0; i < at_once; i++)
    hn::Store (first, d, values + i * hn::Lanes (d));
  keep (values);
  hn::Vec<D> v[at_once];
#pragma GCC unroll 12
  for (size_t i = 0; i < at_once; i++)
    v[i] = hn::Load (d, values + i * hn::Lanes (d));
  int64_t done = 0;
  for (; done < n; done += at_once)
#pragma GCC unroll 12
    for (size_t i = 0; i < at_once; i++)
      step (v[i], i);
  keep (d, v);
  return done;
}

template <int Bytes> int64_t floats (int64_t n, bool mixed)
{
  const Floats<Bytes> d;
  const volatile float some = 0.5f; // unknown to the compiler
  const auto factor = hn::Set (d, some), more = hn::Set (d, 2 * some);
  if (!mixed)
    return chains (d, factor, n, [&] (auto &v, size_t) HWY_ATTR { v = hn::MulAdd (v, factor, more); });
  return chains (d, factor, n,
                 [&] (auto &v, size_t i) HWY_ATTR { v = i % 2 ? hn::Add (v, more) : hn::MulAdd (v, factor, more); });
}

template <int Bytes> int64_t products (int64_t n)
{
  const Integers<Bytes> d;
  const volatile int32_t some = 0x00020003;
  const auto a = hn::Set (d, some), b = hn::Set (d, some);
  return chains (d, hn::Zero (d), n,
                 [&] (auto &sum, size_t) HWY_ATTR { sum = kernels::HWY_NAMESPACE::add_pairs (d, a, b, sum); });
}

// 16 KiB stay in the L1 cache.
constexpr size_t near = 16384 / sizeof (int32_t);

template <int Bytes> int64_t loads (int64_t n)
{
  const Integers<Bytes> d;
  HWY_ALIGN int32_t memory[near] = {};
  constexpr size_t step = hn::MaxLanes (d), sums = 8;
  hn::Vec<decltype (d)> sum[sums];
#pragma GCC unroll 8
  for (auto &s : sum)
    s = hn::Zero (d);
  int64_t done = 0;
  for (; done < n; done += near / step) {
    keep (memory);
    for (size_t i = 0; i < near; i += sums * step)
#pragma GCC unroll 8
      for (size_t j = 0; j < sums; j++)
        sum[j] = hn::Add (sum[j], hn::Load (d, memory + i + j * step));
  }
  keep (d, sum);
  return done;
}

int64_t small_loads (int64_t n)
{
  HWY_ALIGN int32_t memory[near] = {};
  const volatile int32_t *from = memory; // volatile: loads are not combined
  constexpr size_t sums = 8;
  int32_t sum[sums] = {};
  int64_t done = 0;
  for (; done < n; done += near)
    for (size_t i = 0; i < near; i += sums)
#pragma GCC unroll 8
      for (size_t j = 0; j < sums; j++)
        sum[j] += from[i + j];
  keep (sum);
  return done;
}

// The loaded values are the next indices.
template <int Bytes> int64_t gathers (int64_t n)
{
  const Integers<Bytes> d;
  HWY_ALIGN int32_t memory[near];
  for (size_t i = 0; i < near; i++)
    memory[i] = static_cast<int32_t> ((i * 7 + 1) % near);
  keep (memory);
  return chains (d, hn::Iota (d, 0), n,
                 [&] (auto &index, size_t) HWY_ATTR { index = hn::GatherIndex (d, memory, index); });
}

int64_t permutes ([[maybe_unused]] int64_t n)
{
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  const Integers<64> d;
  const auto low = hn::Iota (d, 3), high = hn::Iota (d, 11);
  return chains (d, low, n, [&] (auto &index, size_t) HWY_ATTR {
    index.raw = _mm512_permutex2var_epi32 (low.raw, index.raw, high.raw);
  });
#elif HWY_TARGET == HWY_AVX2
  const Integers<32> d;
  const auto values = hn::Iota (d, 3);
  return chains (d, values, n, [&] (auto &index, size_t) HWY_ATTR {
    index.raw = _mm256_permutevar8x32_epi32 (values.raw, index.raw);
  });
#else
  return 0;
#endif
}

template <int Bytes> int64_t perform_on (Operation operation, int64_t n)
{
  switch (operation) {
  case Operation::multiply_add:
    return floats<Bytes> (n, false);
  case Operation::arithmetic:
    return floats<Bytes> (n, true);
  case Operation::pair_product:
    return products<Bytes> (n);
  case Operation::load:
    return loads<Bytes> (n);
  case Operation::small_load:
    return small_loads (n);
  case Operation::permute:
    return permutes (n);
  case Operation::gather:
    return gathers<Bytes> (n);
  }
  return 0;
}

int64_t perform (Operation operation, int bytes, int64_t n)
{
  return bytes <= 16   ? perform_on<16> (operation, n)
         : bytes <= 32 ? perform_on<32> (operation, n)
                       : perform_on<64> (operation, n);
}

uint32_t read_all (const std::byte *memory, size_t bytes)
{
  const hn::ScalableTag<uint32_t> d;
  constexpr size_t step = hn::MaxLanes (d) * sizeof (uint32_t), sums = 256 / step < 8 ? 256 / step : 8;
  hn::Vec<decltype (d)> sum[sums];
#pragma GCC unroll 8
  for (auto &s : sum)
    s = hn::Zero (d);
  for (size_t i = 0; i + sums * step <= bytes; i += sums * step)
#pragma GCC unroll 8
    for (size_t j = 0; j < sums; j++)
      sum[j] = hn::Add (sum[j], hn::Load (d, reinterpret_cast<const uint32_t *> (memory + i + j * step)));
#pragma GCC unroll 8
  for (size_t j = 1; j < sums; j++)
    sum[0] = hn::Add (sum[0], sum[j]);
  return hn::GetLane (sum[0]);
}

int width ()
{
  return static_cast<int> (hn::Lanes (hn::ScalableTag<float> ()) * sizeof (float));
}

} // namespace sino::peaks::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::peaks {

HWY_EXPORT (perform);
HWY_EXPORT (read_all);
HWY_EXPORT (width);

const char *name_of (Operation operation)
{
  constexpr const char *names[operations] = {"multiply-adds",  "arithmetic", "pair products", "L1 loads",
                                             "L1 small loads", "permutes",   "gathers"};
  return names[static_cast<size_t> (operation)];
}

int64_t repeat (Operation operation, int bytes, int64_t n)
{
  return HWY_DYNAMIC_DISPATCH (perform) (operation, bytes, n);
}

uint32_t read_through (const std::byte *memory, size_t bytes)
{
  return HWY_DYNAMIC_DISPATCH (read_all) (memory, bytes);
}

int vector_bytes ()
{
  return HWY_DYNAMIC_DISPATCH (width) ();
}

} // namespace sino::peaks
#endif
