// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/opencl/easel.hpp"
#include "device/opencl-memory.hpp"
#include "filters/live/opencl/kernels.hpp"
#include "filters/live/opencl/problem.hpp"
#include "filters/live/unit.hpp"
#include <atomic>
#include <cmath>

namespace sino::live {

namespace {

constexpr char kept_item[] = "filtered projections", some_item[] = "rows of some projections",
               other_item[] = "the same rows, after a step", sizes_item[] = "sizes of rows",
               overflown_item[] = "whether halves overflow", images_item[] = "pictures",
               lines_item[] = "rows that lines see", sights_item[] = "sights of a launch";
constexpr size_t most_sights = 256; // of a launch

// Projections in one buffer: a device may allow less than all in one.
int64_t places_of_buffer (const OpenclDevice &device, const Projections &kept, int64_t places)
{
  const auto fit =
      static_cast<int64_t> (device.largest_buffer / (static_cast<size_t> (kept.stride ()) * kept.value_size ()));
  return std::clamp<int64_t> ((fit - 1) / (kept.rows + 1), 1, places);
}

// Projections that are filtered in one go: they come one by one where they are large.
int64_t projections_at_once (const Projections &kept)
{
  constexpr int64_t enough = 1 << 24; // values that keep a device busy
  return std::clamp<int64_t> (enough / (kept.rows * kept.columns), 1, most_at_once);
}

size_t scratch_bytes (const Projections &kept)
{
  return static_cast<size_t> (projections_at_once (kept) * kept.rows * kept.columns) * sizeof (float);
}

// The memory of pictures on the device, which pictures of later planes take again.
class Canvases
{
public:
  struct Canvas {
    cl::Buffer values, lines;
  };
  Canvases (const OpenclDevice &d, Allotment &m) : device (d), memory (m) {}

  Canvas take ()
  {
    const std::lock_guard guard (mutex);
    if (free.empty ())
      return {take_buffer (device, memory, images_item), take_buffer (device, memory, lines_item)};
    auto canvas = std::move (free.back ());
    free.pop_back ();
    return canvas;
  }
  void give_back (Canvas canvas)
  {
    const std::lock_guard guard (mutex);
    free.push_back (std::move (canvas));
  }

private:
  const OpenclDevice &device;
  Allotment &memory;
  std::mutex mutex;
  std::vector<Canvas> free;
};

class DeviceSums final : public Sums
{
public:
  DeviceSums (const OpenclQueues &q, const Projections &k, Canvases &c)
      : queues (q), kept (k), canvases (c), canvas (c.take ()), values (canvas.values), lines (canvas.lines)
  {
  }
  ~DeviceSums () override { canvases.give_back (canvas); }

  void begin (const Plane &p) override
  {
    plane = p;
    const auto seen = kernel_lines (kept, plane);
    queues.device.attempt ([&] {
      fill_zeros (queues.kernels, values, static_cast<size_t> (plane.stride () * plane.height) * sizeof (float));
      queues.kernels.enqueueWriteBuffer (lines, CL_TRUE, 0, seen.size () * sizeof (KernelLine), seen.data ());
    });
  }
  void read (float scale, float *to) override
  {
    const auto bytes = [] (int64_t n) { return static_cast<size_t> (n) * sizeof (float); };
    queues.device.attempt ([&] {
      queues.kernels.enqueueReadBufferRect (values, CL_TRUE, {0, 0, 0}, {0, 0, 0},
                                            {bytes (plane.width), static_cast<size_t> (plane.height), 1},
                                            bytes (plane.stride ()), 0, bytes (plane.width), 0, to);
    });
    for (int64_t i = 0; i < plane.width * plane.height; i++)
      to[i] *= scale;
  }

private:
  const OpenclQueues &queues;
  const Projections &kept;
  Canvases &canvases;
  const Canvases::Canvas canvas;
  Plane plane{};

public:
  const cl::Buffer &values, &lines;
};

class DeviceEasel final : public Easel
{
public:
  DeviceEasel (const OpenclDevice &d, const Keeping &k, const families::Setting &setting, const DeviceFilter *filter,
               Allotment &m)
      : device (d), keeping (k), memory (m), queues (d), uploads (queues, m),
        places (places_of_buffer (d, k.projections, k.places)), sizes (take_buffer (d, m, sizes_item)),
        overflown_there (take_buffer (d, m, overflown_item)), sights (take_buffer (d, m, sights_item)),
        some_rows (take_buffer (d, m, some_item))
  {
    device.attempt ([&] {
      kernels.emplace (device, setting, family_problem (keeping.projections.half, keeping.rows));
      if (filter || !keeping.finite)
        other = take_buffer (device, memory, other_item);
      if (filter)
        rows = ramp_filter::make_rows ({.device = device,
                                        .setting = filter->setting,
                                        .problem = filter->problem,
                                        .width = keeping.projections.columns,
                                        .filter = filter->factors,
                                        .memory = memory});
      for (int64_t from = 0; from < keeping.places; from += places) {
        const auto &buffer = values.emplace_back (take_buffer (device, memory, kept_item));
        fill_zeros (queues.kernels, buffer, keeping.projections.bytes (places));
      }
      queues.kernels.enqueueFillBuffer (overflown_there, cl_int{0}, 0, sizeof (cl_int));
    });
  }

  void take (const Block &in, Interval some) override
  {
    const IdleAfterFailure guard (queues);
    device.attempt ([&] {
      const MemoryPiece from (in);
      const auto &block = uploads.take (from, in.bytes ());
      const auto at_once = projections_at_once (keeping.projections);
      for (auto k = some.begin; k < some.end; k += at_once)
        uploads.until (take (block, in, {k, std::min (k + at_once, some.end)}));
    });
  }

  std::unique_ptr<Sums> sums () override
  {
    return std::make_unique<DeviceSums> (queues, keeping.projections, canvases);
  }

  // Returns when the pictures have them, so that few are under way.
  void add (std::span<const Change> changes) override
  {
    std::vector<std::vector<KernelSight>> under_way;
    cl_int some = 0;
    const IdleAfterFailure guard (queues);
    device.attempt ([&] {
      for (const auto &change : changes)
        for (size_t i = 0; i < change.sights.size ();)
          i += add_some (change, i, under_way);
      cl::Event read;
      queues.kernels.enqueueReadBuffer (overflown_there, CL_FALSE, 0, sizeof some, &some, nullptr, &read);
      queues.kernels.flush ();
      wait_for (read);
      if (some)
        overflow = true;
    });
  }

  double updates_of_step () const override { return 2e7 * units; }
  float unit () const override { return values_unit; }
  bool overflown () const override { return overflow; }

private:
  const OpenclDevice &device;
  const Keeping keeping;
  Allotment &memory;
  OpenclQueues queues;
  Uploads uploads;
  Canvases canvases{device, memory};
  std::optional<Kernels> kernels;
  std::unique_ptr<ramp_filter::OpenclRows> rows;
  const int64_t places; // of a buffer
  std::vector<cl::Buffer> values;
  const cl::Buffer sizes, overflown_there, sights;
  cl::Buffer some_rows, other; // steps go from one to the other
  const double units = device.device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS> ();
  bool has_unit = false;
  std::atomic<float> values_unit{1};
  std::atomic<bool> overflow{false};

  const cl::Buffer &buffer_of (int64_t place) const { return values[static_cast<size_t> (place / places)]; }

  // Returns the last command that uses the block.
  cl::Event take (const cl::Buffer &block, const Block &in, Interval some)
  {
    const auto &kept = keeping.projections;
    auto used = kernels->average (queues.kernels, block, in.offset (in.angles ().place (some.begin), 0),
                                  {keeping.rows, keeping.row_bin}, kept, some.size (), some_rows);
    const auto count = some.size () * kept.rows;
    if (!keeping.finite) {
      kernels->fill (queues.kernels, some_rows, kept.columns, count, other);
      std::swap (some_rows, other);
    }
    if (kept.half && !has_unit)
      find_unit (some);
    if (rows) {
      rows->enqueue (queues.kernels, some_rows, other, count, 1);
      std::swap (some_rows, other);
    }
    for (auto k = some.begin; k < some.end; k++) {
      const auto place = k % keeping.places;
      kernels->keep (queues.kernels, some_rows, some.place (k), kept, kept.offset (place % places, 0),
                     keeping.weights[static_cast<size_t> (k)] / unit (), buffer_of (place), overflown_there);
    }
    queues.kernels.flush ();
    return used;
  }

  // Adds projections from the one at `first` on that lie in the same buffer. Returns their number.
  size_t add_some (const Change &change, size_t first, std::vector<std::vector<KernelSight>> &under_way)
  {
    const auto &kept = keeping.projections;
    const auto &buffer = buffer_of (change.sights[first].place);
    auto &some = under_way.emplace_back ();
    for (auto i = first; i < change.sights.size () && some.size () < most_sights; i++) {
      const auto &sight = change.sights[i];
      if (&buffer_of (sight.place) != &buffer)
        break;
      some.push_back (kernel_sight (sight, *change.plane, kept.offset (sight.place % places, 0)));
    }
    queues.kernels.enqueueWriteBuffer (sights, CL_FALSE, 0, some.size () * sizeof (KernelSight), some.data ());
    const auto &sums = *static_cast<const DeviceSums *> (change.sums);
    kernels->add (queues.kernels, kept, buffer, sights, std::ssize (some), sums.lines, *change.plane, sums.values);
    return some.size ();
  }

  void find_unit (Interval some)
  {
    const auto &kept = keeping.projections;
    std::vector<float> all (static_cast<size_t> (some.size () * kept.rows));
    kernels->sizes (queues.kernels, some_rows, kept.columns, std::ssize (all), sizes);
    queues.kernels.enqueueReadBuffer (sizes, CL_TRUE, 0, all.size () * sizeof (float), all.data ());
    for (int64_t k = 0; k < some.size () && !has_unit; k++) {
      double sum = 0;
      for (int64_t row = 0; row < kept.rows; row++)
        sum += static_cast<double> (all[static_cast<size_t> (k * kept.rows + row)]);
      if (const auto found = unit_for (sum / static_cast<double> (kept.rows * kept.columns) *
                                       static_cast<double> (keeping.weights[static_cast<size_t> (some.at (k))]))) {
        values_unit = *found;
        has_unit = true;
      }
    }
  }
};

} // namespace

void device_memory (const OpenclDevice &device, const Keeping &keeping, const PictureSizes &sizes,
                    const DeviceFilter *filter, size_t block, Bill &bill)
{
  const auto &kept = keeping.projections;
  const auto places = places_of_buffer (device, kept, keeping.places);
  add_buffers (bill, kept_item, kept.bytes (places), static_cast<size_t> (divide_up (keeping.places, places)));
  add_buffers (bill, some_item, scratch_bytes (kept));
  if (filter || !keeping.finite)
    add_buffers (bill, other_item, scratch_bytes (kept));
  add_buffers (bill, sizes_item, static_cast<size_t> (projections_at_once (kept) * kept.rows) * sizeof (float));
  add_buffers (bill, overflown_item, sizeof (cl_int));
  add_buffers (bill, sights_item, most_sights * sizeof (KernelSight));
  add_buffers (bill, images_item, sizes.most_values * sizeof (float), sizes.pictures);
  add_buffers (bill, lines_item, static_cast<size_t> (sizes.most_lines) * sizeof (KernelLine), sizes.pictures);
  if (filter)
    ramp_filter::rows_memory (device, filter->setting, filter->problem, projections_at_once (kept) * kept.rows, bill);
  if (block > 0)
    add_buffers (bill, Uploads::item, block, Staging::slots);
}

std::unique_ptr<Easel> device_easel (const OpenclDevice &device, const Keeping &keeping,
                                     const families::Setting &setting, const DeviceFilter *filter, Allotment &memory)
{
  return std::make_unique<DeviceEasel> (device, keeping, setting, filter, memory);
}

} // namespace sino::live
