// SPDX-License-Identifier: LGPL-3.0-or-later
// The counts of `simulate`: noise that follows Poisson's distribution, flats and darks that undo the detector, dead
// pixels, saturation.
#include "tasks/objects/poisson.hpp"
#include "tests/support/objects.hpp"
#include "tests/support/run-task.hpp"

namespace sino::test::detector_test {

using namespace objects;

namespace {

using Properties = std::vector<std::pair<std::string, std::string>>;

Array simulate (const Properties &properties)
{
  const auto task = make_task ("simulate", properties);
  return run_task (*task, {});
}

template <class T> std::vector<T> read (const Frames &frames, int64_t frame)
{
  std::vector<T> pixels (static_cast<size_t> (frames.rows * frames.columns));
  frames.read ({frame, frame + 1}, {0, frames.rows}, pixels.data (), {});
  return pixels;
}

// Known answers of the authors' library (Random123, kat_vectors).
void test_philox_knows_its_answers ()
{
  constexpr uint32_t ones = 0xffffffff;
  g_assert_true (philox ({0, 0, 0, 0}, {0, 0}) == (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  g_assert_true (philox ({ones, ones, ones, ones}, {ones, ones}) ==
                 (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  g_assert_true (philox ({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
                 (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

void check_moments (const std::vector<double> &counts, double mean)
{
  const auto n = static_cast<double> (counts.size ());
  double sum = 0, squares = 0;
  for (const double k : counts)
    sum += k;
  for (const double k : counts)
    squares += (k - sum / n) * (k - sum / n);
  // Five standard deviations of the mean and of the variance of n Poisson counts.
  g_assert_cmpfloat_with_epsilon (sum / n, mean, 5 * std::sqrt (mean / n));
  g_assert_cmpfloat_with_epsilon (squares / n, mean, 5 * std::sqrt ((mean + 2 * mean * mean) / n));
}

// Both methods on both sides of their border, by moments and by the distribution function (Kolmogorov's distance,
// which a true sample of n exceeds 2 / sqrt (n) once in 1500 times; the numbers are the same in every run).
void test_poisson_follows_its_distribution ()
{
  constexpr size_t n = 400000;
  for (const double mean : {0.01, 0.5, 5.0, 9.999, 10.0, 50.0, 5000.0, 1e6}) {
    std::vector<double> counts (n);
    for (size_t i = 0; i < n; i++)
      counts[i] = poisson (mean, {static_cast<uint32_t> (i), 3, 0, 0}, {7, 1});
    check_moments (counts, mean);
    std::sort (counts.begin (), counts.end ());
    double below = 0, distance = 0;
    size_t seen = 0;
    for (double k = std::max (0.0, std::floor (mean - 40 * std::sqrt (mean))); k < mean + 40 * std::sqrt (mean) + 10;
         k++) {
      below += std::exp (k * std::log (mean) - mean - std::lgamma (k + 1));
      while (seen < n && counts[seen] <= k)
        seen++;
      distance = std::max (distance, std::abs (below - static_cast<double> (seen) / n));
    }
    g_assert_cmpfloat (distance, <, 2 / std::sqrt (static_cast<double> (n)));
  }
}

// Flats are the open beam: counts above the darks, in photons, scatter as photons do.
void test_flats_have_photon_noise ()
{
  for (const double photons : {0.5, 5.0, 50.0, 5000.0}) {
    const auto scan = simulate ({{"width", "512"},
                                 {"height", "256"},
                                 {"projections", "1"},
                                 {"flats", "3"},
                                 {"photons", std::to_string (photons)},
                                 {"dark-level", "64"},
                                 {"bits", "10"},
                                 {"exposure", "0.5"}});
    std::vector<double> counts;
    for (int f = 0; f < 3; f++)
      for (const float c : read<float> (*scan.format.companions.flats, f))
        counts.push_back ((c - 64.0) * photons / (0.5 * 1023 - 64));
    check_moments (counts, photons);
  }
}

// Frames and projections share no noise.
void test_noise_differs_between_frames_and_seeds ()
{
  const Properties properties{{"width", "256"},   {"height", "16"}, {"projections", "2"}, {"flats", "2"},
                              {"photons", "100"}, {"type", "u16"},  {"density", "0"}};
  auto other = properties;
  other.push_back ({"seed", "2"});
  const auto scan = simulate (properties), again = simulate (properties), reseeded = simulate (other);
  g_assert_true (scan.bytes == again.bytes);
  const auto *pixels = scan.as<uint16_t> ();
  const std::vector<uint16_t> first (pixels, pixels + 4096), second (pixels + 4096, pixels + 8192);
  const auto &flats = *scan.format.companions.flats;
  const auto *changed = reseeded.as<uint16_t> ();
  // Two independent counts of mean 100 are equal once in 35 times.
  const auto equal = [&] (const std::vector<uint16_t> &a, const std::vector<uint16_t> &b) {
    int n = 0;
    for (size_t i = 0; i < a.size (); i++)
      n += a[i] == b[i];
    g_assert_cmpint (n, <, 4096 / 20);
  };
  equal (first, second);
  equal (first, read<uint16_t> (flats, 0));
  equal (read<uint16_t> (flats, 0), read<uint16_t> (flats, 1));
  equal (first, {changed, changed + 4096});
}

// Without noise the correction of any structure is exact, up to the rounding of floats.
void test_flats_and_darks_undo_the_structure ()
{
  const Properties object{{"object", "shepp-logan-3d"}, {"width", "64"}, {"height", "20"}, {"projections", "5"}};
  auto scanned = object;
  scanned.insert (scanned.end (),
                  {{"darks", "1"}, {"flats", "1"}, {"flats-after", "2"}, {"drift", "0.2"}, {"structure", "1"}});
  const auto integrals = simulate (object), scan = simulate (scanned);
  g_assert_cmpstr (scan.format.changed_by.c_str (), ==, "");
  const auto &companions = scan.format.companions;
  g_assert_cmpstr (companions.from.c_str (), ==, "simulate");
  g_assert_true (companions.flats->positions == (std::vector<double>{-0.5, 4.5, 4.5}));
  g_assert_true (companions.darks->positions == (std::vector<double>{-0.5}));
  const auto dark = read<float> (*companions.darks, 0), before = read<float> (*companions.flats, 0),
             after = read<float> (*companions.flats, 2);
  float least = before[0], most = before[0];
  for (const float f : before) {
    least = std::min (least, f);
    most = std::max (most, f);
  }
  g_assert_cmpfloat (most / least, >, 1.5);
  for (int a = 0; a < 5; a++)
    for (size_t i = 0; i < dark.size (); i++) {
      const double late = (a + 0.5) / 5, flat = before[i] * (1 - late) + after[i] * late;
      const auto at = static_cast<size_t> (a) * dark.size () + i;
      g_assert_cmpfloat_with_epsilon (-std::log ((scan.as<float> ()[at] - dark[i]) / (flat - dark[i])),
                                      integrals.as<float> ()[at], 2e-5);
    }
}

void test_dead_pixels_read_zero ()
{
  const auto scan = simulate ({{"width", "200"},
                               {"height", "100"},
                               {"projections", "3"},
                               {"darks", "1"},
                               {"flats", "1"},
                               {"dead-pixels", "0.02"},
                               {"photons", "1000"},
                               {"type", "u16"}});
  const auto dark = read<uint16_t> (*scan.format.companions.darks, 0),
             flat = read<uint16_t> (*scan.format.companions.flats, 0);
  int dead = 0;
  for (size_t i = 0; i < 20000; i++) {
    dead += dark[i] == 0;
    g_assert_cmpint (flat[i] == 0, ==, dark[i] == 0);
    for (size_t a = 0; a < 3; a++)
      g_assert_cmpint (scan.as<uint16_t> ()[a * 20000 + i] == 0, ==, dark[i] == 0);
  }
  g_assert_cmpfloat_with_epsilon (dead, 400, 5 * std::sqrt (400 * 0.98));
}

// At full exposure half of the open beam's pixels saturate; none exceeds the top, and the dark level stays below.
void test_counts_saturate_at_their_bits ()
{
  for (const int bits : {8, 12, 16}) {
    const auto scan = simulate ({{"width", "128"},
                                 {"height", "8"},
                                 {"projections", "4"},
                                 {"type", "u16"},
                                 {"exposure", "1"},
                                 {"photons", "2000"},
                                 {"density", "0.01"},
                                 {"dark-level", "20"},
                                 {"bits", std::to_string (bits)}});
    int full = 0;
    for (int i = 0; i < 4096; i++) {
      full += scan.as<uint16_t> ()[i] == (1 << bits) - 1;
      g_assert_cmpint (scan.as<uint16_t> ()[i], <, 1 << bits);
      g_assert_cmpint (scan.as<uint16_t> ()[i], >, 20);
    }
    g_assert_cmpint (full, >, 1000);
  }
}

// What amplifies beyond any bound saturates; it does not hang or wrap around.
void test_amplifying_objects_saturate ()
{
  const TemporaryFile file (R"([{"half-axes": [0.5, 0.5], "value": -1}])");
  const auto scan = simulate ({{"object", file.path},
                               {"width", "16"},
                               {"projections", "1"},
                               {"density", "10000"},
                               {"photons", "100"},
                               {"type", "u16"}});
  g_assert_cmpint (scan.as<uint16_t> ()[8], ==, 4095);
  g_assert_cmpint (scan.as<uint16_t> ()[0], <, 4095);
}

// A part of a frame is the part of the frame.
void test_rows_of_frames ()
{
  const auto scan = simulate ({{"width", "50"},
                               {"height", "9"},
                               {"projections", "1"},
                               {"flats", "1"},
                               {"type", "u16"},
                               {"photons", "300"},
                               {"structure", "1"}});
  const auto &flats = *scan.format.companions.flats;
  g_assert_true (flats.element == Element::u16);
  const auto whole = read<uint16_t> (flats, 0);
  std::vector<uint16_t> part (150);
  flats.read ({0, 1}, {4, 7}, part.data (), {});
  g_assert_true (std::equal (part.begin (), part.end (), whole.begin () + 200));
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/detector/philox", test_philox_knows_its_answers);
  g_test_add_func ("/detector/poisson", test_poisson_follows_its_distribution);
  g_test_add_func ("/detector/flats-noise", test_flats_have_photon_noise);
  g_test_add_func ("/detector/independence", test_noise_differs_between_frames_and_seeds);
  g_test_add_func ("/detector/correction", test_flats_and_darks_undo_the_structure);
  g_test_add_func ("/detector/dead-pixels", test_dead_pixels_read_zero);
  g_test_add_func ("/detector/saturation", test_counts_saturate_at_their_bits);
  g_test_add_func ("/detector/amplifying", test_amplifying_objects_saturate);
  g_test_add_func ("/detector/rows", test_rows_of_frames);
  return g_test_run ();
}

} // namespace sino::test::detector_test
