// SPDX-License-Identifier: LGPL-3.0-or-later
// Sinograms become slices by gridding in Fourier space: filtered back-projection in N^2 log N operations a slice.
#include "base/error.hpp"
#include "fourier-reconstruct/native.hpp"
#include "fourier-reconstruct/opencl/together.hpp"
#include "fourier-reconstruct/opencl/worker.hpp"
#include "glue/module.hpp"
#include "opencl/variant.hpp"
#include "peaks/peaks.hpp"
#include "ramp-filter/words.hpp"
#include "reconstruct/estimate.hpp"
#include "slices/slices.hpp"
#include <map>
#include <mutex>
#include <numbers>

namespace {
using namespace sino;
using namespace sino::back_project;
using fourier::Together;
using kernels::Window;

constexpr Nick<Together> together_nicks[] = {{Together::automatic, "auto"},
                                             {Together::two, "2"},
                                             {Together::four, "4"},
                                             {Together::eight, "8"},
                                             {Together::sixteen, "16"}};

class FourierReconstruct final : public Task, public Tunable
{
public:
  static constexpr Info info{"fourier-reconstruct",
                             "Reconstructs slices from sinograms of a parallel beam in Fourier space"};

  Format negotiate (std::span<const Format *const> inputs) override
  {
    const Format &in = *inputs[0];
    check_sinograms (in, false);
    if (window != Window::none)
      check_not_filtered (in);
    const auto columns = in.extent (Axis::column);
    rays = make_rays (in.geometry->angles, axis_from (axis, *in.geometry, columns),
                      angle_offset * std::numbers::pi / 180, weights);
    job = {.size = columns,
           .rays = {},
           .filter = {window, cutoff, order, power, in.geometry->pixel_size.value_or (1)},
           .edge = mode == Padding::edge,
           .width = fourier::width_for (accuracy),
           .mask = mask,
           .roi = region (columns, roi_x, roi_y, roi_width, roi_height)};
    notes = check_axis (rays, columns, job.roi);
    if (variant != Variant::opencl) {
      if (fourier::stack_lanes () == 0)
        fail (SINO_ERROR_DEVICE, "this CPU has no vector instructions that it could use: use back-project");
      memory = fourier::native_memory (job_of_rays ());
    }
    there = std::make_shared<There> ();
    rows = in.rows ();
    return slices_of (in, job.roi, info.name);
  }
  std::vector<std::string> warnings () const override { return notes; }

  // Two rows share complex values, always the same two: their rounding depends on each other.
  Rows demand (size_t, const Format &input, const Rows &wanted) const override
  {
    const auto pairs = [&] (Interval part) {
      return part.empty () ? part : Interval{part.begin / 2 * 2, std::min ((part.end + 1) / 2 * 2, input.rows ())};
    };
    return {pairs (wanted.low ()), pairs (wanted.high ())};
  }

  bool takes_lanes () const override { return true; }
  int wanted_lanes (const Device &device, int) const override
  {
    int lanes = on_device (device) ? group_on (device).slices
                                   : fourier::stack_lanes (); // those without a slice cost as much as those with one
    while (lanes > 1 && lanes / 2 >= rows)
      lanes /= 2;
    return lanes;
  }

  size_t scratch (const Sizing &sizing) const override
  {
    return on_device (sizing.device) ? opencl_plan ()->tiles.bytes ()
                                     : memory.shared + static_cast<size_t> (sizing.threads) * memory.of_thread;
  }
  size_t resident () const override { return rays.size () * sizeof (Ray); }

  bool on_device (const Device &device) const override { return runs_opencl (variant, device); }
  size_t device_memory (const Sizing &sizing) const override
  {
    return fourier::opencl_memory (sizing, *opencl_plan (), group_on (sizing.device).slices);
  }

  // As many as back-projection would take.
  double updates_per_row () const override
  {
    return static_cast<double> (job.roi.width * job.roi.height) * static_cast<double> (rays.size ());
  }

  double seconds (const Device &device, int threads) const override
  {
    if (on_device (device))
      return 0; // not known
    const auto pixels = static_cast<double> (job.roi.width * job.roi.height);
    return reconstruct::fourier_seconds ({job.size, std::ssize (rays), rows, pixels, job.width},
                                         {threads, kernels::vector_bytes ()});
  }

  std::string remark (const Device &device, int lanes) const override
  {
    if (on_device (device))
      return text ("OpenCL kernels, clFFT, kernel of %d x %d cells, %d lane%s, %s", job.width, job.width, lanes,
                   lanes == 1 ? "" : "s", together_text (device, lanes).c_str ());
    const int whole = fourier::stack_lanes ();
    auto line =
        text ("native kernel, %s, kernel of %d x %d cells", fourier::stack_instruction_set (), job.width, job.width);
    if (lanes < whole && lanes < rows)
      line += text (", %d of %d lanes used: put 'interleave' before it", lanes, whole);
    return line;
  }
  std::vector<std::string> explain (const Device &device) const override
  {
    if (device.kind == Device::Kind::opencl)
      return variant_reason (
          variant, device,
          ("OpenCL kernels, clFFT, " + fourier::choose_group (as_opencl (device), together).text ()).c_str ());
    return {text ("native kernel, %s, %d slices at once", fourier::stack_instruction_set (), fourier::stack_lanes ())};
  }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    if (on_device (replica.device))
      return opencl_worker (replica, opencl_plan (), group_on (replica.device).slices);
    return native_worker (replica, job_of_rays ());
  }

  // On OpenCL devices: slices that are worked on together, in as many lanes.
  const Tunable *tunable () const override { return this; }
  Way reference_way (const Device &) const override { return way_of (2); }
  std::vector<Way> first_ways (const Device &, int) const override
  {
    std::vector<Way> ways; // what runs untuned comes first
    for (auto slices = std::rbegin (fourier::group_sizes); slices != std::rend (fourier::group_sizes); ++slices)
      ways.push_back (way_of (*slices));
    return ways;
  }
  std::vector<Way> ways_near (const Device &, const Way &) const override { return {}; }
  std::vector<Way> usual_ways (const Device &device) const override { return first_ways (device, 0); }
  std::vector<Limit> limits (const Device &, const Way &) const override { return {}; }
  std::string keep_way (const Device &device, const Way &way, bool) const override
  {
    return fourier::keep_group (as_opencl (device), way.lanes);
  }
  std::string entry_of (const Device &, const Way &way) const override { return fourier::group_json (way.lanes); }

private:
  std::string axis = "auto";
  double angle_offset = 0;
  Weights weights = Weights::uniform;
  Window window = Window::sinc;
  double power = 1.5, cutoff = 1;
  int order = 2;
  Padding mode = Padding::zero;
  double accuracy = 1e-3;
  bool mask = false;
  int roi_x = 0, roi_y = 0, roi_width = 0, roi_height = 0;
  Variant variant = Variant::automatic;
  Together together = Together::automatic;

  // Settled by negotiation:
  std::vector<Ray> rays;
  std::vector<std::string> notes; // for people, of the negotiation
  fourier::Job job{};
  int64_t rows = 0;
  fourier::NativeMemory memory;

  // Made once, for all replicas, when a device wants it: what was planned is what runs.
  struct There {
    std::once_flag once;
    std::shared_ptr<const fourier::OpenclPlan> plan;
    std::mutex mutex;
    std::map<std::string, fourier::GroupChoice> groups; // by device
  };
  std::shared_ptr<There> there;

  const std::shared_ptr<const fourier::OpenclPlan> &opencl_plan () const
  {
    std::call_once (there->once,
                    [this] { there->plan = std::make_shared<const fourier::OpenclPlan> (job_of_rays ()); });
    return there->plan;
  }

  static const OpenclDevice &as_opencl (const Device &device) { return dynamic_cast<const OpenclDevice &> (device); }

  fourier::GroupChoice group_on (const Device &device) const
  {
    const std::lock_guard guard (there->mutex);
    const auto known = there->groups.find (device.id);
    return known != there->groups.end ()
               ? known->second
               : there->groups.emplace (device.id, fourier::choose_group (as_opencl (device), together)).first->second;
  }

  std::string together_text (const Device &device, int lanes) const
  {
    const auto group = group_on (device);
    const int most = std::clamp (lanes, 2, group.slices),
              slices = fourier::slices_together (as_opencl (device), *opencl_plan (), most);
    return fourier::GroupChoice{slices, slices < most           ? "the device has no memory for more"
                                        : slices < group.slices ? "the lanes there are"
                                                                : group.origin}
        .text ();
  }

  static Way way_of (int slices)
  {
    return {{{"variant", "opencl"}, {"together", text ("%d", slices)}}, slices, text ("%d slices together", slices)};
  }

  fourier::Job job_of_rays () const
  {
    auto whole = job;
    whole.rays = rays;
    return whole;
  }

public:
  static constexpr Property properties[] = {
      prop<&FourierReconstruct::axis> ("axis", axis_blurb),
      prop<&FourierReconstruct::angle_offset> ("angle-offset", angle_offset_blurb),
      prop<&FourierReconstruct::weights> ("weights", weights_blurb, weight_nicks),
      prop<&FourierReconstruct::window> (
          "window", "Window on the ramp; ram-lak: the bare ramp; none: rows are not filtered", window_nicks),
      prop<&FourierReconstruct::power> ("power", power_blurb, power_range),
      prop<&FourierReconstruct::cutoff> ("cutoff", cutoff_blurb, cutoff_range),
      prop<&FourierReconstruct::order> ("order", order_blurb, order_range),
      prop<&FourierReconstruct::mode> ("padding-mode", padding_blurb, padding_nicks),
      prop<&FourierReconstruct::accuracy> (
          "accuracy",
          "Largest root mean square error, relative to back-projection with exact interpolation; 0.001, 0.0002 and "
          "0.00005 make a difference",
          {fourier::best_accuracy, 1}),
      prop<&FourierReconstruct::mask> ("mask", mask_blurb),
      prop<&FourierReconstruct::roi_x> ("roi-x", roi_x_blurb, roi_range),
      prop<&FourierReconstruct::roi_y> ("roi-y", roi_y_blurb, roi_range),
      prop<&FourierReconstruct::roi_width> ("roi-width", roi_width_blurb, roi_range),
      prop<&FourierReconstruct::roi_height> ("roi-height", roi_height_blurb, roi_range),
      prop<&FourierReconstruct::variant> ("variant", variant_blurb, variant_nicks),
      prop<&FourierReconstruct::together> (
          "together",
          "Most slices that an OpenCL device works on together: auto (what sinograph tune found for the device, else "
          "16), 2, 4, 8 or 16; the result is the same, and the CPU's own kernel ignores it",
          together_nicks),
  };
};

SINO_REGISTER (FourierReconstruct)

} // namespace
