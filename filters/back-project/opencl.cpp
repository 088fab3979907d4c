// SPDX-License-Identifier: LGPL-3.0-or-later
// One group of lanes after the other: upload, launches over rows of the slices, download.
#include "device/opencl.hpp"
#include "back-project/worker.hpp"
#include "base/error.hpp"
#include "opencl/source.hpp"
#include <chrono>
#include <cmath>

namespace sino::back_project {

namespace {

constexpr double launch_seconds = 0.2; // planned; 0.25 is the most that a launch may take
constexpr int64_t group_columns = 16, group_rows = 4;

// The kernel's struct Ray, in units of 2^-40 of a bin.
struct FixedRay {
  cl_long origin, x, y;
  cl_float weight, across, down, unused;
};

std::vector<FixedRay> fixed_rays (const Job &job)
{
  const auto fixed = [] (double bins) { return static_cast<cl_long> (std::llrint (std::ldexp (bins, 40))); };
  const double to_first = 0.5 - 0.5 * static_cast<double> (job.size);
  std::vector<FixedRay> rays;
  for (const auto &ray : job.rays) {
    const double origin = ray.origin + to_first * ray.cos - to_first * ray.sin +
                          (job.interpolation == Interpolation::nearest ? 0.5 : 0.0);
    // So far away no pixel sees a bin; farther would leave the range of the integers.
    const double far = 4 * static_cast<double> (job.size);
    rays.push_back ({fixed (std::clamp (origin, -far, far)), fixed (ray.cos), fixed (-ray.sin), ray.weight,
                     static_cast<float> (ray.cos), static_cast<float> (-ray.sin), 0});
  }
  return rays;
}

std::string options (const Job &job)
{
  return text ("-cl-std=CL1.2 -DLANES=%d%s%s%s", job.lanes, job.half ? " -DHALF" : "",
               job.interpolation == Interpolation::nearest ? " -DNEAREST" : "", job.mask ? " -DMASK" : "");
}

class OpenclWorker final : public SliceWorker
{
public:
  OpenclWorker (const OpenclDevice &d, const Monitor &m, const Job &j)
      : device (d), monitor (m), job (j), bins_size (group_bytes (j)), slice_size (slice_bytes (j))
  {
    const auto largest = std::max (bins_size, slice_size * static_cast<size_t> (job.lanes));
    if (largest > device.largest_buffer)
      fail (SINO_ERROR_MEMORY,
            "%d slices at once need a buffer of %s, but %s (%s) takes at most %s: set 'lanes' of 'interleave' lower",
            job.lanes, bytes_text (static_cast<double> (largest)).c_str (), device.id.c_str (), device.name.c_str (),
            bytes_text (static_cast<double> (device.largest_buffer)).c_str ());
    device.attempt ([this] { prepare (); });
  }

protected:
  void reconstruct (const std::byte *values, std::span<float *const> slices) override
  {
    device.attempt ([&] {
      queue.enqueueWriteBuffer (bins, CL_TRUE, 0, bins_size, values);
      kernel.setArg (8, static_cast<cl_int> (slices.size ()));
      launch (slices.size ());
      for (size_t i = 0; i < slices.size (); i++) {
        monitor.check ();
        queue.enqueueReadBuffer (out, CL_TRUE, i * slice_size, slice_size, slices[i]);
      }
    });
  }

private:
  const OpenclDevice &device;
  const Monitor &monitor;
  Job job;
  size_t bins_size, slice_size;
  cl::CommandQueue queue;
  cl::Kernel kernel;
  cl::Buffer bins, rays, out;
  double updates_per_second = 5e7; // until the first launch was timed: slower than any device

  void prepare ()
  {
    const std::string source = "back-project/reference.cl";
    const auto program = device.build (source, kernels::opencl_source (source), options (job));
    queue = device.queue ();
    kernel = cl::Kernel (program, "back_project");
    bins = cl::Buffer (device.context (), CL_MEM_READ_ONLY, bins_size);
    out = cl::Buffer (device.context (), CL_MEM_WRITE_ONLY, slice_size * static_cast<size_t> (job.lanes));
    auto fixed = fixed_rays (job);
    rays = cl::Buffer (device.context (), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, fixed.size () * sizeof (FixedRay),
                       fixed.data ());
    kernel.setArg (0, bins);
    kernel.setArg (1, rays);
    cl_uint index = 2;
    for (const auto value : {std::ssize (job.rays), job.size, job.roi.x, job.roi.y, job.roi.width, job.roi.height})
      kernel.setArg (index++, static_cast<cl_int> (value));
    kernel.setArg (9, out);
  }

  // Short launches, so that a desktop on the same device stays alive and a cancelled run ends soon.
  void launch (size_t slices)
  {
    const double row = static_cast<double> (job.roi.width) * static_cast<double> (job.rays.size () * slices);
    const auto columns = static_cast<size_t> ((job.roi.width + group_columns - 1) / group_columns * group_columns);
    for (int64_t first = 0, rows = 0; first < job.roi.height; first += rows) {
      monitor.check ();
      const auto groups = static_cast<int64_t> (std::min (updates_per_second * launch_seconds / row, 1e9)) / group_rows;
      const auto left = (job.roi.height - first + group_rows - 1) / group_rows;
      rows = std::clamp<int64_t> (groups, 1, left) * group_rows;
      const auto begin = std::chrono::steady_clock::now ();
      queue.enqueueNDRangeKernel (kernel, cl::NDRange (0, static_cast<size_t> (first)),
                                  cl::NDRange (columns, static_cast<size_t> (rows)),
                                  cl::NDRange (group_columns, group_rows));
      queue.finish ();
      const std::chrono::duration<double> time = std::chrono::steady_clock::now () - begin;
      updates_per_second = row * static_cast<double> (rows) / std::max (time.count (), 1e-6);
    }
  }
};

} // namespace

size_t group_bytes (const Job &job)
{
  return static_cast<size_t> (job.lanes) * job.rays.size () * static_cast<size_t> (job.size) * (job.half ? 2 : 4);
}

size_t slice_bytes (const Job &job)
{
  return static_cast<size_t> (job.roi.width * job.roi.height) * sizeof (float);
}

int opencl_lanes (const Device &device)
{
  return dynamic_cast<const OpenclDevice &> (device).is_gpu ? 4 : 16;
}

size_t opencl_host_memory (const Device &device, const Job &job, size_t input_block)
{
  if (!dynamic_cast<const OpenclDevice &> (device).shares_host_memory)
    return 0;
  Job single = job;
  single.lanes = 1;
  return input_block + input_block / group_bytes (single) * slice_bytes (job);
}

std::unique_ptr<Worker> opencl_worker (const Replica &replica, const Job &job)
{
  return std::make_unique<OpenclWorker> (dynamic_cast<const OpenclDevice &> (replica.device), replica.monitor, job);
}

} // namespace sino::back_project
