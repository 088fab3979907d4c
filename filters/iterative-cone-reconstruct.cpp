// SPDX-License-Identifier: LGPL-3.0-or-later
// Reconstructs a volume from projections of a cone or fan beam, or of a tilted parallel beam, by iteration.
#include "base/error.hpp"
#include "base/text.hpp"
#include "filters/cone/volume.hpp"
#include "filters/iterative-cone-reconstruct/metric.hpp"
#include "filters/iterative-cone-reconstruct/worker.hpp"
#include "filters/iterative-reconstruct/words.hpp"
#include "filters/slice/slices.hpp"
#include "glue/facets.hpp"
#include "glue/module.hpp"
#include "kernels/iterate/stack.hpp"
#include <cmath>

namespace sino::iterative_cone_reconstruct {
namespace {
using iterative_reconstruct::IterationSettings;
using slice::check_not_filtered;

constexpr int projections_of_subset = 10;
// Iterations of tv end when one changes the volume by less than `settled`, as a share of its norm.
constexpr int most_iterations = 200;
constexpr double settled = 5e-4;
constexpr Nick<Method> method_nicks[] = {{Method::tv, "tv"},
                                         {Method::cgls, "cgls"},
                                         {Method::os_sart, "os-sart"},
                                         {Method::sirt, "sirt"},
                                         {Method::iterated_fdk, "iterated-fdk"}};

class IterativeConeReconstruct final : public Task, public Holds
{
public:
  static constexpr Info info{"iterative-cone-reconstruct",
                             "Reconstruct a volume from few or noisy projections of a cone, fan or tilted beam"};
  static constexpr Signature signature{.takes = {Kind::projections, Element::f32}, .gives = {Kind::slices}};

  Format negotiate (std::span<const Format *const> inputs) override
  {
    const Format &in = *inputs[0];
    check_size (in);
    check_not_filtered (in);
    auto views = cone::views_of (in);
    const auto columns = in.extent (Axis::column);
    const auto size = settings.size > 0 ? settings.size : columns,
               slices = settings.slices > 0 ? settings.slices : in.rows ();
    const auto z = cone::part ("roi-z", settings.roi_z, "roi-depth", settings.roi_depth, slices);
    problem = {};
    problem.solving = solving (in);
    noise_bytes = in.noise && !problem.solving.noise ? in.noise->bytes : 0;
    problem.voxel = settings.voxel_size > 0 ? settings.voxel_size : cone::usual_voxel (views[0]);
    problem.slices = {z.first, z.first + z.extent};
    const auto scaled = in_voxels (views, problem.voxel);
    const cone::Part across{size, 0, size}, along{slices, 0, slices};
    const auto volume = cone::volume_of (1, across, across, along);
    if (const char *why = footprint::against_footprints (scaled, volume))
      fail (SINO_ERROR_BAD_FORMAT, "%s", why);
    order_views (problem, std::ssize (scaled));
    std::vector<View> ordered;
    for (const auto i : problem.order)
      ordered.push_back (scaled[static_cast<size_t> (i)]);
    problem.scene = footprint::scene_of (ordered, columns, in.rows (), volume, 0.5 * static_cast<double> (size));
    problem.coarse = coarse_of (scaled, problem.scene);
    find_weights (in, views, scaled);
    Format out = sino::slices (Element::f32, {Axis::z, z.extent, z.first}, {Axis::y, size, 0}, {Axis::x, size, 0});
    auto geometry = std::make_shared<Geometry> ();
    if (in.geometry->pixel_size)
      geometry->pixel_size = problem.voxel;
    geometry->in_mm = in.geometry->in_mm;
    out.geometry = std::move (geometry);
    out.changed_by = in.changed_by;
    out.mark_changed (info.name);
    out.per_length = true;
    return out;
  }

  Rows demand (size_t, const Format &input, const Rows &) const override { return {0, input.rows ()}; }
  bool collects (size_t) const override { return true; }
  bool whole_volume () const override { return true; }
  bool fills_late (const Device &) const override { return true; }

  void memory (const Sizing &sizing, Bill &bill) const override { worker_memory (problem, sizing.threads, bill); }
  void shared_memory (Bill &bill) const override
  {
    add_bytes (bill, "views", problem.scene.sights.size () * (sizeof (footprint::Sight) + 16));
    if (noise_bytes > 0)
      add_bytes (bill, "noise of flats", noise_bytes);
  }

  double updates_per_row () const override
  {
    const auto &volume = problem.scene.volume;
    return static_cast<double> (volume.columns * volume.lines * problem.views ());
  }
  // Projection and back-projection in each iteration, and once at the begin.
  double seconds (const Device &, int threads) const override
  {
    constexpr double updates_per_second = 1.3e9;
    const auto slices = static_cast<double> (problem.scene.volume.slices);
    double updates = 2 * (likely_iterations () + 1) * updates_per_row () * slices;
    if (method == Method::tv || method == Method::iterated_fdk)
      updates += density_factor_updates (problem);
    return updates / (updates_per_second * threads);
  }
  std::string remark (const Device &, int) const override
  {
    return text ("%s, %s%d iterations, %s", nick (), by_itself () ? "at most " : "", problem.solving.iterations,
                 iterate::vectors_for (iterate::most_lanes).name);
  }

  std::unique_ptr<Worker> start (const Replica &replica) override { return make_worker (replica, problem, nick ()); }

private:
  Method method = Method::tv;
  IterationSettings iteration;
  cone::VolumeSettings settings;
  int subsets = 0;
  Problem problem{};
  size_t noise_bytes = 0; // to find the noise in flats; 0: it is not looked for

  const char *nick () const { return std::ranges::find (method_nicks, method, &Nick<Method>::value)->nick; }

  // Whether the iterations of tv end when the volume has settled.
  bool by_itself () const { return method == Method::tv && iteration.iterations == 0; }
  int likely_iterations () const { return by_itself () ? most_iterations / 4 : problem.solving.iterations; }

  // The weights of FDK, which tv begins with and iterated-fdk repeats. Slices of a helix use one turn each, but
  // footprints add all turns.
  void find_weights (const Format &in, const std::vector<View> &views, std::span<const View> in_voxels)
  {
    if (method != Method::tv && method != Method::iterated_fdk)
      return;
    try {
      problem.weights = cone::Weights (in, views);
      if (problem.weights.coverage ().helix)
        fail (SINO_ERROR_BAD_FORMAT, "a helix has a turn for each slice");
    } catch (const Error &error) {
      if (method == Method::tv)
        return;
      fail (SINO_ERROR_BAD_FORMAT,
            "method=iterated-fdk has no weights for this scan: %s; give method=tv or method=cgls", error.what ());
    }
    for (const auto i : problem.order) {
      const auto &view = in_voxels[static_cast<size_t> (i)];
      const double height = problem.scene.is_fan () ? 1 / problem.scene.sights[0].matrix[2][3] : length (view.row);
      problem.shares.push_back (problem.weights.coverage ().steps[static_cast<size_t> (i)] * cone::density_of (view) *
                                length (view.column) * height);
    }
  }

  Solving solving (const Format &in) const
  {
    const auto usual = [&] {
      switch (method) {
      case Method::tv:
        return most_iterations;
      case Method::cgls:
        return 15;
      case Method::os_sart:
        return 10;
      case Method::sirt:
        return 200;
      case Method::iterated_fdk:
        return 5;
      }
      return 1;
    };
    const auto projections = static_cast<int> (in.angles ());
    if (subsets > projections)
      fail (SINO_ERROR_BAD_PROPERTY, "subsets=%d is more than the %d projections: give fewer", subsets, projections);
    if (iteration.dimensions == iterative_reconstruct::Dimensions::two)
      fail (SINO_ERROR_BAD_PROPERTY, "dimensions=2 is for a parallel beam at right angles to its axis: leave it out");
    if (subsets > 0 && method != Method::os_sart)
      fail (SINO_ERROR_BAD_PROPERTY, "subsets=%d is for method=os-sart: leave it out", subsets);
    return {.method = method,
            .strength = iteration.one_strength (),
            .noise = iteration.known_noise (),
            .iterations = iteration.iterations > 0 ? iteration.iterations : usual (),
            .tolerance = iteration.tolerance == 0 && by_itself () ? settled : iteration.tolerance,
            .non_negative = iteration.bounded (in.negative) && method != Method::cgls,
            .subsets = method != Method::os_sart ? 1
                       : subsets > 0             ? subsets
                                                 : std::max (1, projections / projections_of_subset)};
  }

  static void check_size (const Format &in)
  {
    iterative_reconstruct::check_enough (in);
    if (iterate::stack_lanes () == 0)
      fail (SINO_ERROR_DEVICE,
            "this CPU does not have the vector instructions that this node needs: use cone-back-project");
  }

public:
  static constexpr auto properties = joined (
      std::array{prop<&IterativeConeReconstruct::method> (
          "method",
          "Method: tv (least squares and total variation: smooth regions with sharp edges), cgls (least squares by "
          "conjugate gradients, stopped early), iterated-fdk (filtered back-projection of what is left), os-sart "
          "(corrections by subsets of the projections), or sirt (by all of them; for comparison)",
          method_nicks)},
      group<&IterativeConeReconstruct::iteration> (), group<&IterativeConeReconstruct::settings> (),
      std::array{prop<&IterativeConeReconstruct::subsets> (
          "subsets", "Parts of the projections that os-sart uses in turn; 0: of about 10 projections each",
          Range{0, 10000})});
};

SINO_REGISTER (IterativeConeReconstruct)

} // namespace

} // namespace sino::iterative_cone_reconstruct
