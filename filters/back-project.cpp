// SPDX-License-Identifier: LGPL-3.0-or-later
// Sinograms become slices: the sum over all projections of what each of them saw of a pixel.
#include "back-project/native.hpp"
#include "back-project/native/stack.hpp"
#include "back-project/opencl/choice.hpp"
#include "back-project/opencl/explain.hpp"
#include "back-project/opencl/kept.hpp"
#include "back-project/opencl/limits.hpp"
#include "back-project/opencl/ways.hpp"
#include "back-project/opencl/worker.hpp"
#include "back-project/words.hpp"
#include "base/angle.hpp"
#include "base/error.hpp"
#include "glue/module.hpp"
#include "reconstruct/device.hpp"
#include "slices/slices.hpp"
#include <map>
#include <mutex>
#include <optional>

namespace {
using namespace sino;
using namespace sino::back_project;
namespace opencl = sino::back_project;

enum class Kernel { automatic, native, reference, texture, local, hybrid, window, blocked };
constexpr Nick<Kernel> kernel_names[] = {{Kernel::automatic, "auto"},      {Kernel::native, "native"},
                                         {Kernel::reference, "reference"}, {Kernel::texture, "texture"},
                                         {Kernel::local, "local"},         {Kernel::hybrid, "hybrid"},
                                         {Kernel::window, "window"},       {Kernel::blocked, "blocked"}};

class BackProject final : public Task, public Tunable
{
public:
  static constexpr Info info{"back-project", "Reconstructs slices from sinograms of a parallel beam"};

  Format negotiate (std::span<const Format *const> inputs) override
  {
    const Format &in = *inputs[0];
    check_sinograms (in, true);
    const auto columns = in.extent (Axis::column);
    const auto axis_positions = axis_from (axis, *in.geometry, columns);
    rays = make_rays (in.geometry->angles, axis_positions, radians (angle_offset), weights);
    job = {.bins = nullptr,
           .half = in.element == Element::f16,
           .lanes = 1,
           .size = columns,
           .rays = rays,
           .interpolation = interpolation,
           .precision = Precision::single,
           .mask = mask,
           .roi = region (columns, roi_x, roi_y, roi_width, roi_height)};
    rows = in.rows ();
    choices = std::make_shared<Choices> ();
    notes = check_axis (rays, columns, job.roi);
    return slices_of (in, job.roi, info.name);
  }
  std::vector<std::string> warnings () const override { return notes; }

  int wanted_lanes (const Device &device, int) const override
  {
    if (!on_cpu (device))
      return opencl_choice (device, 0).lanes;
    int lanes = best_lanes (); // those without a slice cost as much as those with one
    while (lanes > 1 && lanes / 2 >= rows)
      lanes /= 2;
    return lanes;
  }

  bool takes_lanes () const override { return true; }

  size_t scratch (const Sizing &sizing) const override
  {
    if (on_cpu (sizing.device)) {
      const Job most = native_job (most_lanes);
      return static_cast<size_t> (sizing.threads) * scratch_size (most) + stack_size (most);
    }
    return 0;
  }
  size_t resident () const override { return rays.size () * sizeof (Ray); }

  bool on_device (const Device &device) const override { return !on_cpu (device); }
  size_t device_memory (const Sizing &sizing) const override
  {
    const int lanes = sizing.input_layouts[0].lanes;
    return launcher_memory (single_job (lanes), opencl_choice (sizing.device, lanes).setting,
                            sizing.input_reached ? sizing.input_block[0] : 0,
                            sizing.output_reached ? sizing.output_block : 0);
  }

  double updates_per_row () const override
  {
    return static_cast<double> (job.roi.width * job.roi.height) * static_cast<double> (rays.size ());
  }

  double seconds (const Device &device, int threads) const override
  {
    const reconstruct::Work work{job.size, std::ssize (rays), rows,
                                 static_cast<double> (job.roi.width * job.roi.height), 0};
    return back_projection_seconds (work, reconstruct::machine_of (device, threads, work));
  }

  std::string remark (const Device &device, int lanes) const override
  {
    if (!on_cpu (device)) {
      const auto choice = opencl_choice (device, lanes);
      auto line = text ("%s kernel, OpenCL, %d lane%s, single precision (%s)", choice.setting.text ().c_str (), lanes,
                        lanes == 1 ? "" : "s", choice.origin.c_str ());
      for (const auto &better : choice.rejected)
        line += "; not " + better;
      return line;
    }
    const auto run = native_job (lanes);
    return text ("native kernel, %s, %d lane%s, ", instruction_set (), lanes, lanes == 1 ? "" : "s") + describe (run) +
           (checked (run) ? ", single precision for slices that would err by more than 1e-4" : "");
  }

  const Tunable *tunable () const override { return this; }
  Way reference_way (const Device &) const override { return way_of ({"reference", {}}, rows > 1 ? 4 : 1); }
  // First what runs without tuning: what is kept is as fast at least.
  std::vector<Way> first_ways (const Device &device, int lanes) const override
  {
    const auto usual = opencl_choice (device, lanes);
    auto ways = opencl::first_ways (as_opencl (device), problem_of (single_job (lanes)), rows);
    ways.insert (ways.begin (), way_of (usual.setting, usual.lanes));
    return ways;
  }
  std::vector<Way> ways_near (const Device &device, const Way &way) const override
  {
    return opencl::ways_near (as_opencl (device), problem_of (single_job (way.lanes)), way);
  }
  std::vector<Way> usual_ways (const Device &device) const override
  {
    return opencl::usual_ways (as_opencl (device).facts (), problem_of (single_job (0)));
  }
  std::vector<Limit> limits (const Device &device, const Way &way) const override
  {
    const auto found = limits_of (setting_of (way), problem_of (single_job (way.lanes)), as_opencl (device).facts ());
    std::vector<Limit> list;
    for (const auto &limit : {Limit{"texture", found.texture}, Limit{"FMA", found.fma}})
      if (limit.updates > 0)
        list.push_back (limit);
    return list;
  }
  std::string keep_way (const Device &device, const Way &way, bool given) const override
  {
    return keep_choice (as_opencl (device), situation (), setting_of (way), way.lanes, given);
  }
  std::string entry_of (const Device &, const Way &way) const override
  {
    return entry_json (situation (), setting_of (way), way.lanes);
  }

  std::vector<std::string> explain (const Device &device) const override
  {
    if (device.kind == Device::Kind::opencl)
      return explain_choices (as_opencl (device));
    return {text ("native kernel, %s, %d lanes for many slices", instruction_set (), best_lanes ())};
  }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    const int lanes = replica.input_layouts[0].lanes;
    if (!on_cpu (replica.device))
      return opencl_worker (replica, single_job (lanes), opencl_choice (replica.device, lanes).setting);
    const Job run = native_job (lanes);
    return native_worker (replica, run, checked (run) ? automatic_error : 0);
  }

private:
  std::string axis = "auto";
  double angle_offset = 0;
  Interpolation interpolation = Interpolation::linear;
  Wanted precision = Wanted::single;
  Weights weights = Weights::uniform;
  Kernel variant = Kernel::automatic;
  std::string parameters;
  bool mask = false;
  int roi_x = 0, roi_y = 0, roi_width = 0, roi_height = 0;

  // Of a slice's values, root mean square: precision=auto promises 1e-4, and what is expected is right to a quarter.
  static constexpr double automatic_error = 8e-5;

  std::vector<Ray> rays;
  std::vector<std::string> notes; // for people, of the negotiation
  Job job{};
  int64_t rows = 0;

  // By device and lanes, made once: what was planned is what runs, in every replica.
  struct Choices {
    std::mutex mutex;
    std::map<std::pair<std::string, int>, std::optional<Choice>> made;
  };
  std::shared_ptr<Choices> choices;

  const char *word (Kernel kernel) const { return kernel_names[static_cast<size_t> (kernel)].nick; }

  // Whether the native kernel runs there. Throws when the properties ask for what does not.
  bool on_cpu (const Device &device) const
  {
    if (!parameters.empty () && (variant == Kernel::automatic || variant == Kernel::native))
      fail (SINO_ERROR_BAD_PROPERTY,
            "variant-parameters=%s wants variant= with the OpenCL kernel that has them, got %s", parameters.c_str (),
            word (variant));
    const auto unfit = [&] (const char *property, const char *value, const char *way_out) {
      fail (SINO_ERROR_DEVICE, "%s=%s does not run on %s (%s): %s", property, value, device.id.c_str (),
            device.name.c_str (), way_out);
    };
    if (device.kind == Device::Kind::native) {
      if (variant != Kernel::automatic && variant != Kernel::native)
        unfit ("variant", word (variant), "it has 'native'");
      return true;
    }
    if (variant == Kernel::native)
      unfit ("variant", "native", "it has the OpenCL kernels");
    if (precision != Wanted::single && precision != Wanted::automatic)
      unfit ("precision", precision_nicks[static_cast<size_t> (precision)].nick,
             "it computes in single precision: give single or auto, or put half-pack before interleave");
    return false;
  }

  static const OpenclDevice &as_opencl (const Device &device) { return dynamic_cast<const OpenclDevice &> (device); }

  Situation situation () const { return situation_of (problem_of (job), rows); }

  Choice opencl_choice (const Device &device, int lanes) const
  {
    const std::lock_guard guard (choices->mutex);
    auto &choice = choices->made[{device.id, lanes}];
    if (!choice)
      choice = choose (as_opencl (device), problem_of (single_job (lanes)), rows, {word (variant), parameters});
    return *choice;
  }

  Job single_job (int lanes) const
  {
    Job single = job;
    single.lanes = lanes;
    single.rays = rays;
    return single;
  }

  Job native_job (int lanes) const
  {
    Job native = single_job (lanes);
    switch (precision) {
    case Wanted::single:
      break;
    case Wanted::half_storage:
      native.precision = Precision::half_storage;
      break;
    case Wanted::half:
      native.precision = Precision::half;
      break;
    case Wanted::int16:
      native.precision = Precision::int16;
      break;
    case Wanted::automatic: // faster, but where it interpolates
      native.precision = interpolation == Interpolation::linear ? Precision::int16 : Precision::single;
      break;
    }
    return native;
  }

  // Whether slices are looked at, and computed again where they err too much.
  bool checked (const Job &run) const
  {
    return precision == Wanted::automatic && holding (run).sample == Sample::pairs;
  }

public:
  static constexpr Property properties[] = {
      prop<&BackProject::axis> ("axis", axis_blurb),
      prop<&BackProject::angle_offset> ("angle-offset", angle_offset_blurb),
      prop<&BackProject::interpolation> ("interpolation", interpolation_blurb, interpolation_nicks),
      prop<&BackProject::precision> ("precision", precision_blurb, precision_nicks),
      prop<&BackProject::weights> ("weights", weights_blurb, weight_nicks),
      prop<&BackProject::variant> ("variant",
                                   "Implementation of the kernel: auto (what is fastest on the device), native (CPU), "
                                   "or one of those in OpenCL: "
                                   "reference, texture, local, hybrid, window, blocked",
                                   kernel_names),
      prop<&BackProject::parameters> (
          "variant-parameters",
          "Parameters of an OpenCL kernel, as PIXELS=8,CACHED=4; those not named have their usual values"),
      prop<&BackProject::mask> ("mask", mask_blurb),
      prop<&BackProject::roi_x> ("roi-x", roi_x_blurb, roi_range),
      prop<&BackProject::roi_y> ("roi-y", roi_y_blurb, roi_range),
      prop<&BackProject::roi_width> ("roi-width", roi_width_blurb, roi_range),
      prop<&BackProject::roi_height> ("roi-height", roi_height_blurb, roi_range),
  };
};

SINO_REGISTER (BackProject)

} // namespace
