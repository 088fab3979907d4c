// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/retrieve-phase/plane.hpp"
#include "kernels/retrieve-phase/spectrum.hpp"
#include <cmath>
#include <cstring>
#include <numbers>

namespace sino::retrieve_phase {

constexpr int64_t together_columns = 8;   // one cache line
constexpr size_t most_spectra = 32 << 20; // bytes of spectra of images that are filtered together, if these are several
constexpr char spectra_item[] = "spectra of projections", rows_item[] = "rows of threads",
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
    return (2 * together_columns + 3) * plane.column_stride () + plane.column_work ();
  }
  Columns (const Plane &plane, float *memory)
      : stride (plane.column_stride ()), direct (memory), mirrored (direct + together_columns * stride),
        spectrum (mirrored + together_columns * stride), mirrored_spectrum (spectrum + stride),
        here (mirrored_spectrum + stride), there (here + stride / 2), work (here + stride)
  {
  }
};

static size_t spectrum_bytes (const Plane &plane)
{
  return static_cast<size_t> (plane.rows * plane.row_stride ()) * sizeof (float);
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
  add_pages (bill, rows_item, static_cast<size_t> (plane.row_stride () + plane.row_work ()) * sizeof (float), threads);
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
  const auto row_at = [this, spectra] (int64_t image, int64_t row) {
    return spectra->as<float> () + (image * size.rows + row) * size.row_stride ();
  };
  loops.push_back ({images.count * size.rows, 16, [=, this, &memory, load = images.load] (int64_t begin, int64_t end) {
                      const auto piece = memory.take (rows_item);
                      auto *values = piece.as<float> ();
                      for (auto i = begin; i < end; i++) {
                        const auto image = i / size.rows, row = i % size.rows;
                        load (image, row, values);
                        const auto middle = size.columns + (size.width - size.columns) / 2;
                        std::fill (values + size.columns, values + middle, values[size.columns - 1]);
                        std::fill (values + middle, values + size.width, values[0]);
                        along_rows.forward (of (values), of (row_at (image, row)), of (values + size.row_stride ()));
                      }
                    }});
  const auto groups = size.half () / 2 / together_columns + 1;
  loops.push_back ({images.count * groups, 1, [=, this, &memory] (int64_t begin, int64_t end) {
                      const auto piece = memory.take (columns_item);
                      const Columns columns (size, piece.as<float> ());
                      for (auto i = begin; i < end; i++)
                        filter (row_at (i / groups, 0), i % groups * together_columns, columns);
                    }});
  loops.push_back ({images.count * images.wanted.size (), 16,
                    [=, this, &memory, wanted = images.wanted, store = images.store] (int64_t begin, int64_t end) {
                      const auto piece = memory.take (rows_item);
                      auto *values = piece.as<float> ();
                      for (auto i = begin; i < end; i++) {
                        const auto image = i / wanted.size (), row = wanted.at (i % wanted.size ());
                        along_rows.backward (of (row_at (image, row)), of (values), of (values + size.row_stride ()));
                        store (image, row, values);
                      }
                    }});
}

// Filters columns `first` to `first` + `together_columns`, up to the middle, and their mirror columns. For a column
// that is its own mirror, both results are equal.
void PlaneFilter::filter (float *spectrum, int64_t first, const Columns &work) const
{
  const auto half = size.half (), stride = work.stride / 2, next = size.row_stride () / 2, values = size.height / 2 + 1;
  const auto count = std::min (together_columns, half / 2 + 1 - first);
  const auto of = [] (float *values) { return reinterpret_cast<Complex *> (values); };
  auto *direct = of (work.direct), *mirrored = of (work.mirrored), *from = of (spectrum);
  int64_t mirrors[together_columns];
  for (int64_t j = 0; j < together_columns; j++)
    mirrors[j] = (2 * half - first - j) % half;
  for (int64_t row = 0; row < size.rows; row++, from += next) {
    for (const auto column :
         {first, mirrors[0], mirrors[together_columns - 1]}) // processors do not predict this access
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
