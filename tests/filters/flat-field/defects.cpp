// SPDX-License-Identifier: LGPL-3.0-or-later
// What has no good value, what is too large, and what is refused: the rules of the documentation, written out again.
#include "base/error.hpp"
#include "tests/filters/flat-field/frames.hpp"
#include "tests/support/expect.hpp"
#include <algorithm>
#include <atomic>
#include <limits>

namespace sino::test::flat_field_defects_test {

namespace {

size_t held_by (const Task &task)
{
  Bill bill;
  task.shared_memory (bill);
  return total (bill);
}

// Rows with dead pixels at an end, in a run, and a row that is all dead.
bool is_dead (int64_t row, int64_t column)
{
  return (row == 2 && column < 2) || (row == 3 && column >= 10 && column < 13) || (row == 5 && column == columns - 1) ||
         row == 7;
}

void test_dead_pixels ()
{
  const auto darks = std::make_shared<Stack> (Element::u16, 3, dark_of);
  const auto flats = std::make_shared<Stack> (Element::f32, 4, [] (int64_t f, int64_t r, int64_t c) {
    if (r == 3 && c == 11)
      return std::numeric_limits<double>::quiet_NaN ();
    return is_dead (r, c) ? static_cast<double> (c % 2) : flat_of (f, r, c);
  });
  for (const bool sinogram : {false, true})
    for (const bool log : {true, false}) {
      const auto in = scan (
          Element::u16, sinogram,
          [] (int64_t a, int64_t r, int64_t c) { return is_dead (r, c) ? 0 : data_of (a, r, c); }, darks, flats);
      const auto live = [log] (int64_t a, int64_t r, int64_t c) {
        return log ? absorption (a, r, c) : std::exp (-absorption (a, r, c));
      };
      for (const Cut cut : {Cut{}, Cut{3, 2, 2}}) {
        std::map<std::string, int64_t> counters, again;
        const auto task = make_task ("flat-field", {{"absorption", log ? "true" : "false"}});
        const auto out = run_task (*task, {&in, nullptr, nullptr}, cut, 4, &counters);
        run_task (*task, {&in, nullptr, nullptr}, cut, 4, &again); // as another pass would
        g_assert_cmpint (again["dead-pixels"], ==, 0);
        for (int64_t a = 0; a < angles; a++)
          for (int64_t r = 0; r < rows; r++)
            for (int64_t c = 0; c < columns; c++) {
              double should = 0;
              if (!is_dead (r, c))
                continue;
              if (r == 7)
                should = log ? 0 : 1;
              else if (r == 2)
                should = value_at (out, a, r, 2);
              else if (r == 5)
                should = value_at (out, a, r, columns - 2);
              else
                should = std::lerp (value_at (out, a, r, 9), value_at (out, a, r, 13), static_cast<double> (c - 9) / 4);
              g_assert_cmpfloat_with_epsilon (value_at (out, a, r, c), should, 1e-6);
            }
        g_assert_cmpfloat_with_epsilon (value_at (out, 3, 3, 9), live (3, 3, 9), 1e-6);
        g_assert_cmpint (counters["dead-pixels"], ==, 2 + 3 + 1 + columns);
      }
    }
}

void test_counts_that_are_missing ()
{
  const auto darks = std::make_shared<Stack> (Element::u8, 1, [] (int64_t, int64_t, int64_t) { return 10; });
  const auto flats = std::make_shared<Stack> (Element::u8, 1, [] (int64_t, int64_t, int64_t) { return 210; });
  const Value data = [] (int64_t, int64_t, int64_t c) { return c % 10 == 4 ? 10 : c % 10 == 5 ? 3 : 110; };
  int64_t low = 0;
  for (int64_t c = 0; c < columns; c++)
    low += angles * rows * (data (0, 0, c) <= 10);
  for (const auto element : {Element::u16, Element::f32}) {
    const auto in = scan (element, true, data, darks, flats);
    std::map<std::string, int64_t> counters;
    const auto out = run_task (*make_task ("flat-field"), {&in, nullptr, nullptr}, {4, 0, 2}, 8, &counters);
    const double least = element == Element::u16 ? 0.5 / 200 : std::ldexp (1., -16);
    check_near (out, [&] (int64_t, int64_t, int64_t c) { return -std::log (data (0, 0, c) <= 10 ? least : 0.5); });
    g_assert_cmpint (counters["clamped"], ==, low); // and not the padding of the lanes
    g_assert_cmpint (counters["dead-pixels"], ==, 0);
  }
}

void test_broken_values_are_filled ()
{
  const auto flats = std::make_shared<Stack> (Element::u8, 1, [] (int64_t, int64_t, int64_t) { return 100; });
  const auto in = scan (
      Element::f32, false,
      [] (int64_t, int64_t, int64_t c) {
        return c == 3 ? std::numeric_limits<double>::quiet_NaN () : c == 40 ? HUGE_VAL : 50;
      },
      nullptr, flats);
  std::map<std::string, int64_t> counters;
  const auto out = run_task (*make_task ("flat-field"), {&in, nullptr, nullptr}, {}, 1, &counters);
  for (const int64_t column : {3, 4, 40})
    g_assert_cmpfloat_with_epsilon (value_at (out, 1, 2, column), std::log (2), 1e-6);
  g_assert_cmpint (counters["filled"], ==, 2 * rows * angles);
}

// Where nothing is left the run fails, and says why, before it puts anything out.
void test_nothing_is_left ()
{
  const auto level = [] (double value) {
    return std::make_shared<Stack> (Element::f32, 2, [value] (int64_t, int64_t, int64_t) { return value; });
  };
  const double nan = std::numeric_limits<double>::quiet_NaN ();
  const struct {
    double dark, flat;
    const char *why;
  } cases[] = {{200, 20, "the flats (mean 20) are darker than the darks (mean 200): are they swapped?"},
               {20, 0, "the flats (mean 0) are darker than the darks (mean 20): are they swapped?"},
               {20, 20, "the flats (mean 20) are nowhere brighter than the darks (mean 20)"},
               {20, nan, "the flats have no finite values"},
               {nan, 200, "the darks have no finite values"}};
  const Value data = [] (int64_t, int64_t, int64_t) { return 100; };
  for (const auto &c : cases) {
    const auto said = [&] (const Array &in, const Array *darks, const Array *flats) {
      return message_of ([&] { run_task (*make_task ("flat-field"), {&in, darks, flats}, {4, 3, 2}); });
    };
    const auto why = std::string ("no valid detector pixel is left: ") + c.why;
    same (said (scan (Element::u16, false, data, level (c.dark), level (c.flat)), nullptr, nullptr), why);
    const auto frames = [] (double value) {
      return scan (
          Element::f32, false, [value] (int64_t, int64_t, int64_t) { return value; }, nullptr, nullptr);
    };
    const auto darks = frames (c.dark), flats = frames (c.flat);
    same (said (scan (Element::u16, false, data, nullptr, nullptr), &darks, &flats), why);
  }
  // Flats of zeros are dead without darks, too.
  same (message_of ([&] {
          const auto in = scan (Element::u16, false, data, nullptr, level (0));
          run_task (*make_task ("flat-field"), {&in, nullptr, nullptr});
        }),
        "no valid detector pixel is left: the flats (mean 0) are nowhere brighter than the darks (mean 0)");
}

void at_least (std::atomic<int64_t> &most, int64_t n)
{
  for (auto before = most.load (); before < n && !most.compare_exchange_weak (before, n);)
    continue;
}

// Frames too large for the memory that reducing them may take are read in bands of rows. Who reads first waits for
// another one, if there shall be one.
struct Large final : Frames {
  mutable std::atomic<int64_t> most_rows = 0, reads = 0, readers = 0, most_readers = 0;
  const bool several;

  Large (size_t scratch, bool s) : several (s)
  {
    element = Element::u16;
    count = 21;
    rows = 1200;
    columns = 1000;
    scratch_bytes = scratch;
  }
  void read (Interval some, Interval wanted, void *pixels, const Watch &) const override
  {
    at_least (most_readers, ++readers);
    for (int i = 0; several && most_readers < 2 && i < 10000; i++)
      g_usleep (1000);
    reads += some.size ();
    at_least (most_rows, wanted.size ());
    auto *to = static_cast<uint16_t *> (pixels);
    for (auto frame = some.begin; frame < some.end; frame++)
      for (auto row = wanted.begin; row < wanted.end; row++)
        for (int64_t c = 0; c < columns; c++)
          *to++ = static_cast<uint16_t> (100 + row + c % 7 + (frame * 8) % 21);
    readers--;
  }
};

// As many threads read as there is memory for, with what each of them takes besides.
void check_bands (const std::string &reduce, size_t scratch, int64_t most_readers)
{
  const bool several = most_readers > 1 && usable_cpus () > 1;
  const auto flats = std::make_shared<Large> (scratch, several);
  Array in{projections (Element::u8, {Axis::angle, 1}, {Axis::row, 1200}, {Axis::column, 1000}), {}};
  in.bytes.assign (1200 * 1000, std::byte{50});
  in.format.companions = {nullptr, flats, "read"};
  const auto task = make_task ("flat-field", {{"reduce", reduce}, {"absorption", "false"}});
  const auto out = run_task (*task, {&in, nullptr, nullptr}, {100, 0, 16});
  for (int64_t i = 0; i < 1200 * 1000; i++) // median and mean of 0 .. 20 in any order are 10
    g_assert_cmpfloat_with_epsilon (out.as<float> ()[i], 50. / static_cast<double> (110 + i / 1000 + i % 1000 % 7),
                                    1e-7);
  // The mean takes a frame for each reader, and its sums.
  const auto per_pixel = static_cast<size_t> (reduce == "median" ? 21 * 2 : 2 * most_readers + 8);
  const auto piece = static_cast<size_t> (flats->most_rows) * 1000 * per_pixel;
  const auto others = static_cast<size_t> (most_readers - 1) * scratch;
  g_assert_cmpuint (piece + others, <=, 32 << 20);
  g_assert_cmpint (flats->most_readers, <=, most_readers);
  g_assert_cmpint (flats->most_readers, >=, several ? 2 : 1);
  g_assert_cmpint (flats->reads, ==, 21 * ((1200 + flats->most_rows - 1) / flats->most_rows)); // each row once
  g_assert_cmpuint (held_by (*task), >=, 1200 * 1000 * 4 + piece + others);
}

void test_reduces_in_bands ()
{
  for (const auto *reduce : {"median", "mean"}) {
    check_bands (reduce, 0, 8);
    check_bands (reduce, size_t{6} << 20, 3);
    check_bands (reduce, size_t{17} << 20, 1);
  }
}

// Chunks of 400 rows of all frames, which are larger than a band: each is read once nevertheless.
struct Chunked final : Frames {
  mutable int64_t reads = 0;
  mutable size_t most = 0;

  Chunked ()
  {
    element = Element::u16;
    count = 80;
    rows = 900;
    columns = 1000;
    unit_bytes = size_t{400} * 80 * 1000 * 2;
    for (int64_t i = 0; i < count; i++)
      positions.push_back (static_cast<double> (i / 10) - 0.5); // eight groups
  }
  Interval frames_with (int64_t) const override { return {0, count}; }
  Interval rows_with (int64_t row) const override
  {
    const auto first = row - row % 400;
    return {first, std::min (first + 400, rows)};
  }
  void read (Interval some, Interval wanted, void *pixels, const Watch &) const override
  {
    reads++;
    g_assert_cmpint (some.size (), ==, count);
    g_assert_cmpint (wanted.begin % 400, ==, 0);
    const auto n = some.size () * wanted.size () * columns;
    most = std::max (most, static_cast<size_t> (n) * 2);
    std::fill_n (static_cast<uint16_t *> (pixels), n, uint16_t{200});
  }
};

void test_reads_chunks_once ()
{
  for (const auto *reduce : {"mean", "median"}) {
    const auto flats = std::make_shared<Chunked> ();
    Array in{projections (Element::u8, {Axis::angle, 1}, {Axis::row, 900}, {Axis::column, 1000}), {}};
    in.bytes.assign (900 * 1000, std::byte{50});
    in.format.companions = {nullptr, flats, "read"};
    const auto task = make_task ("flat-field", {{"reduce", reduce}, {"absorption", "false"}});
    const auto out = run_task (*task, {&in, nullptr, nullptr}, {100, 0, 2});
    for (int64_t i = 0; i < 900 * 1000; i++)
      g_assert_cmpfloat (out.as<float> ()[i], ==, 0.25f);
    g_assert_cmpint (flats->reads, ==, 3);
    g_assert_cmpuint (held_by (*task), >=, size_t{8} * 900 * 1000 * 4 + flats->most);
  }
}

void check_refused (const Array &data, const Array *flats, const char *message)
{
  const Format *formats[] = {&data.format, nullptr, flats ? &flats->format : nullptr};
  try {
    negotiated (*make_task ("flat-field"), formats);
    g_assert_not_reached ();
  } catch (const Error &e) {
    g_assert_cmpstr (e.what (), ==, message);
  }
}

void test_refuses ()
{
  const auto stack = std::make_shared<Stack> (Element::u16, 2, flat_of);
  auto in = scan (Element::u16, false, data_of, stack, nullptr);
  check_refused (
      in, nullptr,
      "no flats: the stream has none; give flats= to 'read', or connect them as in [data, darks, flats] ! flat-field");
  in = scan (Element::u16, false, data_of, nullptr, stack);
  in.format.changed_by = "ramp-filter";
  check_refused (in, nullptr,
                 "'ramp-filter' has changed the counts already, so that the scan's flats no longer fit: put this node "
                 "before it");
  const auto small = std::make_shared<Stack> (Element::u16, 2, flat_of);
  small->columns--;
  check_refused (scan (Element::u16, false, data_of, nullptr, small), nullptr,
                 "the flats have 11 rows and 42 columns, the projections have 11 and 43: crop both in the same way");
  auto flats = scan (Element::u16, false, flat_of, nullptr, nullptr);
  flats.format.dim (Axis::row).extent = 4;
  check_refused (in, &flats,
                 "the flats have 4 rows and 43 columns, the projections have 11 and 43: crop both in the same way");
  flats = scan (Element::u16, true, flat_of, nullptr, nullptr);
  check_refused (in, &flats, "input 'flats' wants projections, got u16 sinograms (row 11, angle 7, column 43)");
  in.format = slices (Element::f32, {Axis::z, 1}, {Axis::y, 2}, {Axis::x, 2});
  check_refused (in, nullptr,
                 "wants projections or sinograms, got f32 slices (z 1, y 2, x 2): put this node before the "
                 "reconstruction, or correct axes= of 'read'");
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/flat-field-defects/nothing-left", test_nothing_is_left);
  g_test_add_func ("/flat-field-defects/bands", test_reduces_in_bands);
  g_test_add_func ("/flat-field-defects/chunks", test_reads_chunks_once);
  g_test_add_func ("/flat-field-defects/dead-pixels", test_dead_pixels);
  g_test_add_func ("/flat-field-defects/missing-counts", test_counts_that_are_missing);
  g_test_add_func ("/flat-field-defects/broken-values", test_broken_values_are_filled);
  g_test_add_func ("/flat-field-defects/refuses", test_refuses);
  return g_test_run ();
}

} // namespace sino::test::flat_field_defects_test
