// SPDX-License-Identifier: LGPL-3.0-or-later
// The Fourier transforms of the CPU, with every instruction set, against a transform in double.
#include "device/fft.hpp"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <glib.h>
#include <hwy/aligned_allocator.h>
#include <hwy/targets.h>
#include <limits>
#include <numbers>
#include <thread>
#include <vector>

namespace sino::test::fft_test {

namespace {

using Wide = std::vector<std::complex<double>>;
constexpr double tolerance = 5e-7; // relative RMS; the project promises 2e-6

// By the smallest prime factor p: p transforms of every p-th value, and sums of their results.
Wide transform (const Wide &x, double sign)
{
  const auto n = x.size ();
  if (n == 1)
    return x;
  size_t p = 2;
  while (n % p != 0)
    p++;
  std::vector<Wide> parts;
  for (size_t j = 0; j < p; j++) {
    Wide part;
    for (size_t i = j; i < n; i += p)
      part.push_back (x[i]);
    parts.push_back (transform (part, sign));
  }
  Wide turns, sums (n);
  for (size_t k = 0; k < n; k++)
    turns.push_back (std::polar (1., sign * 2 * std::numbers::pi * static_cast<double> (k) / static_cast<double> (n)));
  for (size_t k = 0; k < n; k++)
    for (size_t j = 0; j < p; j++)
      sums[k] += turns[j * k % n] * parts[j][k % (n / p)];
  return sums;
}

uint32_t state = 3;
float noise ()
{
  state = state * 1664525u + 1013904223u;
  return static_cast<float> (state >> 8) / (1 << 24) - 0.5f;
}

struct Case {
  hwy::AlignedFreeUniquePtr<Fft::Value[]> from, to, work;
  size_t length, work_length;

  explicit Case (int64_t n)
      : from (hwy::AllocateAligned<Fft::Value> (static_cast<size_t> (n))),
        to (hwy::AllocateAligned<Fft::Value> (static_cast<size_t> (n))),
        work (hwy::AllocateAligned<Fft::Value> (static_cast<size_t> (Fft::work_values (n)) + 1)),
        length (static_cast<size_t> (n)), work_length (static_cast<size_t> (Fft::work_values (n)))
  {
    std::generate_n (from.get (), length, [] { return Fft::Value (noise (), noise ()); });
  }

  // What is left of earlier calls must not matter.
  void run (const Fft &fft, bool back)
  {
    constexpr float none = std::numeric_limits<float>::quiet_NaN ();
    std::fill_n (to.get (), length, Fft::Value (none, none));
    std::fill_n (work.get (), work_length, Fft::Value (none, none));
    work[work_length] = {1, 2};
    const std::vector<Fft::Value> before (from.get (), from.get () + length);
    back ? fft.backward (from.get (), to.get (), work.get ()) : fft.forward (from.get (), to.get (), work.get ());
    g_assert_true (std::equal (before.begin (), before.end (), from.get ()));
    g_assert_true (work[work_length] == Fft::Value (1, 2));
  }
};

double error_of (int64_t length)
{
  const Fft fft (length);
  Case of (length);
  double worst = 0;
  for (const bool back : {false, true}) {
    of.run (fft, back);
    const auto truth = transform (Wide (of.from.get (), of.from.get () + of.length), back ? 1 : -1);
    double all = 0, off = 0;
    for (size_t k = 0; k < of.length; k++) {
      all += std::norm (truth[k]);
      off += std::norm (std::complex<double> (of.to[k]) - truth[k]);
    }
    worst = std::max (worst, std::isnan (off) ? HUGE_VAL : std::sqrt (off / all));
  }
  return worst;
}

bool is_smooth (int64_t n)
{
  for (const int radix : {2, 3, 5, 7})
    while (n % radix == 0)
      n /= radix;
  return n == 1;
}

std::vector<int64_t> lengths ()
{
  std::vector<int64_t> all{127, 257, 509, 1021, 2 * 1021, 2053, 11 * 64, 13 * 25, 4096, 8192, 10240, 16384, 1 << 17};
  for (int64_t n = 1; n <= 2100; n++)
    if (n <= 70 || is_smooth (n))
      all.push_back (n);
  return all;
}

void test_all_lengths ()
{
  for (const auto target : hwy::SupportedAndGeneratedTargets ()) {
    hwy::SetSupportedTargetsForTest (target);
    double worst = 0;
    for (const auto n : lengths ()) {
      const auto error = error_of (n);
      if (error >= tolerance)
        g_test_message ("length %" G_GINT64_FORMAT, n);
      g_assert_cmpfloat (error, <, tolerance);
      worst = std::max (worst, error);
    }
    g_test_message ("%s: relative RMS error up to %g", hwy::TargetName (target), worst);
  }
  hwy::SetSupportedTargetsForTest (0);
}

// Objects share tables, and threads share objects.
void test_threads ()
{
  for (const int64_t length : {1024, 1022}) {
    Case first (length);
    first.run (Fft (length), false);
    std::vector<Case> others;
    for (int i = 0; i < 4; i++) {
      others.emplace_back (length);
      std::copy_n (first.from.get (), first.length, others.back ().from.get ());
    }
    std::vector<std::jthread> threads;
    for (auto &other : others)
      threads.emplace_back ([&first, &other, length] {
        for (int again = 0; again < 20; again++) {
          other.run (Fft (length), false);
          g_assert_true (!std::memcmp (first.to.get (), other.to.get (), first.length * sizeof (Fft::Value)));
        }
      });
  }
}

void test_good_lengths ()
{
  for (int64_t n = 1; n <= 4096; n++) {
    const auto good = Fft::good_length (n);
    g_assert_cmpint (good, >=, n);
    g_assert_cmpint (good, <, 2 * n);
    g_assert_true (is_smooth (good) && (good % 4 == 0 || n <= 10));
    g_assert_cmpint (Fft::good_even_length (n), ==, 2 * Fft::good_length ((n + 1) / 2));
  }
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/fft/all-lengths", test_all_lengths);
  g_test_add_func ("/fft/threads", test_threads);
  g_test_add_func ("/fft/good-lengths", test_good_lengths);
  return g_test_run ();
}

} // namespace sino::test::fft_test
