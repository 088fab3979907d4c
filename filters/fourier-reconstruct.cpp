// SPDX-License-Identifier: LGPL-3.0-or-later
// Reconstructs slices by gridding in Fourier space: filtered back-projection in N^2 log N operations per slice.
#include "base/error.hpp"
#include "device/devices.hpp"
#include "device/opencl.hpp"
#include "families/choice.hpp"
#include "filters/fourier-reconstruct/native.hpp"
#include "filters/fourier-reconstruct/opencl/family.hpp"
#include "filters/fourier-reconstruct/opencl/problem.hpp"
#include "filters/fourier-reconstruct/opencl/reconstruction.hpp"
#include "filters/fourier-reconstruct/words.hpp"
#include "filters/ramp-filter/words.hpp"
#include "filters/reconstruct/device.hpp"
#include "filters/slice/slices.hpp"
#include "glue/facets.hpp"
#include "glue/module.hpp"
#include "glue/several.hpp"
#include "glue/workers/kernel-properties.hpp"
#include "kernels/fourier-reconstruct/native/reconstruct.hpp"
#include "kernels/peaks/peaks.hpp"
#include <mutex>

namespace sino::fourier_reconstruct {
namespace {
using namespace back_project;
using namespace slice;
using ramp_filter::Window;

class FourierReconstruct final : public Task, public SeveralAtOnce, public WorksAhead
{
public:
  static constexpr Info info{"fourier-reconstruct",
                             "Reconstruct slices from sinograms of a parallel beam in Fourier space"};
  static constexpr Signature signature{.takes = {Kind::sinograms, Element::f32}, .gives = {Kind::slices}};

  Format negotiate (std::span<const Format *const> inputs) override
  {
    const Format &in = *inputs[0];
    check_sinograms (in);
    if (window != Window::none)
      check_not_filtered (in);
    const auto columns = in.extent (Axis::column);
    rays = settings.rays (in);
    job = {.size = columns,
           .rays = rays,
           .filter = {window, ramp.cutoff, ramp.order, ramp.power, in.geometry->pixel_size.value_or (1)},
           .edge = ramp.pads_edges (in),
           .halves = precision == fourier_reconstruct::Holding::half_storage,
           .width = fourier_reconstruct::width_for (grid.accuracy),
           .mask = settings.mask,
           .roi = settings.region (columns)};
    notes = settings.notes (in);
    for (auto &some : {settings.check_sides (in, rays), check_axis (rays, columns, job.roi)})
      notes.insert (notes.end (), some.begin (), some.end ());
    if (!opencl.names_kernel ()) {
      if (fourier_reconstruct::stack_lanes () == 0)
        fail (SINO_ERROR_DEVICE,
              "this CPU does not have the vector instructions that this node needs: use back-project");
      native = fourier_reconstruct::native_memory (job);
    }
    plan = std::make_shared<Plan> ();
    rows = in.rows ();
    opencl.negotiated (fourier_reconstruct::problem_of (job, 0, rows));
    Format out = slice::slices_of (in, job.roi, info.name);
    out.scan = settings.scan_of (in);
    return out;
  }
  std::vector<FileStamp> files () const override { return find_stamps ({settings.axis}); }
  std::vector<std::string> warnings () const override { return notes; }

  Rows demand (size_t, const Format &input, const Rows &wanted) const override { return whole_pairs (wanted, input); }

  bool takes_lanes () const override { return true; }
  int wanted_lanes (const Device &device, int) const override
  {
    if (on_device (device))
      return opencl.choice (device, 0).lanes;
    return lanes_for (rows, fourier_reconstruct::stack_lanes ());
  }

  int blocks_at_once (const Device &, int threads) const override
  {
    return fourier_reconstruct::stacks_at_once (native.sectors, threads);
  }
  void memory (const Sizing &sizing, Bill &bill) const override
  {
    if (!on_device (sizing.device)) {
      bill.insert (bill.end (), native.of_worker.begin (), native.of_worker.end ());
      const auto ahead = divide_up<int64_t> (
          rows_ahead, std::min (sizing.input_layouts[0].lanes, fourier_reconstruct::stack_lanes ()));
      add_for_each (bill, native.of_begun, static_cast<size_t> (std::max<int64_t> (at_once, ahead)));
      add_for_each (bill, native.of_stack, static_cast<size_t> (at_once));
      return add_for_each (bill, native.of_thread, static_cast<size_t> (sizing.threads) * (ahead > 0 ? 2 : 1));
    }
    const int lanes = sizing.input_layouts[0].lanes;
    const bool spare = sizing.input_rows > sizing.item_rows; // rows come in pairs; one row of a pair may not be wanted
    add_bytes (bill, "tiles of the grid", opencl_plan ()->tiles.bytes ());
    fourier_reconstruct::OpenclReconstruction::memory (as_opencl (sizing.device), *opencl_plan (), lanes,
                                                       batches (sizing.device, lanes),
                                                       sizing.input_reached ? sizing.input_block[0] : 0,
                                                       sizing.output_reached && !spare ? sizing.output_block : 0, bill);
  }
  void shared_memory (Bill &bill) const override { add_bytes (bill, "rays", rays.size () * sizeof (Ray)); }

  const families::Use *kernels () const override { return &opencl; }

  // The number of updates that back-projection would need.
  double updates_per_row () const override { return job.roi.pixels () * static_cast<double> (rays.size ()); }

  double seconds (const Device &device, int threads) const override
  {
    return reconstruct::fourier_seconds (work (), machine (device, threads));
  }

  void allow_ahead (int64_t some) override { rows_ahead = some; }
  bool works_ahead (const Device &device) const override { return !on_device (device); }
  double seconds_ahead (const Device &device, int threads) const override
  {
    return reconstruct::spreading_seconds (work (), machine (device, threads));
  }

  std::string remark (const Device &device, int lanes) const override
  {
    if (on_device (device)) {
      const int most = fourier_reconstruct::slices_of (opencl.choice (device, lanes).setting, lanes),
                slices = batches (device, lanes).slices;
      return opencl.remark (device, lanes,
                            text (", kernel of %d x %d cells, %d slices at once%s", job.width, job.width, slices,
                                  slices < most ? ", because the device has too little memory for more" : ""));
    }
    const int whole = fourier_reconstruct::stack_lanes ();
    auto line =
        text ("native kernel, %s, kernel of %d x %d cells",
              fourier_reconstruct::vectors_for (fourier_reconstruct::stack_lanes ()).name, job.width, job.width);
    if (lanes < whole && lanes < rows)
      line += text (", %d of %d lanes used: put 'interleave' before this node", lanes, whole);
    return line;
  }
  std::vector<std::string> explain (const Device &device) const override
  {
    if (device.kind == Device::Kind::opencl)
      return opencl.explain (device);
    return {text ("native kernel, %s, %d slices at once",
                  fourier_reconstruct::vectors_for (fourier_reconstruct::stack_lanes ()).name,
                  fourier_reconstruct::stack_lanes ())};
  }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    if (!on_device (replica.device))
      return native_worker (replica, job, at_once, rows_ahead);
    const int lanes = replica.input_layouts[0].lanes;
    auto gridding = opencl_plan ()->gridding;
    gridding.set_filter (job.filter, [&] (int64_t n, auto body) { replica.cpu.parallel (n, 64, body); });
    const fourier_reconstruct::Reconstructing how{.device = as_opencl (replica.device),
                                                  .monitor = replica.monitor,
                                                  .plan = opencl_plan (),
                                                  .lanes = lanes,
                                                  .batches = batches (replica.device, lanes),
                                                  .setting = opencl.choice (replica.device, lanes).setting,
                                                  .memory = replica.memory,
                                                  .counters = &replica.counters};
    return slice::opencl_slice_worker (std::make_unique<fourier_reconstruct::OpenclReconstruction> (how, gridding));
  }

private:
  SliceSettings settings;
  Window window = Window::sinc;
  ramp_filter::RampSettings ramp;
  fourier_reconstruct::GriddingSettings grid;
  fourier_reconstruct::Holding precision = fourier_reconstruct::Holding::single;
  families::Use opencl{fourier_reconstruct::family ()};

  // Settled by negotiation:
  std::vector<Ray> rays;
  std::vector<std::string> notes; // remarks of the negotiation for the user
  fourier_reconstruct::Job job{};
  int64_t rows = 0;
  int64_t rows_ahead = 0; // set by the plan
  fourier_reconstruct::NativeMemory native;

  // Plan for OpenCL, made once for all replicas when a device needs it, so that the run uses what was planned.
  struct Plan {
    std::once_flag once;
    std::shared_ptr<const fourier_reconstruct::OpenclPlan> made;
  };
  std::shared_ptr<Plan> plan;

  reconstruct::Work work () const
  {
    return {.columns = job.size,
            .projections = std::ssize (rays),
            .slices = rows,
            .pixels = job.roi.pixels (),
            .kernel_width = job.width};
  }
  reconstruct::Machine machine (const Device &device, int threads) const
  {
    return on_device (device) ? reconstruct::machine_of (device, threads, work ())
                              : reconstruct::Machine{threads, peaks::vector_bytes ()};
  }

  const std::shared_ptr<const fourier_reconstruct::OpenclPlan> &opencl_plan () const
  {
    std::call_once (plan->once, [this] { plan->made = std::make_shared<const fourier_reconstruct::OpenclPlan> (job); });
    return plan->made;
  }

  fourier_reconstruct::Batches batches (const Device &on, int lanes) const
  {
    using namespace fourier_reconstruct;
    const auto &device = as_opencl (on);
    const auto &setting = opencl.choice (on, lanes).setting;
    const auto transforms = transforms_for (device.facts (), *opencl_plan (), setting);
    return {*opencl_plan (), slices_at_once (device, *opencl_plan (), slices_of (setting, lanes), transforms),
            transforms};
  }

public:
  static constexpr auto properties = joined (
      group<&FourierReconstruct::settings> (),
      std::array{prop<&FourierReconstruct::window> (
          "window", "Window of the ramp filter; ram-lak: the ramp without a window; none: rows are not filtered",
          ramp_filter::window_nicks)},
      group<&FourierReconstruct::ramp> (), group<&FourierReconstruct::grid> (),
      std::array{prop<&FourierReconstruct::precision> (
          "precision",
          "How the transforms of rows are stored: single, or half-storage (stored as half, added as single), which "
          "takes less memory and adds an error of 5e-5",
          fourier_reconstruct::holding_nicks)},
      kernel_properties<&FourierReconstruct::opencl> ());
};

SINO_REGISTER (FourierReconstruct)

} // namespace

} // namespace sino::fourier_reconstruct
