// SPDX-License-Identifier: LGPL-3.0-or-later
// The host computes the source positions of pixels, in float64, for tables that the kernel reads. Positions are those
// of the native code, bit for bit.
#include "device/opencl-memory.hpp"
#include "filters/move-pixels/opencl-families.hpp"
#include "filters/move-pixels/opencl-move.hpp"
#include "kernels/move-pixels/sample.hpp"
#include <mutex>

namespace sino::move_pixels {

namespace {

constexpr char sources_item[] = "source positions", line_item[] = "source positions of a row",
               source_columns[] = "source columns", source_rows[] = "source rows",
               weights_item[] = "weights of the spline", half_item[] = "spline coefficients of rows",
               plane_item[] = "spline coefficients";

// These must match the structures in kernels/move-pixels/sample.cl.
struct Place {
  cl_int whole;
  cl_float behind;
};
struct Source {
  cl_int width, height, first, rows;
};
struct Steps {
  cl_int column_image = 0, column_row = 0, row_image = 0, row_row = 0, row_column = 0;
};

constexpr int64_t edge = spline_reach + 3;         // columns and rows of coefficients on either side of an image
constexpr size_t tables_enough = size_t{64} << 20; // bytes

// Columns or rows of coefficients.
int64_t wide (int64_t extent)
{
  return extent + 2 * edge + 1;
}

} // namespace

// Bytes of tables and of coefficients.
struct Resampled::Memory {
  int64_t band = 0;                         // rows for which the tables hold
  size_t columns = 0, rows = 0;             // tables of the stream
  size_t image_columns = 0, image_rows = 0; // tables of an image
  size_t half = 0, plane = 0;               // coefficients of an image

  Memory (const Resampled &move, int64_t rows_in, int64_t rows_out, size_t largest_table)
  {
    const auto width = move.from.width;
    const bool both = move.mixes == Mixes::rows_too, pixels = move.same () == Same::for_pixel;
    const auto of = [] (int64_t n) { return static_cast<size_t> (n) * sizeof (Place); };
    band = !pixels ? rows_out : std::clamp<int64_t> (static_cast<int64_t> (largest_table / of (width)), 1, rows_out);
    (move.same () == Same::in_image ? image_columns : columns) = of (pixels ? width * band : width);
    if (both)
      (move.same () == Same::in_image ? image_rows : rows) = of (pixels ? width * band : band);
    if (move.interpolation == Interpolation::linear)
      return;
    half = static_cast<size_t> (rows_in * wide (width)) * sizeof (float);
    if (both)
      plane = static_cast<size_t> (wide (rows_in) * wide (width)) * sizeof (float);
  }
  // Images that are made in one launch.
  int64_t together (int64_t images) const
  {
    const auto of_image = image_columns + image_rows + half + plane;
    return of_image == 0 ? images : std::clamp<int64_t> (static_cast<int64_t> (tables_enough / of_image), 1, images);
  }
};

void Resampled::device_memory (const DeviceSizes &sizes, Bill &bill) const
{
  const Memory memory (*this, sizes.rows_in, sizes.rows_out, sizes.largest_table);
  const auto most = [&] (size_t of_image) {
    return std::max (of_image, std::min (tables_enough, of_image * static_cast<size_t> (sizes.images)));
  };
  const auto columns = memory.columns + most (memory.image_columns), rows = memory.rows + most (memory.image_rows);
  add_pages (bill, sources_item, columns + rows);
  add_bytes (bill, line_item,
             static_cast<size_t> (from.width) * (2 * sizeof (double) + sizeof (int32_t) + sizeof (float)),
             sizes.threads);
  add_buffers (bill, source_columns, columns);
  if (rows > 0)
    add_buffers (bill, source_rows, rows);
  if (memory.half > 0) {
    add_buffers (bill, weights_item, sizeof (SplineWeights));
    add_buffers (bill, half_item, most (memory.half));
  }
  if (memory.plane > 0)
    add_buffers (bill, plane_item, most (memory.plane));
}

class Resampled::There final : public OpenclMove
{
public:
  There (const OpenclSite &site, const Resampled &m)
      : move (m), both (m.mixes == Mixes::rows_too), cubic (m.interpolation == Interpolation::cubic),
        largest_table (site.largest_table), queues (site.queues), cpu (site.cpu),
        host (site.memory.take (sources_item)),
        columns_there (take_buffer (queues.device, site.memory, source_columns)), sample (kernel_of (site, "sample"))
  {
    if (both)
      rows_there = take_buffer (queues.device, site.memory, source_rows);
    if (!cubic)
      return;
    weights = take_table (queues.device, site.memory, weights_item, spline_weights ().data (), sizeof (SplineWeights));
    half = take_buffer (queues.device, site.memory, half_item);
    along_rows.emplace (kernel_of (site, "spline_rows"));
    if (!both)
      return;
    plane = take_buffer (queues.device, site.memory, plane_item);
    along_columns.emplace (kernel_of (site, "spline_columns"));
  }

  Span enqueue (const Images &from, const cl::Buffer &in, const Images &to, const cl::Buffer &out) override
  {
    const Memory memory (move, from.rows.size (), to.rows.size (), largest_table);
    const auto together = memory.together (to.count);
    Span all;
    for (auto row = to.rows.begin; row < to.rows.end; row += memory.band) {
      const Rows band{row, std::min (row + memory.band, to.rows.end)};
      for (int64_t first = 0; first < to.count; first += together) {
        const Interval images{first, std::min (first + together, to.count)};
        if (move.same () == Same::in_image || !(tabled == band)) {
          fill (to.first + images.begin, images.size (), band);
          upload (band, images.size ());
        }
        const auto ran = launch (from, in, to, images, band, out);
        queues.kernels.flush (); // the next tables wait for it
        last = ran.last;
        if (!all.first ())
          all.first = ran.first;
        all.last = ran.last;
      }
    }
    return all;
  }

private:
  const Resampled &move;
  const bool both, cubic; // both: between rows, too
  const size_t largest_table;
  OpenclQueues &queues;
  const Cpu &cpu;
  const Allotment::Piece host;
  cl::Buffer columns_there, rows_there, weights, half, plane;
  point::OpenclLines sample;
  std::optional<point::OpenclLines> along_rows, along_columns;
  Rows tabled;    // rows for which the tables hold, unless images have their own
  Interval down;  // range of the source rows in the tables, if coefficients of rows are made for it
  cl::Event last; // last command that uses the tables

  int64_t columns_of (int64_t rows) const
  {
    return move.same () == Same::for_pixel ? rows * move.from.width : move.from.width;
  }
  int64_t rows_of (int64_t rows) const
  {
    return !both ? 0 : move.same () == Same::for_pixel ? rows * move.from.width : rows;
  }
  Place *columns_table () const { return host.as<Place> (); }
  Place *rows_table (int64_t rows, int64_t images) const { return columns_table () + images * columns_of (rows); }

  // Source positions of a row of pixels.
  struct Line {
    std::vector<double> columns, rows;
    std::vector<int32_t> whole;
    std::vector<float> behind;

    explicit Line (int64_t width)
        : columns (static_cast<size_t> (width)), rows (columns.size ()), whole (columns.size ()),
          behind (columns.size ())
    {
    }
    Interval split (const std::vector<double> &places, int64_t count, int64_t extent, Place *to)
    {
      const auto range = split_places (places.data (), count, extent, border, {whole.data (), behind.data ()});
      for (size_t i = 0; i < static_cast<size_t> (count); i++)
        to[i] = {whole[i], behind[i]};
      return range;
    }
  };

  // Fills the tables of the host.
  void fill (int64_t frame, int64_t images, Rows rows)
  {
    const auto width = move.from.width, height = move.from.height, n = rows.size ();
    const bool pixels = move.same () == Same::for_pixel;
    const auto tables = move.same () == Same::in_image ? images : 1;
    down = {};
    std::mutex covering;
    cpu.parallel (tables * n, 16, [&] (int64_t begin, int64_t end) {
      Line line (width);
      Interval range;
      for (auto i = begin; i < end; i++) {
        const auto image = i / n, place = i % n, row = rows.at (place);
        const bool whole_line = pixels || place == 0;
        const auto count = whole_line ? width : 1;
        move.points (frame + image, row, {0, count}, line.columns.data (), line.rows.data ());
        if (whole_line)
          line.split (line.columns, width, width, columns_table () + (pixels ? i : image) * width);
        if (both)
          range = range.cover (
              line.split (line.rows, pixels ? width : 1, height, rows_table (n, tables) + (pixels ? i * width : i)));
      }
      if (both && cubic) {
        const std::lock_guard lock (covering);
        down = down.cover (range);
      }
    });
    tabled = rows;
  }

  void upload (Rows rows, int64_t images)
  {
    hold_transfers (queues.device, queues.upload, last);
    last = {};
    const auto n = rows.size (), tables = move.same () == Same::in_image ? images : 1;
    const auto put = [&] (const cl::Buffer &there, const Place *table, int64_t places, const char *item) {
      const auto bytes = static_cast<size_t> (tables * places) * sizeof (Place);
      require (there, bytes, item);
      queues.upload.enqueueWriteBuffer (there, CL_TRUE, 0, bytes, table);
    };
    put (columns_there, columns_table (), columns_of (n), source_columns);
    if (both)
      put (rows_there, rows_table (n, tables), rows_of (n), source_rows);
  }

  static cl_int as_int (int64_t n) { return static_cast<cl_int> (n); }

  Steps steps (int64_t rows) const
  {
    switch (move.same ()) {
    case Same::in_stream:
      return {.row_row = 1};
    case Same::in_image:
      return {.column_image = as_int (move.from.width), .row_image = as_int (rows), .row_row = 1};
    default:
      return {.column_row = as_int (move.from.width), .row_row = as_int (move.from.width), .row_column = 1};
    }
  }

  Span launch (const Images &from, const cl::Buffer &in, const Images &to, Interval images, Rows band,
               const cl::Buffer &out)
  {
    const auto rows_in = from.rows.size (), rows = band.size (), width = from.width;
    const Source source{.width = as_int (width),
                        .height = as_int (move.from.height),
                        .first = as_int (from.rows.begin),
                        .rows = as_int (rows_in)};
    Interval made = from.rows; // rows of coefficients
    Span all;
    if (cubic) {
      require (half, static_cast<size_t> (images.size () * rows_in * wide (width)) * sizeof (float), half_item);
      along_rows->take (in, source, weights, images.begin, half);
      all = along_rows->enqueue (queues.kernels, wide (width), {images.begin * rows_in, images.end * rows_in});
    }
    if (cubic && both) {
      made = {down.begin - 1, down.end + 2};
      require (plane, static_cast<size_t> (images.size () * made.size () * wide (width)) * sizeof (float), plane_item);
      along_columns->take (half, source, weights, made.begin, made.size (), plane);
      along_columns->enqueue (queues.kernels, wide (width), {0, images.size () * made.size ()});
    }
    sample.take (!cubic ? in
                 : both ? plane
                        : half,
                 source, made.begin, made.size (), columns_there, both ? rows_there : columns_there, steps (rows),
                 images.begin, band.begin, rows, band.begin - to.rows.begin, to.rows.size (), out);
    const auto ran = sample.enqueue (queues.kernels, width, {images.begin * rows, images.end * rows});
    return {all.first () ? all.first : ran.first, ran.last};
  }
};

families::Problem Resampled::problem () const
{
  return resampling_problem (element, interpolation, mixes == Mixes::rows_too);
}

std::unique_ptr<OpenclMove> Resampled::on (const OpenclSite &site) const
{
  return std::make_unique<There> (site, *this);
}

} // namespace sino::move_pixels
