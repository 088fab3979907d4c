// SPDX-License-Identifier: LGPL-3.0-or-later
// Filters each row of attenuation with a windowed ramp, for filtered back-projection.
#include "base/error.hpp"
#include "device/devices.hpp"
#include "device/work.hpp"
#include "families/choice.hpp"
#include "filters/borders/watch.hpp"
#include "filters/ramp-filter/factors.hpp"
#include "filters/ramp-filter/family.hpp"
#include "filters/ramp-filter/row-filter.hpp"
#include "filters/ramp-filter/words.hpp"
#include "glue/module.hpp"
#include "glue/several.hpp"
#include "glue/shapes.hpp"
#include "glue/timed.hpp"
#include "glue/workers/kernel-properties.hpp"
#include "glue/workers/opencl-point-worker.hpp"
#include "kernels/interleave/interleave.hpp"
#include "kernels/ramp-filter/response.hpp"
#include <cstring>

namespace sino::ramp_filter {
namespace {

class Filterer final : public PointWorker
{
public:
  // Buffer of a thread: two padded rows, what a transform needs, and the rows of a group of lanes.
  static constexpr char rows_item[] = "rows of a thread";
  static size_t floats (int64_t half, int64_t width, int64_t lanes)
  {
    return 2 * aligned_floats (half) + aligned_floats (Fft::work_values (half)) +
           (lanes > 1 ? static_cast<size_t> (lanes * width) : 0);
  }

  Filterer (const Replica &replica, std::shared_ptr<const RowFilter> f, int at_once, bool watches)
      : cpu (replica.cpu), memory (replica.memory), filter (std::move (f)), watch (replica.messages, watches),
        underway (cpu, replica.monitor, replica.failed, at_once)
  {
  }

  void wait () override { underway.wait (); }
  void end () override
  {
    underway.wait ();
    watch.tell ();
  }

  // A line is one angle of a row, or of a group of rows in lanes.
  void process (const Block &in, Block &out) override
  {
    const int64_t lanes = in.lanes (), line = in.line () * lanes;
    underway.start ({{in.values () / line, std::max<int64_t> (8 / lanes, 1),
                      [this, in, out] (int64_t begin, int64_t end) mutable { lines (in, out, begin, end); }}},
                    std::span (&out, 1));
  }

private:
  const Cpu &cpu;
  Allotment &memory;
  std::shared_ptr<const RowFilter> filter;
  borders::Watch watch;
  Underway underway;

  // The parts of that buffer.
  struct Desk {
    float *a, *b, *work, *side;
    Desk (float *memory, int64_t half)
        : a (memory), b (a + aligned_floats (half)), work (b + aligned_floats (half)),
          side (work + aligned_floats (Fft::work_values (half)))
    {
    }
  };

  void lines (const Block &in, Block &out, int64_t begin, int64_t end)
  {
    const int64_t lanes = in.lanes (), line = in.line () * lanes;
    const auto work = memory.take (rows_item);
    const Desk with (work.as<float> (), filter->padded () / 2);
    for (auto i = begin; i < end; i++) {
      const float *from = in.as<float> () + i * line;
      float *to = out.as<float> () + i * line;
      if (watch.looks () && i % borders::Watch::one_of == 0)
        watch.see (from, in.line (), lanes);
      if (lanes == 1) {
        filter->run (from, line, with.a, with.b, with.work, to);
        continue;
      }
      const auto group = i / in.angles ().size ();
      group_of (from, in.line (), lanes, std::min (lanes, in.rows ().size () - group * lanes), with, to);
    }
  }

  // Copies lanes to rows in `side`, filters these, and interleaves them again. Lanes without a row stay zero.
  void group_of (const float *from, int64_t width, int64_t lanes, int64_t rows, const Desk &work, float *to) const
  {
    float *apart[32];
    const std::byte *together[32];
    for (int64_t lane = 0; lane < lanes; lane++) {
      apart[lane] = work.side + lane * width;
      together[lane] = reinterpret_cast<const std::byte *> (apart[lane]);
    }
    interleave::take_apart (static_cast<int> (lanes), from, width, apart);
    for (int64_t lane = 0; lane < rows; lane++)
      filter->run (apart[lane], width, work.a, work.b, work.work, apart[lane]);
    interleave::interleave (sizeof (float), static_cast<int> (lanes), together, width,
                            reinterpret_cast<std::byte *> (to));
  }
};

// Copies without filtering, for the window `none`.
class Copier final : public PointWorker
{
public:
  void process (const Block &in, Block &out) override { std::memcpy (out.data (), in.data (), in.bytes ()); }
};

class OpenclFilterer final : public OpenclPointWorker
{
public:
  OpenclFilterer (const Replica &replica, const families::Setting &setting, const families::Problem &problem,
                  const SpectrumFilter &filter)
      : OpenclPointWorker (replica), rows (make_rows ({.device = device,
                                                       .setting = setting,
                                                       .problem = problem,
                                                       .width = replica.inputs[0]->line (),
                                                       .filter = filter,
                                                       .memory = replica.memory}))
  {
  }

protected:
  Span process (const Block &in, const cl::Buffer &from, const Block &, const cl::Buffer &to) override
  {
    const bool alone = in.lanes () == 1; // without lanes, rows of all angles are processed alike
    const auto [first, last] =
        rows->enqueue (queues.kernels, from, to, alone ? in.values () / in.line () : in.rows ().size (),
                       alone ? 1 : in.angles ().size ());
    return {first, last};
  }

private:
  const std::unique_ptr<OpenclRows> rows;
};

class OpenclCopier final : public OpenclPointWorker
{
public:
  explicit OpenclCopier (const Replica &replica) : OpenclPointWorker (replica) {}

protected:
  Span process (const Block &in, const cl::Buffer &from, const Block &, const cl::Buffer &to) override
  {
    cl::Event event;
    queues.kernels.enqueueCopyBuffer (from, to, 0, 0, in.bytes (), nullptr, &event);
    return {event, event};
  }
};

class RampFilter final : public PointFilter, public SeveralAtOnce, public Timed
{
public:
  static constexpr Info info{"ramp-filter", "Filter rows with a ramp filter, for filtered back-projection"};
  static constexpr Signature signature{.takes = {scan_kinds, Element::f32}};

  Window window = Window::ram_lak;
  RampSettings ramp;
  std::string padding = "auto";
  families::Use opencl{family ()};

  static constexpr auto properties = joined (
      std::array{prop<&RampFilter::window> (
          "window", "Window of the ramp filter; ram-lak: the ramp without a window; none: rows are not filtered",
          window_nicks)},
      group<&RampFilter::ramp> (),
      std::array{prop<&RampFilter::padding> ("padding", "Least length of the padded row; auto: twice the row length")},
      kernel_properties<&RampFilter::opencl> ());

  Format negotiate (std::span<const Format *const> inputs) override
  {
    Format format = *inputs[0];
    width = format.line ();
    half = half_length ();
    spacing = format.geometry ? format.geometry->pixel_size.value_or (1) : 1;
    edges = ramp.pads_edges (format);
    watches = !edges && format.geometry && !format.geometry->angles.empty () && format.geometry->views.empty ();
    opencl.negotiated (problem_of (2 * half, edges, 1));
    format.mark_changed (info.name);
    if (window != Window::none)
      format.filtered_by = info.name;
    return format;
  }

  // Several blocks at once, because a block has only a few hundred rows.
  int blocks_at_once (const Device &, int threads) const override
  {
    return window != Window::none && threads > few_threads ? 4 : 1;
  }

  const families::Use *kernels () const override { return &opencl; }
  bool timed_by_kernels () const override { return window != Window::none; } // the copier has no kernel
  std::string remark (const Device &device, int lanes) const override
  {
    if (!on_device (device))
      return opencl.remark (device, lanes);
    if (window == Window::none)
      return "copies on the device";
    const bool own = opencl.choice (device, lanes).setting["FFT"] == 1;
    return opencl.remark (device, lanes, own ? ", own transforms" : ", clFFT");
  }

  void memory (const Sizing &sizing, Bill &bill) const override
  {
    if (on_device (sizing.device)) {
      add_copies (sizing, bill);
      if (window == Window::none)
        return;
      const auto problem = opencl.problem ().with_lanes (sizing.input_layouts[0].lanes);
      const auto rows = sizing.output_block / (static_cast<size_t> (width) * sizeof (float));
      rows_memory (as_opencl (sizing.device), opencl.choice (sizing.device, problem).setting, problem,
                   static_cast<int64_t> (rows), bill);
    } else if (window != Window::none)
      add_pages (bill, Filterer::rows_item,
                 Filterer::floats (half, width, sizing.input_layouts[0].lanes) * sizeof (float),
                 static_cast<size_t> (sizing.threads));
  }
  void shared_memory (Bill &bill) const override
  {
    add_bytes (bill, "factors of the filter", 4 * static_cast<size_t> (half) * sizeof (float));
    add_bytes (bill, "tables of transforms", Fft::plan_bytes (half));
  }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    const bool on_opencl = on_device (replica.device);
    if (window == Window::none)
      return on_opencl ? std::unique_ptr<Worker> (new OpenclCopier (replica)) : std::make_unique<Copier> ();
    if (on_opencl) {
      if (factors.p.empty ())
        factors = spectrum_filter (response (replica.cpu));
      const auto problem = opencl.problem ().with_lanes (replica.input_layouts[0].lanes);
      const auto &setting = opencl.choice (replica.device, problem).setting;
      return std::make_unique<OpenclFilterer> (replica, setting, problem, factors);
    }
    if (!filter)
      filter = std::make_shared<const RowFilter> (response (replica.cpu), edges);
    return std::make_unique<Filterer> (replica, filter, at_once, watches);
  }

private:
  int64_t width = 0, half = 0;
  bool edges = false;                      // rows are padded with their first and last values
  bool watches = false;                    // whether to check that values fall to zero at the borders
  double spacing = 1;                      // distance of columns, in the scan's unit of length
  std::shared_ptr<const RowFilter> filter; // shared by the replicas
  SpectrumFilter factors;                  // factors for OpenCL devices

  int64_t half_length () const
  {
    int64_t least = 2 * width;
    if (padding != "auto" && (!parse_integer (padding, least) || least < width || least > 1 << 26))
      fail (SINO_ERROR_BAD_PROPERTY,
            "padding=%s: give a length from %" G_GINT64_FORMAT ", the columns of a row, to 67108864, or 'auto'",
            padding.c_str (), width);
    return padded_half (least);
  }

  std::vector<double> response (const Cpu &cpu) const
  {
    return ramp_filter::factors (half, window, ramp, spacing, cpu);
  }
};

} // namespace

SINO_REGISTER (RampFilter)

} // namespace sino::ramp_filter
