// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/retrieve-phase/plane.hpp"
#include "kernels/retrieve-phase/spectrum.hpp"
#include <cmath>
#include <cstring>
#include <numbers>

namespace sino::retrieve_phase {

constexpr int64_t together = 8; // columns: one cache line
constexpr char spectrum_item[] = "spectrum of a projection", rows_item[] = "rows of threads",
               columns_item[] = "columns of threads";

using Complex = std::complex<float>;

// Copies both parts at once; an assignment would copy them separately.
static void copy (const Complex *from, Complex *to)
{
  std::memcpy (to, from, sizeof (Complex));
}

Plane::Plane (int64_t image_rows, int64_t image_columns, double reach) : rows (image_rows), columns (image_columns)
{
  const auto padded = [reach] (int64_t n) {
    return std::max<int64_t> (n + static_cast<int64_t> (std::min (reach, static_cast<double> (n))), 32);
  };
  height = Fft::good_even_length (padded (rows));
  width = Fft::good_even_length (padded (columns));
}

// Buffers of a thread for some columns and their mirror columns.
struct PlaneFilter::Columns {
  int64_t stride;
  float *direct, *mirrored, *spectrum, *mirrored_spectrum, *here, *there, *work;

  static int64_t floats (const Plane &plane)
  {
    return (2 * together + 3) * plane.column_stride () + plane.column_work ();
  }
  Columns (const Plane &plane, float *memory)
      : stride (plane.column_stride ()), direct (memory), mirrored (direct + together * stride),
        spectrum (mirrored + together * stride), mirrored_spectrum (spectrum + stride),
        here (mirrored_spectrum + stride), there (here + stride / 2), work (here + stride)
  {
  }
};

void PlaneFilter::memory (const Plane &plane, size_t threads, Bill &bill)
{
  const auto row = static_cast<size_t> (plane.row_stride ()) * sizeof (float);
  add_pages (bill, spectrum_item, static_cast<size_t> (plane.rows) * row);
  add_pages (bill, rows_item, row + static_cast<size_t> (plane.row_work ()) * sizeof (float), threads);
  add_pages (bill, columns_item, static_cast<size_t> (Columns::floats (plane)) * sizeof (float), threads);
}

void PlaneFilter::shared_memory (const Plane &plane, Bill &bill)
{
  add_bytes (bill, "response of the filter", plane.responses () * sizeof (float));
  add_bytes (bill, "tables of transforms", Fft::plan_bytes (plane.half ()) + Fft::plan_bytes (plane.height));
}

std::vector<float> responses_of (const Plane &plane, const std::function<double (double)> &response, const Cpu &cpu)
{
  std::vector<float> responses (plane.responses ());
  const auto values = plane.height / 2 + 1;
  const double scale = 1 / (static_cast<double> (plane.half ()) * static_cast<double> (plane.height));
  cpu.parallel (plane.half () + 1, 16, [&] (int64_t begin, int64_t end) {
    for (auto l = begin; l < end; l++)
      for (int64_t k = 0; k < values; k++) {
        const double x = static_cast<double> (l) / static_cast<double> (plane.width);
        const double y = static_cast<double> (k) / static_cast<double> (plane.height);
        responses[static_cast<size_t> (l * values + k)] = static_cast<float> (scale * response (x * x + y * y));
      }
  });
  return responses;
}

PlaneFilter::PlaneFilter (const Plane &plane, std::shared_ptr<const std::vector<float>> r)
    : size (plane), along_rows (plane.half ()), along_columns (plane.height), responses (std::move (r))
{
}

void PlaneFilter::run (const Cpu &cpu, Allotment &memory, const Load &load, Interval wanted, const Store &store) const
{
  const auto piece = memory.take (spectrum_item);
  auto *spectrum = piece.as<float> ();
  const auto row_at = [&] (int64_t row) { return reinterpret_cast<Complex *> (spectrum + row * size.row_stride ()); };
  const auto work_of_row = [&] (float *row) { return reinterpret_cast<Complex *> (row + size.row_stride ()); };
  cpu.parallel (size.rows, 16, [&] (int64_t begin, int64_t end) {
    const auto work = memory.take (rows_item);
    auto *values = work.as<float> ();
    for (auto row = begin; row < end; row++) {
      load (row, values);
      const auto middle = size.columns + (size.width - size.columns) / 2;
      std::fill (values + size.columns, values + middle, values[size.columns - 1]);
      std::fill (values + middle, values + size.width, values[0]);
      along_rows.forward (reinterpret_cast<const Complex *> (values), row_at (row), work_of_row (values));
    }
  });
  cpu.parallel (size.half () / 2 / together + 1, 1, [&] (int64_t begin, int64_t end) {
    const auto work = memory.take (columns_item);
    const Columns columns (size, work.as<float> ());
    for (auto group = begin; group < end; group++)
      filter (spectrum, group * together, columns);
  });
  cpu.parallel (wanted.size (), 16, [&] (int64_t begin, int64_t end) {
    const auto work = memory.take (rows_item);
    for (auto i = begin; i < end; i++) {
      along_rows.backward (row_at (wanted.at (i)), work.as<Complex> (), work_of_row (work.as<float> ()));
      store (wanted.at (i), work.as<float> ());
    }
  });
}

// Filters columns `first` to `first` + `together`, up to the middle, and their mirror columns. For a column that is its
// own mirror, both results are equal.
void PlaneFilter::filter (float *spectrum, int64_t first, const Columns &work) const
{
  const auto half = size.half (), stride = work.stride / 2, next = size.row_stride () / 2, values = size.height / 2 + 1;
  const auto count = std::min (together, half / 2 + 1 - first);
  const auto of = [] (float *values) { return reinterpret_cast<Complex *> (values); };
  auto *direct = of (work.direct), *mirrored = of (work.mirrored), *from = of (spectrum);
  int64_t mirrors[together];
  for (int64_t j = 0; j < together; j++)
    mirrors[j] = (2 * half - first - j) % half;
  for (int64_t row = 0; row < size.rows; row++, from += next) {
    for (const auto column : {first, mirrors[0], mirrors[together - 1]}) // processors do not predict this access
      __builtin_prefetch (from + column + 16 * next);
    for (int64_t j = 0; j < count; j++) {
      copy (from + first + j, direct + j * stride + row);
      copy (from + mirrors[j], mirrored + j * stride + row);
    }
  }

  const auto pad = [&] (Complex *column) {
    const auto middle = size.rows + (size.height - size.rows) / 2;
    std::fill (column + size.rows, column + middle, column[size.rows - 1]);
    std::fill (column + middle, column + size.height, column[0]);
  };
  const auto unfold = [&] (int64_t column, float *to) {
    const auto *response = responses->data () + column * values;
    std::copy (response, response + values, to);
    std::reverse_copy (response + 1, response + values - 1, to + values);
  };
  for (int64_t j = 0; j < count; j++) {
    auto *a = direct + j * stride, *b = mirrored + j * stride;
    pad (a);
    pad (b);
    along_columns.forward (a, of (work.spectrum), of (work.work));
    along_columns.backward (b, of (work.mirrored_spectrum), of (work.work));
    unfold (first + j, work.here);
    unfold (half - first - j, work.there);
    const double t = std::numbers::pi * static_cast<double> (first + j) / static_cast<double> (half);
    filter_columns ({.here = work.here,
                     .there = work.there,
                     .sine = static_cast<float> (std::sin (t)),
                     .cosine = static_cast<float> (std::cos (t))},
                    size.height, work.spectrum, work.mirrored_spectrum);
    along_columns.backward (of (work.spectrum), a, of (work.work));
    along_columns.forward (of (work.mirrored_spectrum), b, of (work.work));
  }

  from = of (spectrum);
  for (int64_t row = 0; row < size.rows; row++, from += next)
    for (int64_t j = 0; j < count; j++) {
      copy (mirrored + j * stride + row, from + mirrors[j]);
      copy (direct + j * stride + row, from + first + j);
    }
}

} // namespace sino::retrieve_phase
