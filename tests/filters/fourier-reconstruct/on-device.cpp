// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tests/filters/fourier-reconstruct/on-device.hpp"
#include "filters/fourier-reconstruct/opencl/family.hpp"
#include "filters/fourier-reconstruct/opencl/problem.hpp"
#include "kernels/fourier-reconstruct/native/reconstruct.hpp"

namespace sino::test {

namespace {

// In double on the host.
class ByHand final : public fourier_reconstruct::PlainTransforms
{
public:
  ByHand (const fourier_reconstruct::OpenclPlan &p, const fourier_reconstruct::Batches &b) : plan (p), batches (b) {}

  void rows (const cl::CommandQueue &queue, const cl::Buffer &lines) override
  {
    run (queue, lines, plan.gridding.padded, batches.rays, -1);
  }
  void grid (const cl::CommandQueue &queue, const cl::Buffer &lines) override
  {
    run (queue, lines, plan.gridding.grid, batches.columns, 1);
  }

private:
  const fourier_reconstruct::OpenclPlan &plan;
  const fourier_reconstruct::Batches &batches;

  void run (const cl::CommandQueue &queue, const cl::Buffer &lines, int64_t length, int64_t count, double sign) const
  {
    const auto n = static_cast<size_t> (length), all = static_cast<size_t> (count * batches.slices / 2) * n;
    std::vector<std::complex<float>> values (all);
    queue.enqueueReadBuffer (lines, CL_TRUE, 0, all * sizeof values[0], values.data ());
    std::vector<std::complex<double>> roots;
    for (size_t i = 0; i < n; i++)
      roots.push_back (
          std::polar (1.0, sign * 2 * std::numbers::pi * static_cast<double> (i) / static_cast<double> (n)));
    std::vector<std::complex<float>> out (n);
    for (size_t line = 0; line < all; line += n) {
      for (size_t k = 0; k < n; k++) {
        std::complex<double> sum = 0;
        for (size_t i = 0; i < n; i++)
          sum += std::complex<double> (values[line + i]) * roots[i * k % n];
        out[k] = std::complex<float> (sum);
      }
      std::copy (out.begin (), out.end (), values.begin () + static_cast<std::ptrdiff_t> (line));
    }
    queue.enqueueWriteBuffer (lines, CL_TRUE, 0, all * sizeof values[0], values.data ());
  }
};

back_project::Roi region_of (const Setup &setup)
{
  return setup.roi.width > 0 ? setup.roi : back_project::Roi{0, 0, setup.size, setup.size};
}

} // namespace

DeviceScan::DeviceScan (const Setup &setup)
    : NoiseScan (setup.rows, setup.projections, setup.size, static_cast<unsigned> (setup.size + setup.projections))
{
  std::mt19937 random (7);
  const auto number = [&random] (double low, double high) { return low + (high - low) * random () * 0x1p-32; };
  if (setup.object)
    see_object ();
  for (size_t k = 0; k < angles.size (); k++) {
    if (!setup.object)
      axis[k] = static_cast<double> (columns) * number (0.2, 0.8);
    const auto weight = static_cast<float> (setup.object ? weights[k] : number (0.5, 1.5));
    weights[k] = static_cast<double> (weight);
    rays.push_back ({std::cos (angles[k]), std::sin (angles[k]), axis[k] - 0.5, weight});
  }
}

// Discs, whose chords are what is seen.
void DeviceScan::see_object ()
{
  struct Disc {
    double x, y, radius, density; // in halves of the width
  };
  constexpr Disc discs[] = {{0.05, -0.02, 0.85, 1}, {0.3, 0.2, 0.2, 0.5}, {-0.4, 0.1, 0.15, -0.7}, {0.1, -0.5, 0.1, 1}};
  const double half = 0.5 * static_cast<double> (columns);
  for (int64_t k = 0; k < projections (); k++) {
    const double angle = std::numbers::pi * static_cast<double> (k) / static_cast<double> (projections ());
    angles[static_cast<size_t> (k)] = angle;
    for (int64_t i = 0; i < rows * columns; i++) {
      const auto row = i / columns, column = i % columns;
      const double u = (static_cast<double> (column) + 0.5) / half - 1;
      double seen = 0;
      for (const auto &disc : discs) {
        const double off = u - disc.x * std::cos (angle) + disc.y * std::sin (angle);
        seen += disc.density * 2 * std::sqrt (std::max (disc.radius * disc.radius - off * off, 0.0));
      }
      values[static_cast<size_t> ((row * projections () + k) * columns + column)] = static_cast<float> (seen);
    }
  }
}

std::vector<float> DeviceScan::bins (int64_t row, int lanes) const
{
  std::vector<float> bins (static_cast<size_t> (projections () * columns * lanes), 1e30F); // also where there is no row
  for (int64_t k = 0; k < projections (); k++)
    for (int64_t column = 0; column < columns; column++)
      for (int lane = 0; lane < lanes && row + lane < rows; lane++)
        bins[static_cast<size_t> ((k * columns + column) * lanes + lane)] =
            static_cast<float> (value (row + lane, k, column));
  return bins;
}

fourier_reconstruct::Job job_of (const Setup &setup, const DeviceScan &scan)
{
  const auto window = setup.bare ? ramp_filter::Window::ram_lak : ramp_filter::Window::sinc;
  return {.size = setup.size,
          .rays = scan.rays,
          .filter = {window, 1, 2, 1.5, 1},
          .edge = setup.edge,
          .halves = setup.halves,
          .width = setup.width,
          .mask = setup.mask,
          .roi = region_of (setup)};
}

Slices reconstruct (const OpenclDevice &device, const Setup &setup, const DeviceScan &scan, const Monitor &monitor)
{
  const auto job = job_of (setup, scan);
  const auto plan = setup.split > 0 ? std::make_shared<fourier_reconstruct::OpenclPlan> (job, setup.split)
                                    : std::make_shared<fourier_reconstruct::OpenclPlan> (job);
  auto gridding = plan->gridding;
  gridding.set_filter (job.filter, [] (int64_t n, auto body) { body (0, n); });
  const families::Setting setting{&fourier_reconstruct::family ().kernels[0],
                                  {{"FFT", setup.own || setup.by_hand ? 1 : 0}}};
  fourier_reconstruct::Batches batches (*plan, setup.at_once > 0 ? setup.at_once : std::clamp (setup.lanes, 2, 16),
                                        transforms_for (device.facts (), *plan, setting));
  if (setup.batch > 0) {
    batches.rays = std::min (batches.rays, setup.batch);
    batches.columns = std::min (batches.columns, setup.batch * fourier_reconstruct::tile_side);
  }
  auto transforms = setup.by_hand ? std::make_unique<ByHand> (*plan, batches) : nullptr;
  Bill bill;
  fourier_reconstruct::OpenclReconstruction::memory (device, *plan, setup.lanes, batches, 0, 0, bill);
  Allotment memory (bill);
  fourier_reconstruct::OpenclReconstruction reconstruction (
      {device, monitor, plan, setup.lanes, batches, setting, memory}, gridding, std::move (transforms));
  const auto pixels = static_cast<size_t> (job.roi.width * job.roi.height);
  Slices slices (static_cast<size_t> (scan.rows), std::vector<float> (pixels, -1));
  for (int64_t row = 0; row < scan.rows; row += setup.lanes) {
    auto bins = scan.bins (row, setup.lanes);
    std::vector<MemoryPiece> places;
    for (auto r = row; r < std::min (row + setup.lanes, scan.rows); r++)
      places.push_back ({reinterpret_cast<std::byte *> (slices[static_cast<size_t> (r)].data ())});
    reconstruction.run ({reinterpret_cast<std::byte *> (bins.data ())}, places);
  }
  reconstruction.wait ();
  return slices;
}

Slices reconstruct_natively (const Setup &setup, const DeviceScan &scan)
{
  using namespace fourier_reconstruct;
  const auto job = job_of (setup, scan);
  const Monitor monitor;
  const Cpu cpu (1, monitor);
  StackPlan stack (job);
  stack.gridding.set_filter (job.filter, [] (int64_t n, auto body) { body (0, n); });
  Bill bill, of_thread;
  Reconstructor::memory (stack, bill, of_thread);
  add_for_each (bill, of_thread, 1);
  Allotment memory (bill);
  Reconstructor reconstructor (stack, memory);
  const int lanes = stack_lanes ();
  Slices slices (static_cast<size_t> (scan.rows),
                 std::vector<float> (static_cast<size_t> (job.roi.width * job.roi.height)));
  for (int64_t row = 0; row < scan.rows; row += lanes) {
    const auto bins = scan.bins (row, lanes);
    std::vector<float *> out;
    for (auto r = row; r < std::min (row + lanes, scan.rows); r++)
      out.push_back (slices[static_cast<size_t> (r)].data ());
    reconstructor.run (cpu, monitor, {bins.data (), lanes, static_cast<int> (out.size ())}, out);
  }
  return slices;
}

double difference (const Setup &setup, const Slices &slices, const Slices &expected)
{
  const auto roi = region_of (setup);
  RelativeError error;
  for (size_t row = 0; row < slices.size (); row++)
    for (int64_t i = 0; i < roi.width * roi.height; i++)
      if (back_project::in_circle (setup.size, roi.x + i % roi.width, roi.y + i / roi.width))
        error.add (static_cast<double> (slices[row][static_cast<size_t> (i)]),
                   static_cast<double> (expected[row][static_cast<size_t> (i)]));
  return error.value ();
}

FourierTruth truth_of (const Setup &setup, const DeviceScan &scan)
{
  const auto window = [&setup] (double frequency) {
    const double x = std::numbers::pi * frequency / 2;
    return setup.bare || x == 0 ? 1 : std::pow (std::sin (x) / x, 1.5);
  };
  return {scan, fourier_reconstruct::least_padding (setup.size, scan.rays), window, setup.edge};
}

double error_of (const Setup &setup, const FourierTruth &truth, int64_t row, const std::vector<float> &slice)
{
  const auto roi = region_of (setup);
  RelativeError error;
  const auto *got = slice.data ();
  for (auto y = roi.y; y < roi.y + roi.height; y++)
    for (auto x = roi.x; x < roi.x + roi.width; x++, got++)
      if (truth.scan.in_circle (x, y))
        error.add (static_cast<double> (*got), truth.slice (row, x, y));
      else if (setup.mask)
        g_assert_cmpfloat (*got, ==, 0);
  return error.value ();
}

} // namespace sino::test
