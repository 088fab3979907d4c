// SPDX-License-Identifier: LGPL-3.0-or-later
// Reconstructs slices of a parallel beam by iteration: total variation, or conjugate gradients.
#include "base/error.hpp"
#include "device/devices.hpp"
#include "device/opencl.hpp"
#include "families/choice.hpp"
#include "filters/iterative-reconstruct/native.hpp"
#include "filters/iterative-reconstruct/opencl/family.hpp"
#include "filters/iterative-reconstruct/opencl/strengths.hpp"
#include "filters/iterative-reconstruct/windows.hpp"
#include "filters/iterative-reconstruct/words.hpp"
#include "filters/ramp-filter/words.hpp"
#include "filters/reconstruct/device.hpp"
#include "filters/slice/slices.hpp"
#include "glue/facets.hpp"
#include "glue/module.hpp"
#include "glue/timed.hpp"
#include "glue/workers/kernel-properties.hpp"
#include "kernels/fourier-reconstruct/native/stack.hpp"
#include "kernels/iterate/stack.hpp"
#include "kernels/peaks/peaks.hpp"
#include "stream/coverage.hpp"
#include <mutex>
#include <numbers>

namespace sino::iterative_reconstruct {
namespace {
using namespace slice;

class IterativeReconstruct final : public Task, public Holds, public Timed
{
public:
  static constexpr Info info{"iterative-reconstruct", "Reconstruct slices from few or noisy sinograms by iteration"};
  static constexpr Signature signature{.takes = {Kind::sinograms, Element::f32}, .gives = {Kind::slices}};

  Format negotiate (std::span<const Format *const> inputs) override
  {
    const Format &in = *inputs[0];
    check_sinograms (in);
    check_not_filtered (in);
    check_size (in);
    const auto columns = in.extent (Axis::column);
    const auto rays = settings.rays (in);
    problem = problem_of (columns, truncated (in), rays);
    problem.roi = settings.region (columns);
    problem.mask = settings.mask;
    problem.pixel_size = in.geometry->pixel_size.value_or (1);
    const Directions directions (in.geometry->angles, std::numbers::pi);
    problem.solving = iteration.solving (method, columns, in.angles (), directions.widest_gap ().width, in.negative);
    noise_bytes = in.noise && !problem.solving.noise ? in.noise->bytes : 0;
    notes = settings.check_sides (in, rays);
    for (auto &note : check_axis (rays, columns, problem.roi))
      notes.push_back (std::move (note));
    Format out = slice::slices_of (in, problem.roi, info.name);
    out.scan = settings.scan_of (in);
    if (problem.solving.tries ())
      try_strengths (in, out);
    else if (row >= 0)
      fail (
          SINO_ERROR_BAD_PROPERTY,
          "row=%d is for a range of strengths, such as strength=0.25:4: leave it out, or select rows with rows= of the "
          "source",
          row);
    rows = out.rows ();
    problem.window = window_size (rows);
    plan = std::make_shared<Plan> ();
    opencl.negotiated (family_problem (problem, rows));
    if (opencl.names_kernel () && problem.solving.deep)
      fail (SINO_ERROR_BAD_PROPERTY, "variant=%s is not for dimensions=3, which the CPU solves: leave it out",
            opencl.variant.c_str ());
    return out;
  }
  std::vector<FileStamp> files () const override { return find_stamps ({settings.axis}); }
  std::vector<std::string> warnings () const override { return notes; }

  Rows demand (size_t, const Format &input, const Rows &wanted) const override
  {
    if (problem.solving.deep)
      return rows_of_windows (wanted, input.rows ());
    if (!problem.solving.tries ())
      return whole_pairs (wanted, input);
    return wanted.empty () ? Rows{} : Rows{problem.row, problem.row + 1};
  }
  bool collects (size_t) const override { return problem.solving.tries () || problem.solving.deep; }
  int64_t rows_together (const Device &) const override { return problem.solving.deep ? window_slices : 1; }

  bool takes_lanes () const override { return !problem.solving.tries (); }
  int wanted_lanes (const Device &device, int) const override
  {
    if (problem.solving.tries ())
      return 1;
    return on_device (device) ? opencl.choice (device, 0).lanes : lanes_for (rows, iterate::stack_lanes ());
  }

  // Bits depend on pairs of rows only.
  int fewest_lanes (const Device &device, int lanes) const override
  {
    return std::min (lanes, on_device (device) ? 2 : problem.vectors (1).lanes);
  }

  const families::Use *kernels () const override { return &opencl; }
  // seconds () counts all iterations, and with a tolerance the scan decides how many there are.
  bool timed_by_kernels () const override { return problem.solving.tolerance <= 0; }
  // A length or a device for which there are no kernels runs natively, unless they were asked for.
  bool on_device (const Device &device) const override
  {
    return opencl.runs_on (device) && !problem.solving.deep &&
           (opencl.names_kernel () || problem.size == 0 || // not negotiated yet
            lines_for (problem.size, as_opencl (device).facts (), usual_setting ()));
  }

  void memory (const Sizing &sizing, Bill &bill) const override
  {
    const int lanes = sizing.input_layouts[0].lanes;
    if (!on_device (sizing.device))
      return native_memory (problem, sizing.threads, lanes, bill);
    const bool spare = sizing.input_rows > sizing.item_rows; // rows come in pairs; one row of a pair may not be wanted
    OpenclReconstruction::memory (as_opencl (sizing.device), *opencl_plan (), lanes, batch (sizing.device, lanes),
                                  sizing.input_reached ? sizing.input_block[0] : 0,
                                  sizing.output_reached && !spare ? sizing.output_block : 0, bill);
  }
  void shared_memory (Bill &bill) const override
  {
    add_bytes (bill, "rays", problem.rays.size () * sizeof (Ray));
    if (noise_bytes > 0)
      add_bytes (bill, "noise of flats", noise_bytes);
  }

  // An iteration has 16 transforms of each row, of 2.5 n log2 n operations for one slice. Measured with AVX-512.
  double seconds (const Device &device, int threads) const override
  {
    if (on_device (device))
      return seconds_of (as_opencl (device), threads);
    const double operations_per_second = 5e8 * peaks::vector_bytes ();
    const auto n = static_cast<double> (problem.size);
    const double iteration_of_slice = 16 * n * 2.5 * n * std::log2 (n) / operations_per_second;
    double slices = static_cast<double> (rows);
    if (problem.solving.deep) {
      constexpr double share_of_third_dimension = 1.5; // an iteration of a slice beside that in two
      slices = share_of_third_dimension * static_cast<double> (slices_of_windows (rows));
    }
    return slices * iteration_of_slice * (problem.solving.iterations + 2) / threads;
  }

  std::string remark (const Device &device, int lanes) const override
  {
    if (on_device (device)) {
      const int most = std::clamp (problem.solving.tries () ? tried_strengths : lanes, 2,
                                   opencl.choice (device, lanes).setting["SLICES"]),
                slices = batch (device, lanes).slices;
      return opencl.remark (
          device, lanes,
          text (", %s, %d iterations, images of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT "%s, %d slices at once%s",
                nick (), problem.solving.iterations, problem.size, problem.size, strengths_text ().c_str (), slices,
                slices < most ? ", because the device has too little memory for more" : ""));
    }
    const auto vectors = problem.vectors (lanes);
    auto line = text ("%s, %d iterations, %s, images of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT, nick (),
                      problem.solving.iterations, vectors.name, problem.size, problem.size);
    if (problem.solving.tries ())
      line += strengths_text ();
    else if (problem.solving.deep)
      line += text (", in three dimensions: windows of %d slices, solved with up to %d on both sides%s",
                    static_cast<int> (window_slices), static_cast<int> (window_halo),
                    device.kind == Device::Kind::opencl ? ", on the CPU" : "");
    if (problem.solving.tries () || lanes >= rows)
      return line;
    if (lanes < vectors.lanes)
      line += text (", %d of %d lanes used: put 'interleave' before this node", lanes, vectors.lanes);
    else if (lanes < iterate::stack_lanes ())
      line += text (", %d slices at once, because there is too little memory for more", lanes);
    return line;
  }

  std::vector<std::string> explain (const Device &device) const override
  {
    if (device.kind == Device::Kind::opencl)
      return opencl.explain (device);
    return {text ("native kernel, %s, %d slices at once", iterate::vectors_for (iterate::most_lanes).name,
                  iterate::stack_lanes ())};
  }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    if (!on_device (replica.device))
      return native_worker (replica, problem);
    const int lanes = replica.input_layouts[0].lanes;
    const Reconstructing how{.plan = opencl_plan (),
                             .lanes = lanes,
                             .batch = batch (replica.device, lanes),
                             .setting = opencl.choice (replica.device, lanes).setting};
    if (problem.solving.tries ())
      return opencl_strengths_worker (replica, how);
    return slice::opencl_slice_worker (std::make_unique<OpenclReconstruction> (replica, how));
  }

private:
  Method method = Method::tv;
  SliceSettings settings;
  IterationSettings iteration;
  ramp_filter::Padding padding_mode = ramp_filter::Padding::automatic;
  int row = -1;
  families::Use opencl{family ()};

  // Settled by negotiation:
  Problem problem{};
  int64_t rows = 0;
  size_t noise_bytes = 0; // to find the noise in flats; 0: it is not looked for
  std::vector<std::string> notes;

  // Plan for OpenCL, made once for all replicas when a device needs it.
  struct Plan {
    std::once_flag once;
    std::shared_ptr<const OpenclPlan> made;
  };
  std::shared_ptr<Plan> plan;

  const std::shared_ptr<const OpenclPlan> &opencl_plan () const
  {
    std::call_once (plan->once, [this] { plan->made = std::make_shared<const OpenclPlan> (problem); });
    return plan->made;
  }
  Batch batch (const Device &device, int lanes) const
  {
    return batch_for (as_opencl (device), *opencl_plan (), opencl.choice (device, lanes).setting, lanes);
  }
  static families::Setting usual_setting () { return {family ().kernels.data (), {}}; }

  // Images and frequencies are read and written 28 times in an iteration, and the start has two griddings.
  double seconds_of (const OpenclDevice &device, int threads) const
  {
    const reconstruct::Work work{.columns = problem.size,
                                 .projections = std::ssize (problem.rays),
                                 .slices = rows,
                                 .pixels = problem.roi.pixels (),
                                 .kernel_width = fourier_reconstruct::width_for (fourier_reconstruct::best_accuracy)};
    const auto machine = reconstruct::machine_of (device, threads, work);
    const auto n = static_cast<double> (problem.size);
    const double start = 2 * reconstruct::fourier_seconds (work, machine);
    const double iteration_of_slice = 28 * sizeof (float) * n * n / std::max (machine.gpu.bytes, 1e10);
    return start + static_cast<double> (rows) * problem.solving.iterations * iteration_of_slice;
  }

  std::string strengths_text () const
  {
    const auto &strengths = problem.solving.strengths;
    return problem.solving.tries ()
               ? text (", %d strengths from %g to %g", tried_strengths, strengths.front (), strengths.back ())
               : std::string ();
  }

  const char *nick () const { return std::ranges::find (method_nicks, method, &Nick<Method>::value)->nick; }

  bool truncated (const Format &in) const
  {
    return padding_mode == ramp_filter::Padding::edge ||
           (padding_mode == ramp_filter::Padding::automatic && in.truncated);
  }

  // Makes `out` slices of one row.
  void try_strengths (const Format &in, Format &out)
  {
    problem.row = place_of_row (in.dim (Axis::row), row);
    out.axes[0] = {Axis::z, tried_strengths};
    out.strengths = std::make_shared<const std::vector<double>> (problem.solving.strengths);
  }

  static void check_size (const Format &in)
  {
    check_angles_differ (in);
    check_enough (in);
    if (iterate::stack_lanes () == 0)
      fail (SINO_ERROR_DEVICE, "this CPU does not have the vector instructions that this node needs: use back-project");
  }

public:
  static constexpr auto properties = joined (
      std::array{prop<&IterativeReconstruct::method> (
          "method",
          "Method: tv (least squares and total variation: smooth regions with sharp edges), or cgls (least squares by "
          "conjugate gradients, stopped early)",
          method_nicks)},
      group<&IterativeReconstruct::iteration> (), group<&IterativeReconstruct::settings> (),
      std::array{prop<&IterativeReconstruct::padding_mode> (
                     "padding-mode",
                     "Whether the object ends before the ends of rows: zero, edge (rows are continued on a grid that "
                     "is a quarter "
                     "larger), or auto: edge if find-axis found that values do not fall to zero there",
                     ramp_filter::padding_nicks),
                 prop<&IterativeReconstruct::row> (
                     "row", "For a range of strengths: number of the detector row in the scan; -1: the middle one",
                     Range{-1, 2147483647})},
      kernel_properties<&IterativeReconstruct::opencl> ());
};

SINO_REGISTER (IterativeReconstruct)

} // namespace

} // namespace sino::iterative_reconstruct
