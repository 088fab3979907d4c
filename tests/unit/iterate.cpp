// SPDX-License-Identifier: LGPL-3.0-or-later
// Stacks of iterated slices with every instruction set, against plain loops in double over the same equations.
#include "kernels/iterate/iterated-stack.hpp"
#include "tests/unit/iterate-plain.hpp"
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <glib.h>
#include <hwy/targets.h>

namespace sino::test::iterate_test {

using iterate::IteratedStack;
using iterate::most_lanes;

namespace {

constexpr double share_of_positive = 0.1;
constexpr uint32_t seed = 7;

void for_each_set (const std::function<void ()> &body)
{
  for (const auto target : hwy::SupportedAndGeneratedTargets ()) {
    hwy::SetSupportedTargetsForTest (target);
    if (iterate::stack_lanes () > 0) {
      g_test_message ("%s, %d lanes", iterate::vectors_for (iterate::most_lanes).name, iterate::stack_lanes ());
      body ();
    }
  }
  hwy::SetSupportedTargetsForTest (0);
}

size_t lanes ()
{
  return static_cast<size_t> (iterate::stack_lanes ());
}

// A stack with random slices and data, and what it should compute.
struct Case {
  const int64_t n;
  const Kernel convolution, metric;
  iterate::Plan plan;
  IteratedStack stack;
  IteratedStack::Pages work;
  iterate::TvSteps steps;
  bool backwards = false; // the parts of stages

  explicit Case (int64_t size, double radius = 0.47)
      : n (size), convolution (size, 2 * size, 1), metric (size, size, 0.4), plan (size), stack (set (radius)),
        work (IteratedStack::allocate (stack.floats.work))
  {
    for (size_t lane = 0; lane < most_lanes; lane++) {
      steps.lambda[lane] = 0.01F * static_cast<float> (lane); // the first one is 0
      steps.sigma[lane] = 0.2F + 0.01F * static_cast<float> (lane);
      steps.positive[lane] = lane % 3 ? static_cast<float> (share_of_positive) * steps.sigma[lane] : 0;
    }
    std::fill_n (stack.memory.x, stack.floats.stack (), NAN); // what nobody sets must not be read
    std::fill_n (work.get (), stack.floats.work, NAN);
    for (size_t lane = 0; lane < lanes (); lane++)
      fill (lane, seed + static_cast<uint32_t> (lane));
  }
  const iterate::Plan &set (double radius)
  {
    plan.set_kernel (convolution.frequencies ().data ());
    plan.set_metric (metric.frequencies ().data ());
    plan.set_circle (radius * static_cast<double> (n), 0.5);
    return plan;
  }
  void fill (size_t lane, uint32_t from)
  {
    Noise noise{from};
    for (size_t i = lane; i < stack.floats.image; i += lanes ()) {
      stack.memory.x[i] = static_cast<float> (noise.next ());
      stack.memory.data[i] = static_cast<float> (noise.next ());
    }
  }
  auto parts ()
  {
    return [this] (int64_t count, const auto &body) {
      for (int64_t i = 0; i < count; i++)
        body (backwards ? count - 1 - i : i, work.get ());
    };
  }
  Slice slice (const float *image, size_t lane) const
  {
    Slice values;
    for (size_t i = lane; i < stack.floats.image; i += lanes ())
      values.push_back (static_cast<double> (image[i]));
    return values;
  }
  Problem problem (size_t lane) const
  {
    return {.n = n,
            .convolution = convolution,
            .metric = metric,
            .inside = [this] (int64_t y, int64_t x) { return inside (y, x); },
            .data = slice (stack.memory.data, lane),
            .lambda = static_cast<double> (steps.lambda[lane]),
            .sigma = static_cast<double> (steps.sigma[lane]),
            .positive = static_cast<double> (steps.positive[lane])};
  }
  bool inside (int64_t y, int64_t x) const
  {
    return x >= plan.first[static_cast<size_t> (y)] && x < plan.last[static_cast<size_t> (y)];
  }
  void tv (int iterations)
  {
    stack.begin_tv (parts ());
    for (int i = 0; i < iterations; i++)
      stack.tv (parts (), steps, [] {});
  }
  // Bits of all lanes, or of two of them, after both kinds of iterations.
  std::vector<uint32_t> results (size_t first_lane, size_t count)
  {
    std::vector<uint32_t> bits;
    const auto keep = [&] {
      for (size_t i = 0; i < stack.floats.image; i++)
        if (i % lanes () >= first_lane && i % lanes () < first_lane + count)
          bits.push_back (std::bit_cast<uint32_t> (stack.memory.x[i]));
      double first[most_lanes], second[most_lanes];
      add_sums (plan, stack.memory, first, second);
      for (auto lane = first_lane; lane < first_lane + count; lane++)
        for (const double sum : {first[lane], second[lane]})
          bits.push_back (static_cast<uint32_t> (std::bit_cast<uint64_t> (sum)));
    };
    tv (2);
    keep ();
    stack.begin_cgls (parts ());
    for (int i = 0; i < 3; i++)
      stack.cgls (parts ());
    keep ();
    return bits;
  }
};

void test_product ()
{
  for_each_set ([] {
    for (const int64_t n : {64, 192, 320, 512}) {
      Case c (n);
      c.stack.apply (c.parts ());
      for (size_t lane = 0; lane < lanes (); lane++) {
        const auto error =
            difference (c.slice (c.stack.memory.q, lane), c.convolution.apply (c.slice (c.stack.memory.x, lane)));
        g_assert_cmpfloat (error, <, 1e-6);
      }
    }
  });
}

void test_tv ()
{
  for_each_set ([] {
    for (const auto &[n, iterations, radius] : {std::tuple{64, 1, 0.47}, {64, 5, 0.47}, {192, 5, 0.3}, {64, 5, 0.8}}) {
      Case c (n, radius);
      std::vector<Slice> from;
      for (size_t lane = 0; lane < lanes (); lane++)
        from.push_back (c.slice (c.stack.memory.x, lane));
      double sums[2][2][most_lanes]; // of the last iteration
      c.stack.begin_tv (c.parts ());
      for (int i = 0, stage = 0; i < iterations; i++)
        c.stack.tv (c.parts (), c.steps, [&] {
          auto &of_stage = sums[stage++ % 2];
          add_sums (c.plan, c.stack.memory, of_stage[0], of_stage[1]);
        });
      for (size_t lane = 0; lane < lanes (); lane++) {
        const auto truth = plain_tv (c.problem (lane), from[lane], iterations);
        g_assert_cmpfloat (difference (c.slice (c.stack.memory.x, lane), truth.x), <, 1e-6);
        g_assert_cmpfloat (std::abs (sums[0][0][lane] / truth.product - 1), <, 1e-5);
        g_assert_cmpfloat (std::abs (sums[1][0][lane] / truth.change - 1), <, 1e-5);
        g_assert_cmpfloat (std::abs (sums[1][1][lane] / truth.square - 1), <, 1e-5);
      }
    }
  });
}

void test_cgls ()
{
  for_each_set ([] {
    for (const int iterations : {1, 2, 6}) {
      Case c (64);
      std::vector<Slice> from;
      for (size_t lane = 0; lane < lanes (); lane++)
        from.push_back (c.slice (c.stack.memory.x, lane));
      c.stack.begin_cgls (c.parts ());
      for (int i = 0; i < iterations; i++)
        c.stack.cgls (c.parts ());
      for (size_t lane = 0; lane < lanes (); lane++) {
        const auto truth = plain_cgls (c.problem (lane), from[lane], iterations - 1);
        g_assert_cmpfloat (difference (c.slice (c.stack.memory.x, lane), truth), <, 3e-6);
      }
    }
  });
}

void test_frozen ()
{
  for_each_set ([] {
    Case c (64);
    c.tv (2);
    const auto size = c.stack.floats.image;
    float *const images[] = {c.stack.memory.x, c.stack.memory.y0, c.stack.memory.y1, c.stack.memory.positive};
    std::vector<std::vector<float>> before;
    for (const float *image : images)
      before.emplace_back (image, image + size);
    c.steps.frozen = 1U << 1 | 1U << 2 | 1U << (lanes () - 1);
    c.stack.tv (c.parts (), c.steps, [] {});
    double changes[most_lanes], squares[most_lanes];
    add_sums (c.plan, c.stack.memory, changes, squares);
    for (size_t lane = 0; lane < lanes (); lane++) {
      const bool frozen = c.steps.frozen >> lane & 1;
      g_assert_true ((changes[lane] == 0) == frozen);
      g_assert_cmpfloat (squares[lane], >, 0);
      for (size_t k = 0; k < std::size (images); k++) {
        bool same = true;
        for (size_t i = lane; i < size; i += lanes ())
          same &= images[k][i] == before[k][i];
        const bool never_moves = k == 3 ? c.steps.positive[lane] == 0 : k > 0 && c.steps.lambda[lane] == 0;
        g_assert_true (same == (frozen || never_moves));
      }
    }
  });
}

void test_order ()
{
  for_each_set ([] {
    Case forwards (128), backwards (128);
    backwards.backwards = true;
    g_assert_true (forwards.results (0, lanes ()) == backwards.results (0, lanes ()));
  });
}

void test_pairs ()
{
  for_each_set ([] {
    Case c (64), other (64);
    for (size_t lane = 0; lane < lanes (); lane++)
      if (lane / 2 != 1)
        other.fill (lane, 1000 + static_cast<uint32_t> (lane));
    g_assert_true (c.results (2, 2) == other.results (2, 2));
  });
}

void test_circle ()
{
  iterate::Plan plan (64);
  for (const double shift : {0.0, 0.5})
    for (const double radius : {0.0, 1.0, 10.2, 31.5, 32.0, 40.0, 100.0}) {
      plan.set_circle (radius, shift);
      for (int y = 0; y < 64; y++)
        for (int x = 0; x < 64; x++) {
          const double dx = x - 32 + shift, dy = y - 32 + shift;
          const auto row = static_cast<size_t> (y);
          g_assert_true ((x >= plan.first[row] && x < plan.last[row]) == (dx * dx + dy * dy < radius * radius));
        }
    }
}

void test_resident ()
{
  const iterate::Plan plan (192);
  const auto floats = plan.half_turns.size () + plan.kernel.size () + plan.metric.size ();
  g_assert_cmpuint (iterate::Plan::resident (192), ==,
                    plan.fft.resident () + floats * sizeof (float) + 2 * plan.first.size () * sizeof (int32_t));
}

void test_pack ()
{
  for_each_set ([] {
    Case c (64);
    const iterate::Window window{5, 9, 43, 50};
    std::vector<std::vector<float>> slices (lanes (), std::vector<float> (43 * 50));
    Noise noise{3};
    for (auto &slice : slices)
      for (auto &value : slice)
        value = static_cast<float> (noise.next ());
    slices[0][100] = NAN;
    slices[3][200] = -INFINITY;
    std::vector<const float *> from;
    std::vector<float *> to;
    for (auto &slice : slices) {
      from.push_back (slice.data ());
      to.push_back (slice.data ());
    }
    from[1] = nullptr;
    to[2] = nullptr;
    const auto given = slices;
    uint32_t broken = 0;
    for (int64_t row = 0; row < c.n; row++)
      broken |= pack (c.plan, c.stack.memory.x, window, from, row, c.work.get ());
    g_assert_cmpuint (broken, ==, 1U << 0 | 1U << 3);
    for (size_t lane = 0; lane < lanes (); lane++)
      for (int64_t y = 0; y < c.n; y++)
        for (int64_t x = 0; x < c.n; x++) {
          const bool used = lane != 1 && x >= 5 && x < 48 && y >= 9 && y < 59;
          const float value = used ? given[lane][static_cast<size_t> ((y - 9) * 43 + x - 5)] : 0;
          const auto place = static_cast<size_t> (y * c.n + x) * lanes () + lane;
          g_assert_true (c.stack.memory.x[place] == (std::isfinite (value) ? value : 0));
        }
    for (auto &slice : slices)
      std::ranges::fill (slice, 5.0F);
    for (int64_t row = 0; row < c.n; row++)
      unpack (c.plan, c.stack.memory.x, window, to, 1U << 3, row, c.work.get ());
    for (size_t lane = 0; lane < lanes (); lane++)
      for (size_t i = 0; i < slices[lane].size (); i++) {
        const float value = lane != 1 && std::isfinite (given[lane][i]) ? given[lane][i] : 0;
        g_assert_true (slices[lane][i] == (lane == 2 ? 5 : lane == 3 ? std::max (value, 0.0F) : value));
      }
  });
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/iterate/product", test_product);
  g_test_add_func ("/iterate/tv", test_tv);
  g_test_add_func ("/iterate/cgls", test_cgls);
  g_test_add_func ("/iterate/frozen", test_frozen);
  g_test_add_func ("/iterate/order", test_order);
  g_test_add_func ("/iterate/pairs", test_pairs);
  g_test_add_func ("/iterate/circle", test_circle);
  g_test_add_func ("/iterate/resident", test_resident);
  g_test_add_func ("/iterate/pack", test_pack);
  return g_test_run ();
}

} // namespace sino::test::iterate_test
