// SPDX-License-Identifier: LGPL-3.0-or-later
// Projections become slices: the sum over all projections of what each of them saw of a voxel, in any geometry.
#include "base/error.hpp"
#include "filters/cone/scan.hpp"
#include "filters/cone/volume.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include "kernels/cone-back-project/plain.hpp"
#include <cmath>

namespace {
using namespace sino;
using namespace sino::cone_back_project;

class ConeWorker final : public Worker
{
public:
  ConeWorker (const Replica &replica, const Job &j) : cpu (replica.cpu), job (j) {}

  // All blocks of a work item are open until the last projection is there.
  void run (std::span<Input *const> inputs, Output *output) override
  {
    std::vector<Block> blocks;
    while (Block block = output->next ()) {
      std::fill_n (block.as<float> (), block.values (), 0.0F);
      blocks.push_back (std::move (block));
    }
    while (const Block in = inputs[0]->pop ())
      for (auto &out : blocks)
        add (in, out);
    for (auto &block : blocks) {
      if (std::isfinite (job.radius))
        cut (block);
      output->push (std::move (block));
    }
  }

private:
  const Cpu &cpu;
  const Job &job;

  float *line (Block &out, int64_t i) const { return out.as<float> () + i * job.volume.columns; }

  void add (const Block &in, Block &out) const
  {
    const auto lines = job.volume.lines;
    cpu.parallel (out.rows ().size () * lines, 1, [&] (int64_t begin, int64_t end) {
      for (int64_t angle = 0; angle < in.angles ().size (); angle++) {
        const auto &projection = job.projections[static_cast<size_t> (in.angles ().begin + angle)];
        const Values values{in.as<float> () + in.offset (angle, 0), in.rows (), job.columns};
        for (auto i = begin; i < end; i++)
          if (const auto z = out.rows ().at (i / lines); projection.slices.place (z) >= 0)
            add_line (job.volume, i % lines, z, projection, values, line (out, i));
      }
    });
  }

  // Outside the circle around the axis that the whole slice holds.
  void cut (Block &out) const
  {
    const auto &volume = job.volume;
    for (int64_t i = 0; i < out.rows ().size () * volume.lines; i++)
      for (int64_t x = 0; x < volume.columns; x++) {
        const double dx = volume.first.x + volume.size * static_cast<double> (x),
                     dy = volume.first.y + volume.size * static_cast<double> (i % volume.lines);
        if (dx * dx + dy * dy > job.radius * job.radius)
          line (out, i)[x] = 0;
      }
  }
};

// The part of slices to compute.
struct RegionSettings {
  bool mask = false;
  int roi_x = 0, roi_y = 0, roi_width = 0, roi_height = 0;

  static constexpr auto extent = cone::VolumeSettings::extent;
  static constexpr std::array properties{
      prop<&RegionSettings::mask> ("mask", "Set voxels outside the circle that a slice holds to 0"),
      prop<&RegionSettings::roi_x> ("roi-x", "First column of the slices to compute", extent),
      prop<&RegionSettings::roi_y> ("roi-y", "First row of the slices to compute", extent),
      prop<&RegionSettings::roi_width> ("roi-width", "Columns to compute; 0: up to the last", extent),
      prop<&RegionSettings::roi_height> ("roi-height", "Rows to compute; 0: up to the last", extent),
  };
};

class ConeBackProject final : public Task
{
public:
  static constexpr Info info{"cone-back-project", "Reconstructs slices from filtered projections of any geometry"};

  cone::VolumeSettings settings;
  RegionSettings region;
  static constexpr auto properties = joined (group<&ConeBackProject::settings> (), group<&ConeBackProject::region> ());

  Format negotiate (std::span<const Format *const> inputs) override
  {
    const auto &in = *inputs[0];
    const auto views = cone::views_of (in);
    const auto columns = in.extent (Axis::column);
    const auto size = settings.size > 0 ? settings.size : columns,
               slices = settings.slices > 0 ? settings.slices : in.rows ();
    const auto width = cone::part ("roi-x", region.roi_x, "roi-width", region.roi_width, size),
               height = cone::part ("roi-y", region.roi_y, "roi-height", region.roi_height, size),
               depth = cone::part ("roi-z", settings.roi_z, "roi-depth", settings.roi_depth, slices);
    const auto coverage = cone::coverage_of (in, views);
    const double unit = in.geometry->pixel_size.value_or (1); // that rows were filtered in

    job = {};
    for (const auto &view : views) {
      const double weight = coverage.step * unit * cone::density_of (view);
      job.projections.push_back ({matrix_of (view), weight, {0, depth}});
    }
    const double voxel =
        settings.voxel_size > 0 ? settings.voxel_size : length (views[0].column) * job.projections[0].matrix[2][3];
    const auto first = [&] (int64_t n, int skipped) {
      return (static_cast<double> (skipped) + 0.5 - 0.5 * static_cast<double> (n)) * voxel;
    };
    job.volume = {{first (size, region.roi_x), first (size, region.roi_y), first (slices, settings.roi_z)},
                  voxel,
                  width,
                  height,
                  depth};
    job.columns = columns;
    job.rows = in.rows ();
    job.radius = region.mask ? 0.5 * static_cast<double> (size) * voxel : HUGE_VAL;
    if (coverage.helix)
      cut_turns (coverage);
    for (const auto &projection : job.projections)
      if (least_depth (projection.matrix, {0, depth}) <= 1e-6)
        fail (SINO_ERROR_BAD_PROPERTY, "the source goes through the volume: give a smaller size, slices or voxel-size");

    Format out = sino::slices (Element::f32, {Axis::z, depth, settings.roi_z}, {Axis::y, height, region.roi_y},
                               {Axis::x, width, region.roi_x});
    auto geometry = std::make_shared<Geometry> ();
    if (in.geometry->pixel_size)
      geometry->pixel_size = voxel;
    out.geometry = std::move (geometry);
    out.changed_by = in.changed_by;
    out.mark_changed (info.name);
    return out;
  }

  // Rows that any voxel of the slices is seen on, between the values of which it is read.
  Rows demand (size_t, const Format &, const Rows &slices) const override
  {
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (const auto &projection : job.projections) {
      const auto counted = slices.meet (projection.slices);
      if (counted.empty ())
        continue;
      for (const auto &corner : corners (counted)) {
        const double row = project (projection.matrix, corner).row;
        least = std::min (least, row);
        most = std::max (most, row);
      }
    }
    const auto end = static_cast<double> (job.rows);
    // A row more on either side is for the rounding of positions.
    return {static_cast<int64_t> (std::clamp (std::floor (least - 0.5) - 1, 0.0, end - 1)),
            static_cast<int64_t> (std::clamp (std::floor (most - 0.5) + 3, 1.0, end))};
  }

  bool collects (size_t) const override { return true; }
  void shared_memory (Bill &bill) const override
  {
    add_bytes (bill, "views", job.projections.size () * sizeof (Projection));
  }

  double updates_per_row () const override
  {
    return static_cast<double> (job.volume.columns * job.volume.lines) * static_cast<double> (job.projections.size ());
  }
  double seconds (const Device &, int threads) const override { return updates_per_row () / (1e8 * threads); }
  std::string remark (const Device &, int) const override { return "native kernel, voxel by voxel"; }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    return std::make_unique<ConeWorker> (replica, job);
  }

private:
  Job job{};

  // Each slice has a turn of its own. Turns go along with slices, so those of a projection are neighbours.
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

  // Of the slices' voxels: their middles span a box, and what is seen of it lies between what is seen of its corners.
  std::array<Vector, 8> corners (const Rows &slices) const
  {
    const auto &volume = job.volume;
    std::array<Vector, 8> all;
    for (size_t i = 0; i < 8; i++)
      all[i] = volume.first + volume.size * Vector{i & 1 ? static_cast<double> (volume.columns - 1) : 0.0,
                                                   i & 2 ? static_cast<double> (volume.lines - 1) : 0.0,
                                                   static_cast<double> (i & 4 ? slices.end - 1 : slices.begin)};
    return all;
  }

  double least_depth (const Matrix &matrix, const Rows &slices) const
  {
    double least = HUGE_VAL;
    for (const auto &corner : corners (slices))
      least = std::min (least, project (matrix, corner).weight);
    return least;
  }
};

} // namespace

SINO_REGISTER (ConeBackProject)
