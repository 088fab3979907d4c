// SPDX-License-Identifier: LGPL-3.0-or-later
// Reconstructs slices from projections of any geometry: a voxel is the sum over all projections of the value at the
// point of the detector where it is seen.
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "device/devices.hpp"
#include "families/choice.hpp"
#include "filters/cone-back-project/mask.hpp"
#include "filters/cone-back-project/native.hpp"
#include "filters/cone-back-project/opencl/adjoint.hpp"
#include "filters/cone-back-project/opencl/family.hpp"
#include "filters/cone-back-project/opencl/launcher.hpp"
#include "filters/cone-back-project/seen-rows.hpp"
#include "filters/cone-back-project/speed.hpp"
#include "filters/cone/scan.hpp"
#include "filters/cone/sums.hpp"
#include "filters/cone/volume.hpp"
#include "filters/forward-project/speed.hpp"
#include "filters/point/opencl-elements.hpp"
#include "filters/projector/projector.hpp"
#include "glue/facets.hpp"
#include "glue/module.hpp"
#include "glue/workers/kernel-properties.hpp"
#include "kernels/cone-back-project/native/lattice.hpp"
#include "kernels/cone-back-project/native/tile.hpp"
#include <cmath>
#include <optional>

namespace sino::cone_back_project {
namespace {
using projector::Projector;

enum class Rounding { single, int16, automatic };
constexpr Nick<Rounding> rounding_nicks[] = {
    {Rounding::single, "single"}, {Rounding::int16, "int16"}, {Rounding::automatic, "auto"}};

enum class Accuracy { automatic, exact, fast };
constexpr Nick<Accuracy> accuracy_nicks[] = {
    {Accuracy::automatic, "auto"}, {Accuracy::exact, "exact"}, {Accuracy::fast, "fast"}};

enum class Weights { fdk, adjoint };
constexpr Nick<Weights> weight_nicks[] = {{Weights::fdk, "fdk"}, {Weights::adjoint, "adjoint"}};

// The part of slices to compute.
struct RegionSettings {
  bool mask = false;
  int roi_x = 0, roi_y = 0, roi_width = 0, roi_height = 0;

  static constexpr auto extent = cone::VolumeSettings::extent;
  static constexpr std::array properties{
      prop<&RegionSettings::mask> ("mask", "Set voxels outside the inscribed circle of a slice to 0"),
      prop<&RegionSettings::roi_x> ("roi-x", "First column of the slices to compute", extent),
      prop<&RegionSettings::roi_y> ("roi-y", "First row of the slices to compute", extent),
      prop<&RegionSettings::roi_width> ("roi-width", "Columns to compute; 0: up to the last", extent),
      prop<&RegionSettings::roi_height> ("roi-height", "Rows to compute; 0: up to the last", extent),
  };
};

// `Kernels`: Launcher or Adjoint.
template <class Kernels> class OnDevice final : public Worker
{
public:
  // `more`: what only one of them needs.
  template <class... More>
  OnDevice (const Replica &replica, const Job &job, const families::Setting &setting, More... more)
      : launcher (as_opencl (replica.device), replica.monitor, job, more..., setting, replica.memory, &replica.counters)
  {
  }

  // All slices of a work item stay in the device's memory until all projections are added.
  void run (std::span<Input *const> inputs, Output *output) override
  {
    launcher.begin (output->rows ());
    while (const Block in = inputs[0]->pop ())
      launcher.add (in);
    launcher.end ();
    while (Block block = output->next ()) {
      launcher.deliver (block);
      output->push (std::move (block));
    }
  }
  void wait () override { launcher.wait (); }

private:
  Kernels launcher;
};

class ConeBackProject final : public Task, public Holds
{
public:
  static constexpr Info info{"cone-back-project", "Reconstruct slices from filtered projections of any geometry"};
  static constexpr Signature signature{.takes = {Kind::projections, Element::f32}, .gives = {Kind::slices}};

  Format negotiate (std::span<const Format *const> inputs) override
  {
    const auto &in = *inputs[0];
    const auto views = cone::views_of (in);
    const auto columns = in.extent (Axis::column);
    const auto size = settings.size > 0 ? settings.size : columns,
               slices = settings.slices > 0 ? settings.slices : in.rows ();
    const auto x = cone::part ("roi-x", region.roi_x, "roi-width", region.roi_width, size),
               y = cone::part ("roi-y", region.roi_y, "roi-height", region.roi_height, size),
               z = cone::part ("roi-z", settings.roi_z, "roi-depth", settings.roi_depth, slices);
    const bool fdk = weights == Weights::fdk;
    const auto coverage = fdk ? cone::coverage_of (in, views) : cone::Coverage{};
    const double unit = in.geometry->pixel_size.value_or (1); // distance between columns that the ramp filter assumed

    job = {};
    job.projections.reserve (views.size ());
    for (size_t i = 0; i < views.size (); i++) {
      step_unless_cancelled ();
      job.projections.push_back (
          {matrix_of (views[i]), fdk ? coverage.steps[i] * unit * cone::density_of (views[i]) : 1});
    }
    const double voxel = settings.voxel_size > 0 ? settings.voxel_size : cone::usual_voxel (views[0]);
    job.volume = cone::volume_of (voxel, x, y, z);
    job.columns = columns;
    job.rows = in.rows ();
    job.radius = region.mask ? 0.5 * static_cast<double> (size) * voxel : HUGE_VAL;
    projector.reset ();
    if (!fdk)
      projector.emplace (views, columns, job.volume);
    if ((fdk ? least_depth (job) : projector->least_depth ()) <= 1e-6)
      fail (SINO_ERROR_BAD_PROPERTY, "the source moves through the volume: give a smaller size, slices or voxel-size");
    check_detector (views, 0.5 * static_cast<double> (size) * voxel, 0.5 * static_cast<double> (slices) * voxel);
    find_kernel (coverage);
    // adjoint: rays meet a voxel up to the middles of its neighbours
    seen = std::make_shared<const SeenRows> (job, fdk ? 0 : 1);

    Format out = sino::slices (Element::f32, {Axis::z, z.extent, z.first}, {Axis::y, y.extent, y.first},
                               {Axis::x, x.extent, x.first});
    auto geometry = std::make_shared<Geometry> ();
    if (in.geometry->pixel_size)
      geometry->pixel_size = voxel;
    geometry->in_mm = in.geometry->in_mm;
    out.geometry = std::move (geometry);
    const bool whole = x.extent == x.all && y.extent == y.all && z.extent == z.all;
    if (whole && (settings.voxel_size == 0 || in.geometry->pixel_size)) // otherwise voxels have no known size and place
      out.scan = in.scan ? in.scan : std::make_shared<const Format> (in);
    out.changed_by = in.changed_by;
    out.mark_changed (info.name);
    out.per_length = fdk;
    return out;
  }

  std::vector<std::string> warnings () const override
  {
    std::vector<std::string> all;
    constexpr char fit[] =
        "detectors whose columns are parallel to z, up to 8 rows per voxel, and fdk weights of whole scans";
    if (precision == Rounding::int16 && !fast)
      all.push_back (text ("precision=int16 is for %s: the CPU computes this scan in single precision", fit));
    if (accuracy == Accuracy::fast && !fast)
      all.push_back (text ("accuracy=fast is for %s: the CPU computes this scan exactly", fit));
    else if (accuracy == Accuracy::fast && grouped < 0.5)
      all.push_back ("accuracy=fast is for many projections of a narrow cone: in this scan neighbouring projections "
                     "differ too much, and most voxels are computed exactly");
    return all;
  }

  Rows demand (size_t, const Format &, const Rows &slices) const override
  {
    if (!fast || slices.empty ())
      return seen->of (job, slices);
    // Integers are scaled to the largest value in all rows that their slab sees, even if a work item holds only a part
    // of the slab.
    const auto rows = seen->of (
        job, manner ().precision == Precision::int16
                 ? slab_slices (job, slices.begin / slab_size).cover (slab_slices (job, (slices.end - 1) / slab_size))
                 : slices);
    return manner ().grouped ? with_rows_around (job, rows) : rows;
  }

  bool collects (size_t) const override { return true; }
  int64_t rows_together (const Device &device) const override
  {
    return on_device (device) ? 1 : projector ? projector->slices_together () : fast ? slab_size : 1;
  }
  bool fills_late (const Device &device) const override { return on_device (device); }
  double share_late (const Device &device) const override
  {
    return on_device (device) && !projector
               ? Launcher::share_late (as_opencl (device), job, opencl.choice (device, 1).setting)
               : 0;
  }
  const families::Use *kernels () const override { return &opencl; }
  bool on_device (const Device &device) const override
  {
    return projector ? point::runs_in_doubles (opencl, device) : Task::on_device (device);
  }

  void memory (const Sizing &sizing, Bill &bill) const override
  {
    if (on_device (sizing.device))
      device_memory (sizing, bill);
    else if (projector) {
      add_bytes (bill, "rays of a thread", projector->adjoint_thread_bytes (), static_cast<size_t> (sizing.threads));
      add_bytes (bill, "rays of neighbouring views", projector->adjoint_work_bytes ());
    } else if (fast)
      native_memory (packed, manner (), sizing, bill);
  }
  void shared_memory (Bill &bill) const override
  {
    add_bytes (bill, "views", job.projections.size () * sizeof (Projection) + (projector ? projector->bytes () : 0));
    add_bytes (bill, "rows that slices are seen on", seen->bytes ());
  }

  double updates_per_row () const override
  {
    int64_t slices = 0; // of all projections
    for (const auto &projection : job.projections)
      slices += projection.slices.meet ({0, job.volume.slices}).size ();
    return static_cast<double> (job.volume.columns * job.volume.lines) * static_cast<double> (slices) /
           static_cast<double> (job.volume.slices);
  }
  double seconds (const Device &device, int threads) const override
  {
    const auto &place = on_device (device) ? device : *native_device ();
    const auto updates = updates_per_row () * static_cast<double> (job.volume.slices);
    if (place.kind == Device::Kind::opencl && as_opencl (place).is_gpu)
      return updates / updates_per_second (as_opencl (place), opencl);
    return updates / (projector ? forward_project::adjoint_updates_per_second (place, threads, projector->manner ())
                                : updates_per_second (place, threads, fast, manner ().precision));
  }
  std::string remark (const Device &device, int) const override
  {
    if (on_device (device))
      return opencl.remark (device, 1);
    if (projector)
      return projector->manner () == projector::Manner::rays ? "native kernel, ray by ray"
                                                             : "native kernel, a column of pixels at a time";
    if (!fast)
      return "native kernel, voxel by voxel";
    return text ("native kernel, %s, %s%s", instruction_set (),
                 manner ().precision == Precision::int16 ? "int16" : "single precision",
                 manner ().grouped ? text (", %.0f %% with grouped views", 100 * grouped).c_str () : "");
  }
  std::vector<std::string> explain (const Device &device) const override
  {
    if (device.kind == Device::Kind::opencl)
      return opencl.explain (device);
    return {text ("native kernel, %s, if the columns of the detector are parallel to z", instruction_set ())};
  }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    if (on_device (replica.device) && projector)
      return std::make_unique<OnDevice<Adjoint>> (replica, job, opencl.choice (replica.device, 1).setting,
                                                  projector->views ());
    if (on_device (replica.device))
      return std::make_unique<OnDevice<Launcher>> (replica, job, opencl.choice (replica.device, 1).setting);
    if (projector)
      return std::make_unique<cone::Sums> (
          [this, work = std::make_shared<Projector::Work> (replica.cpu, replica.monitor)] (
              const Block &in, std::span<Block> out) { projector->adjoint (in, out, *work); },
          [this, &cpu = replica.cpu] (std::span<Block> out) {
            for (auto &slices : out)
              mask (job, cpu, slices);
          });
    return fast ? native_worker (replica, job, manner ()) : plain_worker (replica, job);
  }

private:
  cone::VolumeSettings settings;
  RegionSettings region;
  Rounding precision = Rounding::single;
  Accuracy accuracy = Accuracy::automatic;
  Weights weights = Weights::fdk;
  families::Use opencl{family ()};

  Job job{};
  std::optional<Projector> projector; // only with weights=adjoint
  std::vector<size_t> packed;         // bytes of packed views for each slab; only for the fast kernels
  std::shared_ptr<const SeenRows> seen;
  bool fast = false;  // whether the fast kernels of the CPU fit the scan: they share work between voxels along z
  double grouped = 0; // share of the voxels for which neighbouring views are added together

  Manner manner () const { return {precision == Rounding::int16 ? Precision::int16 : Precision::single, grouped > 0}; }

  void device_memory (const Sizing &sizing, Bill &bill) const
  {
    const auto &setting = opencl.choice (sizing.device, 1).setting;
    // blocks in memory at a time; where memory is short, the pools of the nodes before have fewer
    constexpr size_t in_flight = 16;
    const auto blocks = in_flight * (sizing.input_block[0] + sizing.output_block);
    if (projector)
      return Adjoint::memory (
          as_opencl (sizing.device), job, projector->views (), setting,
          {sizing.input_rows, sizing.item_rows, blocks, sizing.input_reached ? 0 : sizing.input_block[0]}, bill);
    Launcher::memory (as_opencl (sizing.device), job, setting, {sizing.input_rows, sizing.item_rows, blocks}, bill);
  }

  // Throws if a detector stands inside the cylinder that contains the volume.
  static void check_detector (const std::vector<View> &views, double radius, double half_height)
  {
    for (size_t i = 0; i < views.size (); i++) {
      step_unless_cancelled ();
      const auto &view = views[i];
      const auto normal = cross (view.column, view.row);
      const auto [all, to_axis] = distances_of (view);
      const double deep =
          (std::hypot (normal.x, normal.y) * radius + std::abs (normal.z) * half_height) / length (normal);
      if (!view.parallel && to_axis + deep > all)
        fail (SINO_ERROR_BAD_PROPERTY,
              "the detector is inside the volume in projection %zu: it is %.6g behind the axis, and the volume extends "
              "%.6g from the axis: give a smaller size, slices or voxel-size, or correct the distances",
              i, all - to_axis, deep);
    }
  }

  void find_kernel (const cone::Coverage &coverage)
  {
    if (coverage.helix)
      cut_turns (coverage);
    if (const bool gathers = opencl.variant == "gather"; opencl.names_kernel () && gathers != projector.has_value ())
      fail (SINO_ERROR_BAD_PROPERTY,
            gathers ? "variant=%s is for weights=adjoint" : "variant=%s does not have weights=adjoint: leave it out",
            opencl.variant.c_str ());
    fast = !projector && !coverage.helix && steepest (job) <= most_steepest;
    grouped = fast && accuracy == Accuracy::fast ? lattice_share (job) : 0;
    packed = fast ? packed_bytes (job, manner ()) : std::vector<size_t> ();
    auto problem = projector ? adjoint_problem_of (job, projector->views ()) : problem_of (job);
    problem.words["accuracy"] = accuracy == Accuracy::exact;
    opencl.negotiated (std::move (problem));
  }

  // Gives each slice its own turn of the helix. Turns move along with slices, so the slices of a projection are
  // neighbours.
  void cut_turns (const cone::Coverage &coverage)
  {
    for (auto &projection : job.projections)
      projection.slices = {};
    for (int64_t z = 0; z < job.volume.slices; z++) {
      const double place = job.volume.first.z + job.volume.size * static_cast<double> (z);
      const auto turn = cone::turn_around (place, coverage, std::ssize (job.projections));
      for (auto i = turn.begin; i < turn.end; i++) {
        auto &slices = job.projections[static_cast<size_t> (i)].slices;
        slices = slices.cover ({z, z + 1});
      }
    }
  }

public:
  static constexpr auto properties = joined (
      group<&ConeBackProject::settings> (), group<&ConeBackProject::region> (),
      std::array{
          prop<&ConeBackProject::precision> (
              "precision",
              "How projections are stored and added on the CPU: single, int16 (integers scaled for each projection; "
              "error up to 4e-4), or auto (the fastest whose error is at most 1e-4, which is single)",
              rounding_nicks),
          prop<&ConeBackProject::accuracy> (
              "accuracy",
              "auto: on GPUs the fastest kernel (error up to 9.3e-4), on the CPU as exact; exact: on OpenCL devices "
              "only kernels whose error is at most 1e-5; fast: on the CPU neighbouring projections are added together "
              "if they differ little (error 1 to 2 %; for narrow cones), on GPUs as auto",
              accuracy_nicks),
          prop<&ConeBackProject::weights> (
              "weights", "fdk: weights of filtered back-projection; adjoint: the transpose of forward-project",
              weight_nicks)},
      kernel_properties<&ConeBackProject::opencl> ());
};

} // namespace

SINO_REGISTER (ConeBackProject)

} // namespace sino::cone_back_project
