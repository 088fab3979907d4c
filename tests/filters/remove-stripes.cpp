// SPDX-License-Identifier: LGPL-3.0-or-later
// Against the algorithms as their paper describes them (N. T. Vo, R. C. Atwood and M. Drakopoulos, Optics Express 26,
// 2018), plainly and in float64.
#include "tests/support/expect.hpp"
#include "tests/support/run-task.hpp"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace sino;
using namespace sino::test;

namespace {

using Line = std::vector<double>;
using Image = std::vector<Line>; // of columns

size_t near (int64_t i, size_t n)
{
  const auto size = static_cast<int64_t> (n);
  while (i < 0 || i >= size)
    i = i < 0 ? -1 - i : 2 * size - 1 - i;
  return static_cast<size_t> (i);
}

Line median (const Line &line, int64_t size)
{
  Line out;
  for (int64_t i = 0; i < std::ssize (line); i++) {
    Line window;
    for (auto j = i - size / 2; j <= i + size / 2; j++)
      window.push_back (line[near (j, line.size ())]);
    std::sort (window.begin (), window.end ());
    out.push_back (window[window.size () / 2]);
  }
  return out;
}

Image medians_across (const Image &columns, int64_t size)
{
  Image out = columns;
  for (size_t a = 0; a < columns[0].size (); a++) {
    Line row;
    for (const auto &column : columns)
      row.push_back (column[a]);
    row = median (row, size);
    for (size_t c = 0; c < out.size (); c++)
      out[c][a] = row[c];
  }
  return out;
}

// --- algorithm 3 ---

std::vector<size_t> ranks (const Line &column)
{
  std::vector<size_t> angles (column.size ());
  std::iota (angles.begin (), angles.end (), 0);
  std::stable_sort (angles.begin (), angles.end (), [&] (size_t a, size_t b) { return column[a] < column[b]; });
  return angles;
}

Image sorted (const Image &columns)
{
  Image out = columns;
  for (auto &column : out)
    std::sort (column.begin (), column.end ());
  return out;
}

Image in_order_of (const Image &columns, const Image &values)
{
  Image out = columns;
  for (size_t c = 0; c < columns.size (); c++)
    for (size_t rank = 0; const auto angle : ranks (columns[c]))
      out[c][angle] = values[c][rank++];
  return out;
}

Image sorting (const Image &columns, int64_t size)
{
  return in_order_of (columns, medians_across (sorted (columns), size));
}

// --- algorithm 4 ---

std::vector<bool> stripes (const Line &numbers, double snr)
{
  Line y = numbers;
  std::sort (y.begin (), y.end ());
  const size_t n = y.size (), begin = n / 4, end = n - n / 4 - 1;
  double s = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (auto i = begin; i < end; i++) {
    const auto x = static_cast<double> (i);
    s++, sx += x, sy += y[i], sxx += x * x, sxy += x * y[i];
  }
  const double slope = (s * sxy - sx * sy) / (s * sxx - sx * sx), low = (sy - slope * sx) / s,
               high = low + slope * static_cast<double> (n - 1), noise = high - low;
  std::vector<bool> marks (n), wide (n);
  for (size_t i = 0; i < n; i++)
    marks[i] = (y[n - 1] - high >= snr * noise && numbers[i] > high + snr * noise / 2) ||
               (low - y[0] >= snr * noise && numbers[i] <= low - snr * noise / 2);
  for (size_t i = 0; i < n; i++)
    wide[i] = marks[i] || (i > 0 && marks[i - 1]) || (i + 1 < n && marks[i + 1]);
  return wide;
}

// --- algorithm 5 ---

double mean_within (const Line &column, double drop)
{
  const auto n = static_cast<int64_t> (column.size ()),
             dropped = static_cast<int64_t> (drop * static_cast<double> (n) / 2);
  return std::accumulate (column.begin () + dropped, column.end () - dropped, 0.0) /
         static_cast<double> (n - 2 * dropped);
}

Image large (const Image &columns, double snr, int64_t size, double drop)
{
  const auto order = sorted (columns), smooth = medians_across (order, size);
  Line factors;
  for (size_t c = 0; c < columns.size (); c++)
    factors.push_back (mean_within (order[c], drop) / mean_within (smooth[c], drop));
  const auto marks = stripes (factors, snr);
  g_assert_cmpint (std::count (marks.begin (), marks.end (), true), >, 2); // the test has some
  auto out = in_order_of (columns, smooth);
  for (size_t c = 0; c < columns.size (); c++)
    if (!marks[c])
      for (size_t a = 0; a < columns[c].size (); a++)
        out[c][a] = columns[c][a] / factors[c];
  return out;
}

// --- algorithm 6 ---

Image without_dead (const Image &columns, double snr, int64_t size)
{
  Line changes;
  for (const auto &column : columns) {
    double sum = 0;
    for (int64_t a = 0; a < std::ssize (column); a++) {
      double mean = 0;
      for (auto b = a - 5; b < a + 5; b++)
        mean += column[near (b, column.size ())] / 10;
      sum += std::abs (column[static_cast<size_t> (a)] - mean);
    }
    changes.push_back (sum);
  }
  auto ratios = median (changes, size);
  for (size_t c = 0; c < ratios.size (); c++)
    ratios[c] = changes[c] / ratios[c];
  auto marks = stripes (ratios, snr);
  marks[0] = marks[1] = marks[marks.size () - 2] = marks[marks.size () - 1] = false;
  g_assert_cmpint (std::count (marks.begin (), marks.end (), true), >, 2);
  Image out = columns;
  for (size_t c = 0; c < columns.size (); c++) {
    size_t left = c, right = c;
    while (marks[left])
      left--;
    while (marks[right])
      right++;
    for (size_t a = 0; left < c && a < out[c].size (); a++)
      out[c][a] = columns[left][a] + (columns[right][a] - columns[left][a]) * static_cast<double> (c - left) /
                                         static_cast<double> (right - left);
  }
  return out;
}

// --- offsets ---

double middle (Line numbers)
{
  std::sort (numbers.begin (), numbers.end ());
  return numbers[numbers.size () / 2];
}

double offset (const Line &column, const Line &other)
{
  Line differences;
  for (size_t a = 0; a < column.size (); a++)
    differences.push_back (column[a] - other[a]);
  return middle (differences);
}

Image level (Image columns, int64_t size)
{
  const auto lower = [] (Line &column, double by) {
    for (auto &value : column)
      value -= by;
  };
  for (int time = 0; time < 3; time++) {
    const auto smooth = medians_across (columns, size);
    for (size_t c = 0; c < columns.size (); c++)
      lower (columns[c], offset (columns[c], smooth[c]));
  }
  Line profile{0}, rough, sizes;
  for (size_t c = 1; c < columns.size (); c++)
    profile.push_back (profile.back () + offset (columns[c], columns[c - 1]));
  for (int64_t c = 0; c < std::ssize (profile); c++) {
    double sum = 0, weights = 0;
    for (int d = -12; d <= 12; d++) {
      sum += std::exp (-d * d / 18.0) * profile[near (c + d, profile.size ())];
      weights += std::exp (-d * d / 18.0);
    }
    rough.push_back (profile[static_cast<size_t> (c)] - sum / weights);
    sizes.push_back (std::abs (rough.back ()));
  }
  for (size_t c = 0; c < columns.size (); c++)
    if (sizes[c] <= 4 * 1.4826 * middle (sizes))
      lower (columns[c], rough[c]);
  return columns;
}

Image wanted (const std::string &method, const Image &in)
{
  if (method == "offset")
    return level (in, 9);
  if (method == "bridged offset")
    return level (without_dead (in, 2.5, 21), 9);
  if (method == "sorting")
    return sorting (in, 9);
  if (method == "large")
    return large (in, 2.5, 21, 0.2);
  const auto good = large (without_dead (in, 2.5, 21), 2.5, 21, 0.2);
  return method == "dead" ? good : sorting (good, 9);
}

// Noise on something smooth, gains, a wide stripe, one that does not change and one that changes too much; others in
// each row.
Array scan (int64_t rows, int64_t angles, int64_t columns)
{
  Array in{sinograms (Element::f32, {Axis::row, rows}, {Axis::angle, angles}, {Axis::column, columns}), {}};
  in.bytes.resize (static_cast<size_t> (in.format.bytes ()));
  uint32_t state = 5;
  const auto noise = [&] { return static_cast<float> ((state = state * 1664525 + 1013904223) >> 8) / (1 << 23) - 1; };
  for (int64_t r = 0; r < rows; r++) {
    std::vector<float> gains;
    for (int64_t c = 0; c < columns; c++)
      gains.push_back (0.02f * noise ());
    for (int64_t a = 0; a < angles; a++)
      for (int64_t c = 0; c < columns; c++) {
        const auto x = static_cast<float> (c) / static_cast<float> (columns),
                   t = static_cast<float> (a) / static_cast<float> (angles);
        const auto place = (c + 11 * r) % columns;
        auto value =
            1 + x * (1 - x) + 0.3f * std::sin (7 * x + 3 * t) + gains[static_cast<size_t> (c)] + 0.01f * noise ();
        if (place / 5 == columns / 15)
          value += 0.6f;
        else if (place == columns / 4)
          value = 0.9f;
        else if (place == columns / 2)
          value += 0.5f * noise ();
        in.as<float> ()[(r * angles + a) * columns + c] = value;
      }
  }
  return in;
}

Image columns_of (const Array &array, int64_t row)
{
  const auto angles = array.format.angles (), columns = array.format.line ();
  Image all (static_cast<size_t> (columns), Line (static_cast<size_t> (angles)));
  for (int64_t c = 0; c < columns; c++)
    for (int64_t a = 0; a < angles; a++)
      all[static_cast<size_t> (c)][static_cast<size_t> (a)] =
          static_cast<double> (array.as<float> ()[(row * angles + a) * columns + c]);
  return all;
}

std::unique_ptr<Task> remover (const std::string &method, const char *levels = "5")
{
  const bool bridged = method == "bridged offset";
  return make_task ("remove-stripes", {{"method", bridged ? "offset" : method},
                                       {"bridge", bridged ? "true" : "false"},
                                       {"snr", "2.5"},
                                       {"sm-size", "9"},
                                       {"la-size", "21"},
                                       {"drop-ratio", "0.2"},
                                       {"levels", levels}});
}

constexpr const char *published[] = {"offset", "bridged offset", "sorting", "large", "dead", "all"};
constexpr const char *methods[] = {"offset", "bridged offset", "sorting", "large", "dead", "all", "wavelet-fourier"};

// Values are 1 to 2, and floats.
void test_published ()
{
  for (const char *method : published)
    for (const auto &[angles, columns] : {std::pair<int64_t, int64_t>{67, 101}, {64, 150}, {203, 83}}) {
      const auto in = scan (3, angles, columns);
      const auto out = run_task (*remover (method), {&in});
      for (int64_t row = 0; row < 3; row++) {
        const auto got = columns_of (out, row), truth = wanted (method, columns_of (in, row));
        for (size_t c = 0; c < got.size (); c++)
          for (size_t a = 0; a < got[c].size (); a++)
            if (!(std::abs (got[c][a] - truth[c][a]) < 2e-6))
              g_error ("%s: angle %zu of column %zu is %.9g, not %.9g", method, a, c, got[c][a], truth[c][a]);
      }
    }
}

void test_any_cut ()
{
  const auto in = scan (11, 131, 77);
  for (const char *method : methods) {
    const auto whole = run_task (*remover (method), {&in});
    for (const Cut cut : {Cut{.rows = 1, .threads = 1}, Cut{.rows = 4, .threads = 3}, Cut{.lanes = 4},
                          Cut{.rows = 5, .lanes = 8}, Cut{.threads = 1, .lanes = 16}, Cut{.threads = 5, .lanes = 32}}) {
      const auto other = run_task (*remover (method), {&in}, cut);
      g_assert_cmpmem (other.bytes.data (), other.bytes.size (), whole.bytes.data (), whole.bytes.size ());
    }
  }
}

// Less than a window, nothing to see, no numbers: what is left is as good as before.
void test_degenerate ()
{
  for (const char *method : methods) {
    for (const auto &[angles, columns] : {std::pair<int64_t, int64_t>{1, 1}, {1, 5}, {5, 1}, {3, 2}, {12, 3}}) {
      const auto in = scan (2, angles, columns);
      const auto out = run_task (*remover (method, "1"), {&in});
      for (int64_t i = 0; i < 2 * angles * columns; i++)
        g_assert_true (std::isfinite (out.as<float> ()[i]));
    }
    Array flat = scan (1, 40, 50);
    std::fill_n (flat.as<float> (), 40 * 50, 0.0f);
    const auto same = run_task (*remover (method), {&flat});
    g_assert_cmpmem (same.bytes.data (), same.bytes.size (), flat.bytes.data (), flat.bytes.size ());

    Array broken = scan (1, 90, 60);
    for (int64_t a = 0; a < 90; a++)
      broken.as<float> ()[a * 60 + 31] = NAN;
    const auto mended = run_task (*remover (method), {&broken});
    for (int64_t i = 0; i < 90 * 60; i++)
      if (i % 60 != 31)
        g_assert_true (std::isfinite (mended.as<float> ()[i]));
  }
}

void test_errors ()
{
  const auto in = scan (1, 4, 8);
  const auto said = [] (const Format &format, const std::vector<std::pair<std::string, std::string>> &words = {}) {
    return message_of ([&] {
      const Format *formats[] = {&format};
      make_task ("remove-stripes", words)->negotiate (formats);
    });
  };
  const Dim row{Axis::row, 1}, angle{Axis::angle, 4}, column{Axis::column, 8};
  same (said (in.format, {{"sm-size", "20"}}), "sm-size=20 has no middle: give 19 or 21");
  same (said (in.format, {{"la-size", "50"}}), "la-size=50 has no middle: give 49 or 51");
  same (said (projections (Element::f32, angle, row, column)),
        "wants sinograms, got f32 projections (angle 4, row 1, column 8): put 'interleave' before it");
  same (
      said (sinograms (Element::u16, row, angle, column)),
      "wants f32 values, got u16 sinograms (row 1, angle 4, column 8): put 'flat-field' before it, which turns counts "
      "into attenuation");
  same (said (sinograms (Element::f32, row, {Axis::angle, 65537}, column)),
        "takes 65536 angles at most, got f32 sinograms (row 1, angle 65537, column 8)");
}

} // namespace

int main (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/remove-stripes/published", test_published);
  g_test_add_func ("/remove-stripes/any-cut", test_any_cut);
  g_test_add_func ("/remove-stripes/degenerate", test_degenerate);
  g_test_add_func ("/remove-stripes/errors", test_errors);
  return g_test_run ();
}
