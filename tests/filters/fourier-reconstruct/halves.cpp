// SPDX-License-Identifier: LGPL-3.0-or-later
// fourier-reconstruct on the native device with terms that are held as half, beside those that are not.
#include "kernels/fourier-reconstruct/native/reconstruct.hpp"
#include "tests/filters/back-project/node.hpp"
#include <numbers>

namespace sino::test::fourier_reconstruct_halves_test {

namespace {

Array fourier_of (const Array &scan, Properties properties, Cut cut = {})
{
  properties.insert (properties.begin (), {"weights", "uniform"}); // angles of noise are uneven
  const auto task = make_task ("fourier-reconstruct", properties);
  return run_task (*task, {&scan}, cut);
}

double difference (const Array &some, const Array &others)
{
  RelativeError error;
  for (size_t i = 0; i < some.bytes.size () / sizeof (float); i++)
    error.add (static_cast<double> (some.as<float> ()[i]), static_cast<double> (others.as<float> ()[i]));
  return error.value ();
}

// Halves have 11 bits. Scales are powers of two, each pair's its own, so neither what the values' unit is nor what lies
// beside a pair is seen.
void test_halves ()
{
  const NoiseScan scan (6, 40, 60);
  const auto array = to_array (scan);
  const Properties halves{{"precision", "half-storage"}};
  const auto held = fourier_of (array, halves), single = fourier_of (array, {});
  g_assert_false (held.bytes == single.bytes);
  g_assert_cmpfloat (difference (held, single), <, 2e-4);
  g_assert_cmpfloat (difference (held, single), >, 1e-6);
  for (const float unit : {0x1p-60F, 0x1p-20F, 0x1p40F}) {
    auto other = array;
    for (size_t i = 0; i < other.bytes.size () / sizeof (float); i++)
      other.as<float> ()[i] *= unit;
    const auto got = fourier_of (other, halves);
    for (size_t i = 0; i < got.bytes.size () / sizeof (float); i++)
      g_assert_cmpfloat (got.as<float> ()[i], ==, held.as<float> ()[i] * unit);
  }
  auto beside = array;
  for (int64_t i = 2 * 40 * 60; i < 4 * 40 * 60; i++) // rows 2 and 3
    beside.as<float> ()[i] *= i < 3 * 40 * 60 ? 1e6F : 0.0F;
  const auto got = fourier_of (beside, halves);
  for (const int64_t row : {0, 1, 4, 5})
    g_assert_cmpmem (got.as<float> () + row * 60 * 60, 60 * 60 * sizeof (float), held.as<float> () + row * 60 * 60,
                     60 * 60 * sizeof (float));
  for (const int threads : {1, 3})
    g_assert_true (fourier_of (array, halves, {.rows = 2, .threads = threads, .lanes = 2}).bytes == held.bytes);
}

// Weights of rays far from even ones, and rows of nothing, leave halves in their range.
void test_halves_of_uneven_rays ()
{
  NoiseScan scan (2, 6, 48);
  const double degrees[] = {0, 0.001, 0.002, 90, 90.001, 120};
  for (size_t k = 0; k < 6; k++)
    scan.angles[k] = degrees[k] * std::numbers::pi / 180;
  std::fill_n (scan.values.begin () + 48, 48, 0.0);
  const auto array = to_array (scan);
  const auto single = fourier_of (array, {{"weights", "spacing"}}),
             held = fourier_of (array, {{"weights", "spacing"}, {"precision", "half-storage"}});
  g_assert_cmpfloat (difference (held, single), <, 5e-4);
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  if (fourier_reconstruct::stack_lanes () == 0) {
    g_print ("1..0 # SKIP no vectors here\n");
    return 0;
  }
  g_test_add_func ("/fourier-reconstruct/halves", test_halves);
  g_test_add_func ("/fourier-reconstruct/halves/uneven-rays", test_halves_of_uneven_rays);
  return g_test_run ();
}

} // namespace sino::test::fourier_reconstruct_halves_test
