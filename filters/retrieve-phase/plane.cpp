// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/retrieve-phase/plane.hpp"
#include "kernels/retrieve-phase/spectrum.hpp"
#include <cmath>
#include <cstring>
#include <numbers>

namespace sino::retrieve_phase {

constexpr int64_t together_rows = 8;      // one cache line of a column
constexpr size_t most_spectra = 32 << 20; // bytes of spectra of images that are filtered together, if these are several
constexpr char spectra_item[] = "spectra of projections", rows_item[] = "rows of threads",
               columns_item[] = "columns of threads";

using Complex = std::complex<float>;

// Copies both parts at once; an assignment would copy them separately.
static void copy (const Complex *from, Complex *to)
{
  std::memcpy (to, from, sizeof (Complex));
}

// Copies `rows` rows of `columns` values to columns, or back: `lines` is the first row, `stride` its distance to the
// next one; `column` is the first value in the first column, `next` its distance to that of the next column.
template <bool Back>
static void turn (Complex *lines, int64_t stride, int64_t rows, int64_t columns, Complex *column, int64_t next)
{
  constexpr int64_t ahead = 16; // columns; processors do not predict this access
  const auto copy_rows = [&] (int64_t c, int64_t count) {
    for (int64_t row = 0; row < count; row++)
      Back ? copy (column + row, lines + row * stride + c) : copy (lines + row * stride + c, column + row);
  };
  for (int64_t c = 0; c < columns; c++, column += next) {
    __builtin_prefetch (column + ahead * next, !Back);
    rows == together_rows ? copy_rows (c, together_rows) : copy_rows (c, rows);
  }
}

Plane::Plane (int64_t image_rows, int64_t image_columns, double reach) : rows (image_rows), columns (image_columns)
{
  const auto padded = [reach] (int64_t n) {
    return std::max<int64_t> (n + static_cast<int64_t> (std::min (reach, static_cast<double> (n))), 32);
  };
  height = Fft::good_even_length (padded (rows));
  width = Fft::good_even_length (padded (columns));
}

// Buffers of a thread for a column and its mirror column.
struct PlaneFilter::Columns {
  float *padded, *direct, *mirrored, *here, *there, *work;

  static int64_t floats (const Plane &plane) { return 4 * plane.column_stride () + plane.column_work (); }
  Columns (const Plane &plane, float *memory)
      : padded (memory), direct (padded + plane.column_stride ()), mirrored (direct + plane.column_stride ()),
        here (mirrored + plane.column_stride ()), there (here + plane.column_stride () / 2),
        work (here + plane.column_stride ())
  {
  }
};

// Floats of the buffers of a thread for rows: a row, what transforms need, and some rows of the spectrum.
static int64_t row_floats (const Plane &plane)
{
  return (1 + together_rows) * plane.row_stride () + plane.row_work ();
}

static size_t spectrum_bytes (const Plane &plane)
{
  return static_cast<size_t> (plane.half () * plane.spectrum_stride ()) * sizeof (float);
}

int64_t PlaneFilter::together (const Plane &plane, int threads, int64_t images)
{
  const auto fit = static_cast<int64_t> (most_spectra / spectrum_bytes (plane));
  return threads > few_threads
             ? std::clamp<int64_t> (std::min<int64_t> (threads / 2, fit), 1, std::max<int64_t> (images, 1))
             : 1;
}

void PlaneFilter::memory (const Plane &plane, size_t threads, size_t spectra, int64_t images, Bill &bill)
{
  add_pages (bill, spectra_item, static_cast<size_t> (images) * spectrum_bytes (plane), spectra);
  add_pages (bill, rows_item, static_cast<size_t> (row_floats (plane)) * sizeof (float), threads);
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

PlaneFilter::Spectra PlaneFilter::take_spectra (Allotment &memory)
{
  return std::make_shared<const Allotment::Piece> (memory.take (spectra_item));
}

void PlaneFilter::add_loops (std::vector<Loop> &loops, Allotment &memory, const Spectra &spectra,
                             const Images &images) const
{
  const auto of = [] (float *values) { return reinterpret_cast<Complex *> (values); };
  const auto next = size.spectrum_stride () / 2, stride = size.row_stride () / 2;
  const auto spectrum_of = [this, of, next, spectra] (int64_t image) {
    return of (spectra->as<float> ()) + image * size.half () * next;
  };
  // Calls body (image, rows) for the rows of all images, some at a time.
  const auto over_rows = [&] (Interval rows, auto body) {
    const auto groups = (rows.size () + together_rows - 1) / together_rows;
    loops.push_back (
        {images.count * groups, 2, [=, &memory] (int64_t begin, int64_t end) {
           const auto piece = memory.take (rows_item);
           for (auto i = begin; i < end; i++) {
             const auto first = rows.at (i % groups * together_rows);
             body (i / groups, Interval{first, std::min (first + together_rows, rows.end)}, piece.as<float> ());
           }
         }});
  };

  over_rows ({0, size.rows}, [=, this, load = images.load] (int64_t image, Interval rows, float *values) {
    auto *lines = values + size.row_stride (), *work = lines + together_rows * size.row_stride ();
    for (auto row = rows.begin; row < rows.end; row++) {
      load (image, row, values);
      const auto middle = size.columns + (size.width - size.columns) / 2;
      std::fill (values + size.columns, values + middle, values[size.columns - 1]);
      std::fill (values + middle, values + size.width, values[0]);
      along_rows.forward (of (values), of (lines) + (row - rows.begin) * stride, of (work));
    }
    turn<false> (of (lines), stride, rows.size (), size.half (), spectrum_of (image) + rows.begin, next);
  });
  const auto pairs = size.half () / 2 + 1;
  loops.push_back ({images.count * pairs, 8, [=, this, &memory] (int64_t begin, int64_t end) {
                      const auto piece = memory.take (columns_item);
                      const Columns columns (size, piece.as<float> ());
                      for (auto i = begin; i < end; i++)
                        filter (spectrum_of (i / pairs), i % pairs, columns);
                    }});
  over_rows (images.wanted, [=, this, store = images.store] (int64_t image, Interval rows, float *values) {
    auto *lines = values + size.row_stride (), *work = lines + together_rows * size.row_stride ();
    turn<true> (of (lines), stride, rows.size (), size.half (), spectrum_of (image) + rows.begin, next);
    for (auto row = rows.begin; row < rows.end; row++) {
      along_rows.backward (of (lines) + (row - rows.begin) * stride, of (values), of (work));
      store (image, row, values);
    }
  });
}

// Filters a column of the first half and its mirror column. For a column that is its own mirror, both results are
// equal.
void PlaneFilter::filter (Complex *spectrum, int64_t column, const Columns &buffers) const
{
  const auto half = size.half (), values = size.height / 2 + 1, next = size.spectrum_stride () / 2;
  const auto of = [] (float *values) { return reinterpret_cast<Complex *> (values); };
  auto *direct = spectrum + column * next, *mirrored = spectrum + (half - column) % half * next;
  auto *padded = of (buffers.padded), *work = of (buffers.work);
  const auto pad = [&] (const Complex *from) {
    const auto middle = size.rows + (size.height - size.rows) / 2;
    std::copy (from, from + size.rows, padded);
    std::fill (padded + size.rows, padded + middle, from[size.rows - 1]);
    std::fill (padded + middle, padded + size.height, from[0]);
  };
  const auto unfold = [&] (int64_t from, float *to) {
    const auto *response = responses->data () + from * values;
    std::copy (response, response + values, to);
    std::reverse_copy (response + 1, response + values - 1, to + values);
  };

  pad (direct);
  along_columns.forward (padded, of (buffers.direct), work);
  pad (mirrored);
  along_columns.backward (padded, of (buffers.mirrored), work);
  unfold (column, buffers.here);
  unfold (half - column, buffers.there);
  const double t = std::numbers::pi * static_cast<double> (column) / static_cast<double> (half);
  filter_columns ({.here = buffers.here,
                   .there = buffers.there,
                   .sine = static_cast<float> (std::sin (t)),
                   .cosine = static_cast<float> (std::cos (t))},
                  size.height, buffers.direct, buffers.mirrored);
  along_columns.forward (of (buffers.mirrored), padded, work);
  std::copy (padded, padded + size.rows, mirrored);
  along_columns.backward (of (buffers.direct), padded, work);
  std::copy (padded, padded + size.rows, direct);
}

} // namespace sino::retrieve_phase
