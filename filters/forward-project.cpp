// SPDX-License-Identifier: LGPL-3.0-or-later
// Slices become the projections that a scan of them would give, in any geometry: line integrals along rays.
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include "filters/cone/scan.hpp"
#include "glue/module.hpp"
#include "glue/scan.hpp"
#include "glue/shapes.hpp"
#include "kernels/forward-project/joseph.hpp"
#include <cmath>

namespace sino::forward_project {
namespace {

struct Job {
  std::vector<Detector> detectors; // one per projection
  std::vector<Matrix> matrices;
  Grid grid;
};

class ForwardWorker final : public Worker
{
public:
  ForwardWorker (const Replica &replica, const Job &j) : cpu (replica.cpu), monitor (replica.monitor), job (j) {}

  // All blocks of a work item are open until the last slice is there.
  void run (std::span<Input *const> inputs, Output *output) override
  {
    auto blocks = output->all ();
    for (auto &block : blocks)
      std::fill_n (block.as<float> (), block.values (), 0.0F);
    while (const Block in = inputs[0]->pop ()) {
      transpose (in);
      for (auto &out : blocks)
        add (in, out);
    }
    output->push_all (blocks);
  }

private:
  const Cpu &cpu;
  const Monitor &monitor;
  const Job &job;
  std::vector<float> columns; // of the slices that came last

  void transpose (const Block &in)
  {
    const auto &grid = job.grid;
    columns.resize (static_cast<size_t> (in.values ()));
    cpu.parallel (in.rows ().size (), 1, [&] (int64_t begin, int64_t end) {
      for (auto z = begin; z < end; z++)
        for (int64_t x = 0; x < grid.columns; x++)
          for (int64_t y = 0; y < grid.lines; y++)
            columns[static_cast<size_t> (z * in.line () + x * grid.lines + y)] =
                in.as<float> ()[z * in.line () + y * grid.columns + x];
    });
  }

  // A pixel takes slices in their order, whatever blocks they come in.
  void add (const Block &in, Block &out) const
  {
    const auto rows = out.rows ().size ();
    cpu.parallel (out.angles ().size () * rows, 1, [&] (int64_t begin, int64_t end) {
      Rays rays;
      for (auto i = begin; i < end; i++) {
        monitor.check ();
        const auto angle = static_cast<size_t> (out.angles ().begin + i / rows);
        const auto row = out.rows ().at (i % rows);
        const auto seen = slices_seen (job.grid, job.matrices[angle], {row, row + 1}, in.rows ());
        if (seen.empty ())
          continue;
        const auto &detector = job.detectors[angle];
        find_rays (job.grid, detector, row, rays);
        for (auto z = seen.begin; z < seen.end; z++) {
          const auto at = in.rows ().place (z) * in.line ();
          add_slice (job.grid, z, {in.as<float> () + at, columns.data () + at}, detector, rays,
                     out.as<float> () + out.offset (i / rows, i % rows));
        }
      }
    });
  }
};

class ForwardProject final : public Task
{
public:
  static constexpr Info info{"forward-project", "Project slices in any geometry: line integrals through them"};

  int width = 0, height = 0, size = 0, slices = 0;
  double voxel_size = 0;
  ScanSettings scan;

  static constexpr Range extent{0, 1 << 20};
  static constexpr auto properties = joined (
      std::array{
          prop<&ForwardProject::width> ("width", "Detector columns; 0: as many as a slice has", extent),
          prop<&ForwardProject::height> ("height", "Detector rows; 0: as many as there are slices", extent),
          prop<&ForwardProject::size> (
              "size", "Columns and rows of a whole slice, where a region comes; 0: what comes is whole", extent),
          prop<&ForwardProject::slices> ("slices", "Slices of the whole volume, where some of them come; 0: all come",
                                         extent),
          prop<&ForwardProject::voxel_size> (
              "voxel-size",
              "Edge of a voxel, in the scan's unit; 0: the slices' own, or what a detector column is wide at the axis",
              Range{0, 1e9}),
      },
      group<&ForwardProject::scan> ());

  std::vector<FileStamp> files () const override { return find_stamps ({scan.beam.geometry}); }

  Format negotiate (std::span<const Format *const> inputs) override
  {
    const auto &in = *inputs[0];
    if (in.kind () != Kind::slices || in.element != Element::f32)
      fail (SINO_ERROR_BAD_FORMAT, "wants f32 slices (z, y, x), got %s", in.describe ().c_str ());
    if (in.line () > G_MAXINT32)
      fail (SINO_ERROR_BAD_FORMAT, "slices of more than 2^31 voxels are too large: got %s", in.describe ().c_str ());
    const auto columns = whole ("size", size, "x", in.dim (Axis::x)),
               lines = whole ("size", size, "y", in.dim (Axis::y)),
               depth = whole ("slices", slices, "z", in.dim (Axis::z));
    const auto across = width > 0 ? width : columns, down = height > 0 ? height : depth;
    rows = down;

    const double own = in.geometry ? in.geometry->pixel_size.value_or (0) : 0;
    auto made = scan;
    if (made.beam.source_origin == 0 && made.beam.pixel_size == 0)
      made.beam.pixel_size = own; // in a parallel beam a column is as wide as a voxel
    Format out =
        sino::projections (Element::f32, {Axis::angle, scan.projections}, {Axis::row, down}, {Axis::column, across});
    out.geometry = std::make_shared<const Geometry> (made.geometry (across, down));

    const auto views = cone::views_of (out);
    job = {};
    for (const auto &view : views) {
      step_unless_cancelled ();
      job.matrices.push_back (matrix_of (view));
    }
    double voxel = length (views[0].column) * job.matrices[0][2][3];
    if (voxel_size > 0 || (own > 0 && made.beam.pixel_size > 0))
      voxel = voxel_size > 0 ? voxel_size : own;
    const auto first = [&] (int64_t n, const Dim &dim) {
      return (static_cast<double> (dim.first) + 0.5 - 0.5 * static_cast<double> (n)) * voxel;
    };
    job.grid = {{first (columns, in.dim (Axis::x)), first (lines, in.dim (Axis::y)), first (depth, in.dim (Axis::z))},
                voxel,
                in.extent (Axis::x),
                in.extent (Axis::y)};
    for (const auto &view : views) {
      step_unless_cancelled ();
      job.detectors.push_back (detector_of (view, across, job.grid));
    }
    check_pixels (views, voxel);
    check_depths (in.rows ());
    out.changed_by = in.changed_by;
    out.mark_changed (info.name);
    return out;
  }

  Rows demand (size_t, const Format &input, const Rows &some) const override
  {
    Rows seen;
    for (const auto &matrix : job.matrices)
      seen = seen.cover (slices_seen (job.grid, matrix, some, {0, input.rows ()}));
    return seen.empty () ? Rows{0, 1} : seen;
  }

  bool collects (size_t) const override { return true; }
  void shared_memory (Bill &bill) const override
  {
    add_bytes (bill, "views", job.detectors.size () * (sizeof (Detector) + sizeof (Matrix)));
  }
  void memory (const Sizing &sizing, Bill &bill) const override
  {
    add_bytes (bill, "transposed slices", sizing.input_block[0]);
    add_bytes (bill, "rays of a thread", most_bytes (job.detectors), static_cast<size_t> (sizing.threads));
  }

  double seconds (const Device &, int threads) const override
  {
    double rays = 0;
    for (const auto &detector : job.detectors)
      rays += static_cast<double> (detector.columns * detector.across * detector.down) * static_cast<double> (rows);
    return rays * static_cast<double> (std::max (job.grid.columns, job.grid.lines)) / (2e8 * threads);
  }
  std::string remark (const Device &, int) const override { return "native kernel, ray by ray"; }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    return std::make_unique<ForwardWorker> (replica, job);
  }

private:
  Job job;
  int64_t rows = 0; // of the detector

  // Voxels of the whole volume along an axis.
  static int64_t whole (const char *name, int wanted, const char *axis, const Dim &dim)
  {
    if (dim.step != 1)
      fail (SINO_ERROR_BAD_FORMAT, "wants neighbouring voxels, not every %" G_GINT64_FORMAT "th of axis %s", dim.step,
            axis);
    if (wanted == 0 && dim.first != 0)
      fail (SINO_ERROR_BAD_PROPERTY,
            "the slices begin at %s %" G_GINT64_FORMAT ": give %s=, the voxels of the whole volume", axis, dim.first,
            name);
    if (wanted > 0 && dim.first + dim.extent > wanted)
      fail (SINO_ERROR_BAD_PROPERTY, "%s=%d is less than the slices' %" G_GINT64_FORMAT " voxels along %s", name,
            wanted, dim.first + dim.extent, axis);
    return wanted > 0 ? wanted : dim.extent;
  }

  // A pixel has a ray for each voxel across it.
  void check_pixels (const std::vector<View> &views, double voxel) const
  {
    for (size_t i = 0; i < views.size (); i++) {
      step_unless_cancelled ();
      for (const auto &pixel : {views[i].column, views[i].row})
        if (const double wide = length (pixel) * job.matrices[i][2][3] / voxel; wide > most_rays + 0.25)
          fail (SINO_ERROR_BAD_PROPERTY,
                "a pixel of the detector is as wide as %.4g voxels in the middle of the volume, and %d are the most: "
                "give a larger voxel-size or more columns and rows of a smaller pixel-size",
                wide, most_rays);
    }
  }

  void check_depths (int64_t slices_given) const
  {
    const auto &grid = job.grid;
    for (const auto &matrix : job.matrices)
      for (const int64_t x : {int64_t{-1}, grid.columns})
        for (const int64_t y : {int64_t{-1}, grid.lines})
          for (const int64_t z : {int64_t{-1}, slices_given}) {
            const Vector corner{static_cast<double> (x), static_cast<double> (y), static_cast<double> (z)};
            if (project (matrix, grid.first + grid.size * corner).weight <= 1e-6)
              fail (SINO_ERROR_BAD_PROPERTY,
                    "the source goes through the volume: give a smaller voxel-size or a larger source-origin");
          }
  }
};

} // namespace

SINO_REGISTER (ForwardProject)

} // namespace sino::forward_project
