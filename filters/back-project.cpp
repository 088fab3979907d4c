// SPDX-License-Identifier: LGPL-3.0-or-later
// Back-projects sinograms into slices: a pixel is the sum of the values that all projections measured on the rays
// through it.
#include "base/error.hpp"
#include "device/devices.hpp"
#include "device/opencl.hpp"
#include "families/choice.hpp"
#include "filters/back-project/native.hpp"
#include "filters/back-project/opencl/family.hpp"
#include "filters/back-project/opencl/launcher.hpp"
#include "filters/back-project/opencl/problem.hpp"
#include "filters/back-project/words.hpp"
#include "filters/reconstruct/device.hpp"
#include "filters/slice/slices.hpp"
#include "glue/module.hpp"
#include "glue/workers/kernel-properties.hpp"
#include "kernels/back-project/native/cell.hpp"
#include "kernels/back-project/native/stack.hpp"

namespace sino::back_project {
namespace {
using namespace slice;

class BackProject final : public Task
{
public:
  static constexpr Info info{"back-project", "Reconstruct slices from sinograms of a parallel beam"};
  static constexpr Signature signature{.takes = {Kind::sinograms, Element::f16 | Element::f32},
                                       .gives = {Kind::slices, Element::f32},
                                       .integers = "put 'flat-field' and 'ramp-filter' before it"};

  Format negotiate (std::span<const Format *const> inputs) override
  {
    const Format &in = *inputs[0];
    check_sinograms (in);
    const auto columns = in.extent (Axis::column);
    rays = settings.rays (in);
    job = {.bins = nullptr,
           .half = in.element == Element::f16,
           .lanes = 1,
           .size = columns,
           .rays = rays,
           .interpolation = bins.interpolation,
           .precision = Precision::single,
           .mask = settings.mask,
           .roi = settings.region (columns)};
    rows = in.rows ();
    opencl.negotiated (problem_of (single_job (0), rows));
    notes = settings.notes (in);
    for (auto &some : {settings.check_sides (in, rays), check_axis (rays, columns, job.roi)})
      notes.insert (notes.end (), some.begin (), some.end ());
    Format out = slices_of (in, job.roi, info.name);
    out.scan = settings.scan_of (in);
    out.per_length = !in.filtered_by.empty ();
    return out;
  }
  std::vector<FileStamp> files () const override { return find_stamps ({settings.axis}); }
  std::vector<std::string> warnings () const override { return notes; }

  int wanted_lanes (const Device &device, int) const override
  {
    if (!on_cpu (device))
      return opencl.choice (device, 0).lanes;
    int lanes = best_lanes (); // lanes without a slice cost as much as lanes with one
    while (lanes > 1 && lanes / 2 >= rows)
      lanes /= 2;
    return lanes;
  }

  // Native kernels give the same bits for any number of lanes, except: kernels for one slice at a time add in another
  // order, and half-precision arithmetic exists for 32 lanes only.
  int fewest_lanes (const Device &device, int lanes) const override
  {
    if (!on_cpu (device) || holding (native_job (lanes)).sample == Sample::differences)
      return lanes;
    return std::min (lanes, 2);
  }

  bool takes_lanes () const override { return true; }

  void memory (const Sizing &sizing, Bill &bill) const override
  {
    const int lanes = sizing.input_layouts[0].lanes;
    if (on_cpu (sizing.device))
      return native_memory (native_job (lanes), checked (native_job (lanes)), sizing.threads, bill);
    Launcher::memory (single_job (lanes), opencl.choice (sizing.device, lanes).setting,
                      sizing.input_reached ? sizing.input_block[0] : 0, sizing.output_reached ? sizing.output_block : 0,
                      bill);
  }
  void shared_memory (Bill &bill) const override { add_bytes (bill, "rays", rays.size () * sizeof (Ray)); }

  const families::Use *kernels () const override { return &opencl; }
  bool on_device (const Device &device) const override { return !on_cpu (device); }

  double updates_per_row () const override { return job.roi.pixels () * static_cast<double> (rays.size ()); }

  double seconds (const Device &device, int threads) const override
  {
    const reconstruct::Work work{.columns = job.size,
                                 .projections = std::ssize (rays),
                                 .slices = rows,
                                 .pixels = job.roi.pixels (),
                                 .kernel_width = 0};
    return back_projection_seconds (work, reconstruct::machine_of (device, threads, work));
  }

  std::string remark (const Device &device, int lanes) const override
  {
    if (!on_cpu (device))
      return opencl.remark (device, lanes, job.half ? ", halves added in single precision" : ", single precision");
    const auto run = native_job (lanes);
    return text ("native kernel, %s, %d lane%s, ", instruction_set (), lanes, lanes == 1 ? "" : "s") + describe (run) +
           (checked (run) ? ", single precision for slices whose error would be more than 1e-4" : "");
  }

  std::vector<std::string> explain (const Device &device) const override
  {
    if (device.kind == Device::Kind::opencl)
      return opencl.explain (device);
    return {text ("native kernel, %s, %d lanes for many slices", instruction_set (), best_lanes ())};
  }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    const int lanes = replica.input_layouts[0].lanes;
    if (!on_cpu (replica.device))
      return slice::opencl_slice_worker (std::make_unique<Launcher> (
          as_opencl (replica.device), replica.monitor, single_job (lanes),
          opencl.choice (replica.device, lanes).setting, replica.memory, &replica.counters));
    const Job run = native_job (lanes);
    return native_worker (replica, run, checked (run) ? automatic_error : 0);
  }

private:
  SliceSettings settings;
  BinSettings bins;
  families::Use opencl{family ()};

  // Largest expected error of a slice, root mean square. precision=auto promises 1e-4; the estimate is exact to 25 %.
  static constexpr double automatic_error = 8e-5;

  std::vector<Ray> rays;
  std::vector<std::string> notes; // remarks of the negotiation for the user
  Job job{};
  int64_t rows = 0;

  // Whether the native kernel computes on this device. Throws if the properties ask for something that it cannot do.
  bool on_cpu (const Device &device) const
  {
    if (!opencl.runs_on (device))
      return true;
    const bool halves = bins.precision == Rounding::half_storage || bins.precision == Rounding::half;
    if (bins.precision != Rounding::single && bins.precision != Rounding::automatic && !(halves && job.half))
      fail (SINO_ERROR_DEVICE,
            "precision=%s does not run on %s (%s), which computes in single precision: give single or auto, or put "
            "half-pack before interleave",
            rounding_nicks[static_cast<size_t> (bins.precision)].nick, device.id.c_str (), device.name.c_str ());
    return false;
  }

  Job single_job (int lanes) const
  {
    Job single = job;
    single.lanes = lanes;
    return single;
  }

  Job native_job (int lanes) const
  {
    Job native = single_job (lanes);
    switch (bins.precision) {
    case Rounding::single:
      break;
    case Rounding::half_storage:
      native.precision = Precision::half_storage;
      break;
    case Rounding::half:
      native.precision = Precision::half;
      break;
    case Rounding::int16:
      native.precision = Precision::int16;
      break;
    case Rounding::automatic: // the faster one; with interpolation: single
      native.precision = bins.interpolation == Interpolation::linear ? Precision::int16 : Precision::single;
      break;
    }
    return native;
  }

  // Whether the error of each slice is estimated, and slices with too large an error are computed again.
  bool checked (const Job &run) const
  {
    return bins.precision == Rounding::automatic && holding (run).sample == Sample::pairs;
  }

public:
  static constexpr auto properties = joined (group<&BackProject::settings> (), group<&BackProject::bins> (),
                                             kernel_properties<&BackProject::opencl> ());
};

SINO_REGISTER (BackProject)

} // namespace

} // namespace sino::back_project
