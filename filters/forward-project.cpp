// SPDX-License-Identifier: LGPL-3.0-or-later
// Computes the projections that a scan of the slices would give, in any geometry: line integrals along rays.
#include "base/error.hpp"
#include "device/devices.hpp"
#include "families/choice.hpp"
#include "filters/cone/scan.hpp"
#include "filters/cone/sums.hpp"
#include "filters/cone/volume.hpp"
#include "filters/forward-project/opencl/family.hpp"
#include "filters/forward-project/opencl/launcher.hpp"
#include "filters/forward-project/speed.hpp"
#include "filters/point/opencl-elements.hpp"
#include "filters/projector/projector.hpp"
#include "glue/facets.hpp"
#include "glue/module.hpp"
#include "glue/scan.hpp"
#include "glue/shapes.hpp"
#include "glue/workers/kernel-properties.hpp"
#include <optional>

namespace sino::forward_project {
namespace {
using projector::Projector;

// The slices that rows of the detector see; one if there are none.
Rows slices_for (const Projector &projector, const Rows &rows)
{
  const auto seen = projector.slices_seen (rows);
  return seen.empty () ? Rows{0, 1} : seen;
}

class OnDevice final : public Worker
{
public:
  OnDevice (const Replica &replica, const Projector &p, const families::Setting &setting)
      : projector (p), launcher (as_opencl (replica.device), replica.monitor, {p.volume (), p.views ()}, setting,
                                 replica.memory, &replica.counters)
  {
  }

  // The sums of all rays of a work item stay in the device's memory until all slices are added.
  void run (std::span<Input *const> inputs, Output *output) override
  {
    launcher.begin (output->rows (), slices_for (projector, output->rows ()));
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
  const Projector &projector;
  Launcher launcher;
};

class ForwardProject final : public Task, public Holds
{
public:
  static constexpr Info info{"forward-project", "Compute projections of slices in any geometry, as line integrals"};
  static constexpr Signature signature{.takes = {Kind::slices, Element::f32},
                                       .gives = {Kind::projections},
                                       .integers = "put 'calculate expression=x' before it"};

  int width = 0, height = 0, size = 0, slices = 0;
  double voxel_size = 0;
  bool same_scan = false;
  ScanSettings scan;
  families::Use opencl{family ()};

  static constexpr Range extent{0, 1 << 20};
  static constexpr auto properties = joined (
      std::array{
          prop<&ForwardProject::width> ("width", "Detector columns; 0: as many as a slice has", extent),
          prop<&ForwardProject::height> ("height", "Detector rows; 0: as many as there are slices", extent),
          prop<&ForwardProject::size> (
              "size", "Columns and rows of a whole slice, if the input is a region; 0: the input is whole", extent),
          prop<&ForwardProject::slices> (
              "slices", "Slices of the whole volume, if the input is some of them; 0: the input has all", extent),
          prop<&ForwardProject::voxel_size> ("voxel-size",
                                             "Edge of a voxel, in the scan's unit; 0: that of the slices, or the width "
                                             "of a detector column at the axis",
                                             Range{0, 1e9}),
          prop<&ForwardProject::same_scan> (
              "same-scan", "Compute the projections of the scan that the slices were reconstructed from, instead of "
                           "those that the other properties describe"),
      },
      group<&ForwardProject::scan> (), kernel_properties<&ForwardProject::opencl> ());

  std::vector<FileStamp> files () const override { return find_stamps ({scan.beam.geometry}); }

  Format negotiate (std::span<const Format *const> inputs) override
  {
    const auto &in = *inputs[0];
    if (in.line () > G_MAXINT32)
      fail (SINO_ERROR_BAD_FORMAT, "slices of more than 2^31 voxels are too large: got %s", in.describe ().c_str ());
    Box box{part ("size", size, in.dim (Axis::x), "x"), part ("size", size, in.dim (Axis::y), "y"), {}};
    Format out = same_scan ? scan_of_slices (in, box) : own_scan (in, box);
    rows = out.rows ();

    const double own = in.geometry ? in.geometry->pixel_size.value_or (0) : 0;
    const auto views = cone::views_of (out);
    double voxel = cone::usual_voxel (views[0]);
    if (voxel_size > 0 || (own > 0 && out.geometry->pixel_size))
      voxel = voxel_size > 0 ? voxel_size : own;
    projector.emplace (views, out.line (), cone::volume_of (voxel, box.x, box.y, box.z));
    if (const double wide = projector->widest_pixel (); wide > most_rays + 0.25)
      fail (SINO_ERROR_BAD_PROPERTY,
            "a pixel of the detector is %.4g voxels wide in the middle of the volume, and at most %d are allowed: give "
            "a larger voxel-size or more columns and rows of a smaller pixel-size",
            wide, most_rays);
    if (projector->least_depth () <= 1e-6)
      fail (SINO_ERROR_BAD_PROPERTY,
            "the source moves through the volume: give a smaller voxel-size or a larger source-origin");
    opencl.negotiated (problem_of (job ()));
    out.changed_by = in.changed_by;
    out.mark_changed (info.name);
    return out;
  }

  Rows demand (size_t, const Format &, const Rows &some) const override { return slices_for (*projector, some); }

  bool collects (size_t) const override { return true; }
  bool fills_late (const Device &device) const override { return on_device (device); }
  const families::Use *kernels () const override { return &opencl; }
  void shared_memory (Bill &bill) const override { add_bytes (bill, "views", projector->bytes ()); }
  void memory (const Sizing &sizing, Bill &bill) const override
  {
    if (on_device (sizing.device))
      return Launcher::memory (as_opencl (sizing.device), job (), opencl.choice (sizing.device, 1).setting,
                               {sizing.item_rows, sizing.input_rows, sizing.input_reached ? 0 : sizing.input_block[0],
                                sizing.output_reached ? 0 : sizing.output_block},
                               bill);
    add_bytes (bill, "slices that are added together", projector->forward_work_bytes (sizing.input_block[0]));
    add_bytes (bill, "rays of a thread", projector->forward_thread_bytes (), static_cast<size_t> (sizing.threads));
  }

  double updates_per_row () const override
  {
    const auto &volume = projector->volume ();
    return projector->rays_per_row () * static_cast<double> (std::max (volume.columns, volume.lines));
  }
  double seconds (const Device &device, int threads) const override
  {
    const auto &place = on_device (device) ? device : *native_device ();
    return updates_per_row () * static_cast<double> (rows) / updates_per_second (place, threads, projector->manner ());
  }
  std::string remark (const Device &device, int) const override
  {
    if (on_device (device))
      return opencl.remark (device, 1);
    return projector->manner () == projector::Manner::rays ? "native kernel, ray by ray"
                                                           : "native kernel, a column of pixels at a time";
  }
  std::vector<std::string> explain (const Device &device) const override
  {
    if (auto native = point::explain_doubles (device); !native.empty ())
      return native;
    if (device.kind == Device::Kind::opencl)
      return opencl.explain (device);
    return {"native kernel, a column of pixels at a time if these are parallel to z, with rows in the direction of +z, "
            "otherwise ray by ray"};
  }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    if (on_device (replica.device))
      return std::make_unique<OnDevice> (replica, *projector, opencl.choice (replica.device, 1).setting);
    auto work = std::make_shared<Projector::Work> (replica.cpu, replica.monitor);
    return std::make_unique<cone::Sums> (
        [this, work] (const Block &in, std::span<Block> out) { projector->forward (in, out, *work); },
        [this, work] (std::span<Block> out) { projector->finish (out, *work); });
  }

private:
  std::optional<Projector> projector;
  int64_t rows = 0; // rows of the detector

  Job job () const { return {projector->volume (), projector->views ()}; }
  bool on_device (const Device &device) const override { return point::runs_in_doubles (opencl, device); }

  struct Box {
    cone::Part x, y, z;
  };

  // The scan that the properties describe.
  Format own_scan (const Format &in, Box &box) const
  {
    box.z = part ("slices", slices, in.dim (Axis::z), "z");
    const auto across = width > 0 ? width : box.x.all, down = height > 0 ? height : box.z.all;
    auto made = scan;
    if (made.beam.source_origin == 0 && made.beam.pixel_size == 0 && in.geometry)
      made.beam.pixel_size = in.geometry->pixel_size.value_or (0); // in a parallel beam a column is as wide as a voxel
    Format out =
        sino::projections (Element::f32, {Axis::angle, scan.projections}, {Axis::row, down}, {Axis::column, across});
    auto geometry = made.geometry (across, down);
    geometry.in_mm = in.geometry && in.geometry->in_mm && geometry.pixel_size; // lengths of both have the same unit
    out.geometry = std::make_shared<const Geometry> (std::move (geometry));
    return out;
  }

  // The scan that the slices were reconstructed from. In a parallel beam each slice belongs to a row.
  Format scan_of_slices (const Format &in, Box &box) const
  {
    const ForwardProject usual;
    const auto names_kernel = [] (std::string_view name) { return name == "variant" || name == "variant-parameters"; };
    for (const auto &property : properties)
      if (const auto word = property.word (property, this); std::string_view (property.name) != "same-scan" &&
                                                            !names_kernel (property.name) &&
                                                            word != property.word (property, &usual))
        fail (SINO_ERROR_BAD_PROPERTY, "same-scan=true takes the geometry of the slices' scan: leave out %s=%s",
              property.name, word.c_str ());
    if (!in.scan)
      fail (SINO_ERROR_BAD_FORMAT, "same-scan=true wants slices directly from a reconstruction: the scan of these is "
                                   "not known; give angles=, projections= and the other properties instead");
    const auto &z = in.dim (Axis::z);
    if (in.scan->geometry->views.empty ()) {
      const auto &row = in.scan->dim (Axis::row);
      if (z.first != row.first || z.step != row.step || z.extent != row.extent)
        fail (SINO_ERROR_BAD_FORMAT, "same-scan=true wants a slice for each row of the scan, got %s",
              in.describe ().c_str ());
      box.z = {z.extent, 0, z.extent};
    } else
      box.z = part ("slices", slices, z, "z");
    Format out = sino::projections (Element::f32, in.scan->dim (Axis::angle), in.scan->dim (Axis::row),
                                    in.scan->dim (Axis::column));
    out.geometry = in.scan->geometry;
    return out;
  }

  // Returns the range of voxels that the input has along an axis of the volume.
  static cone::Part part (const char *name, int wanted, const Dim &dim, const char *axis)
  {
    if (dim.step != 1)
      fail (SINO_ERROR_BAD_FORMAT, "wants neighbouring voxels, got every %" G_GINT64_FORMAT "th of axis %s", dim.step,
            axis);
    if (wanted == 0 && dim.first != 0)
      fail (SINO_ERROR_BAD_PROPERTY,
            "the slices begin at %s %" G_GINT64_FORMAT ": set %s= to the voxels of the whole volume", axis, dim.first,
            name);
    if (wanted > 0 && dim.first + dim.extent > wanted)
      fail (SINO_ERROR_BAD_PROPERTY, "%s=%d is less than the slices' %" G_GINT64_FORMAT " voxels along %s", name,
            wanted, dim.first + dim.extent, axis);
    return {wanted > 0 ? wanted : dim.extent, dim.first, dim.extent};
  }
};

} // namespace

SINO_REGISTER (ForwardProject)

} // namespace sino::forward_project
