// SPDX-License-Identifier: LGPL-3.0-or-later
// Corrects a beam intensity that changes during the scan, measured in a region beside the sample.
#include "base/error.hpp"
#include "families/choice.hpp"
#include "filters/correct-dose/family.hpp"
#include "filters/point/opencl-lines.hpp"
#include "glue/learned.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include "glue/wants.hpp"
#include "glue/workers/kernel-properties.hpp"
#include "glue/workers/opencl-point-worker.hpp"
#include <cmath>

namespace sino::correct_dose {
namespace {

// Sums over the columns of the region, for each row and projection. The order in which they come does not matter.
struct Sums {
  int64_t projections = 0;
  std::vector<double> values; // [row of the region][projection]
  bool looked = false;
  std::string missed; // reason why there are no sums
};

struct Region {
  int64_t x = 0, y = 0, width = 0, height = 0;
};

class Looker final : public SinkWorker
{
public:
  Looker (bool attenuation, const Region &r, Sums &s) : is_attenuation (attenuation), region (r), sums (s) {}

  void take (const Block &in) override
  {
    for (int64_t r = 0; r < in.rows ().size (); r++)
      for (int64_t a = 0; a < in.angles ().size (); a++) {
        const auto *line = in.as<float> () + in.offset (a, r) + region.x;
        double sum = 0;
        for (int64_t c = 0; c < region.width; c++)
          sum += is_attenuation ? std::exp (-double{line[c]}) : double{line[c]};
        const auto row = in.rows ().at (r) - region.y;
        sums.values[static_cast<size_t> (row * sums.projections + in.angles ().at (a))] = sum;
      }
  }

private:
  const bool is_attenuation;
  const Region region;
  Sums &sums; // each worker writes its own elements
};

class Corrector final : public PointWorker
{
public:
  Corrector (const Cpu &c, bool attenuation, std::shared_ptr<const std::vector<float>> d)
      : cpu (c), is_attenuation (attenuation), doses (std::move (d))
  {
  }

  void process (const Block &in, Block &out) override
  {
    const int64_t lanes = in.lanes (), angles = in.angles ().size (), values = in.line () * lanes;
    const auto groups = divide_up (in.rows ().size (), lanes);
    cpu.parallel (groups * angles, std::max<int64_t> ((1 << 16) / values, 1), [&] (int64_t begin, int64_t end) {
      for (auto i = begin; i < end; i++) {
        const auto place = in.offset (i % angles, i / angles * lanes);
        const auto *from = in.as<float> () + place;
        auto *to = out.as<float> () + place;
        const auto dose = (*doses)[static_cast<size_t> (in.angles ().at (i % angles))];
        const auto seen = std::min (in.rows ().size () - i / angles * lanes, lanes);
        if (seen == lanes)
          correct (from, values, dose, to);
        else
          for (int64_t c = 0; c < in.line (); c++) {
            correct (from + c * lanes, seen, dose, to + c * lanes);
            std::fill (to + c * lanes + seen, to + (c + 1) * lanes, 0.f);
          }
      }
    });
  }

private:
  const Cpu &cpu;
  const bool is_attenuation;
  const std::shared_ptr<const std::vector<float>> doses; // per projection: summand for attenuation, else factor

  void correct (const float *from, int64_t n, float dose, float *to) const
  {
    if (is_attenuation)
      for (int64_t i = 0; i < n; i++)
        to[i] = from[i] + dose;
    else
      for (int64_t i = 0; i < n; i++)
        to[i] = from[i] * dose;
  }
};

constexpr char doses_item[] = "doses";

class CorrectorOnDevice final : public OpenclPointWorker
{
public:
  CorrectorOnDevice (const Replica &replica, const families::Use &use, const std::vector<float> &d)
      : OpenclPointWorker (replica), doses (take_table (device, replica.memory, doses_item, d)),
        kernel (device, use.family (), use.choice (replica.device, 1).setting, use.problem ())
  {
  }

protected:
  Span process (const Block &in, const cl::Buffer &from, const Block &, const cl::Buffer &to) override
  {
    const point::BlockLines lines (in);
    kernel.take (from, point::there (lines), doses, in.angles ().begin, to);
    const auto ran = kernel.enqueue (queues.kernels, lines);
    return {ran.first, ran.last};
  }

private:
  const cl::Buffer doses; // as of Corrector
  point::OpenclLines kernel;
};

class CorrectDose final : public PointFilter, public Surveys
{
public:
  static constexpr Info info{"correct-dose",
                             "Correct changes of the beam between projections, measured in a region without sample"};
  static constexpr Signature signature{.takes = {scan_kinds, Element::f32}};

  int x = 0, y = 0, width = 0, height = 0;
  bool absorption = true;

  families::Use opencl{family ()};
  static constexpr auto properties = joined (
      std::array{
          prop<&CorrectDose::x> ("x", "First column of the region", Range{0, 1 << 30}),
          prop<&CorrectDose::y> ("y", "First row of the region, a row of the detector", Range{0, 1 << 30}),
          prop<&CorrectDose::width> ("width", "Columns of the region", Range{0, 1 << 30}),
          prop<&CorrectDose::height> ("height", "Rows of the region; 0: all from y on", Range{0, 1 << 30}),
          prop<&CorrectDose::absorption> ("absorption",
                                          "The values are -ln (I / I0); otherwise the transmission I / I0"),
      },
      kernel_properties<&CorrectDose::opencl> ());

  const families::Use *kernels () const override { return &opencl; }

  Format negotiate (std::span<const Format *const> inputs) override;
  bool keeps_noise () const override { return true; }
  std::vector<Rows> survey (const Format &) const override
  {
    if (doses)
      return {};
    return {{region.y, region.y + region.height}};
  }
  std::unique_ptr<Worker> look (const Replica &) override
  {
    sums->looked = true;
    return std::make_unique<Looker> (absorption, region, *sums);
  }
  void survey_memory (const Sizing &, Bill &bill) const override
  {
    add_bytes (bill, "sums of the region", sums->values.size () * sizeof (double));
  }
  void miss (const std::string &why) override { sums->missed = why; }
  std::string remark (const Device &device, int lanes) const override
  {
    return on_device (device) ? opencl.remark (device, lanes, said) : said;
  }
  void memory (const Sizing &sizing, Bill &bill) const override
  {
    PointFilter::memory (sizing, bill);
    if (on_device (sizing.device))
      add_buffers (bill, doses_item, static_cast<size_t> (sums->projections) * sizeof (float));
  }
  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    if (!doses)
      fail (SINO_ERROR_FAILED, "the region was not examined before the run");
    if (on_device (replica.device))
      return std::make_unique<CorrectorOnDevice> (replica, opencl, *doses);
    return std::make_unique<Corrector> (replica.cpu, absorption, doses);
  }

private:
  Region region;
  Learned<Sums> sums;
  std::shared_ptr<const std::vector<float>> doses; // null before the survey
  std::string said;

  Region place (const Format &in) const;
  void settle ();
};

Region CorrectDose::place (const Format &in) const
{
  if (width == 0)
    fail (SINO_ERROR_BAD_PROPERTY, "width= is missing: give the region beside the sample, as x=0 width=40, and y= and "
                                   "height= if the sample covers some rows of it");
  const auto check = [] (const char *first_name, int64_t first, const char *size_name, int64_t size, int64_t extent,
                         const char *what) {
    if (first >= extent || size > extent - first)
      fail (SINO_ERROR_BAD_PROPERTY,
            "%s=%" G_GINT64_FORMAT " and %s=%" G_GINT64_FORMAT " exceed the %" G_GINT64_FORMAT " %s of the detector",
            first_name, first, size_name, size, extent, what);
  };
  check ("x", x, "width", width, in.line (), "columns");
  check ("y", y, "height", height, in.rows (), "rows");
  return {.x = x, .y = y, .width = width, .height = height == 0 ? in.rows () - y : height};
}

Format CorrectDose::negotiate (std::span<const Format *const> inputs)
{
  Format format = *inputs[0];
  const auto &in = *inputs[0];
  if (in.companions.flats)
    fail (SINO_ERROR_BAD_FORMAT,
          "wants values after flat-field correction, got %s with flats: put 'flat-field' before it",
          in.describe ().c_str ());
  want_unfiltered (in);
  if (!sums->missed.empty ())
    fail (SINO_ERROR_BAD_FORMAT, "must examine the region before the run, and cannot: %s", sums->missed.c_str ());
  region = place (in);
  if (!sums->looked) {
    sums->projections = in.angles ();
    sums->values.assign (static_cast<size_t> (region.height * in.angles ()), NAN);
  } else
    settle ();
  opencl.negotiated (problem_of (absorption));
  format.mark_changed (info.name);
  return format;
}

void CorrectDose::settle ()
{
  std::vector<float> list;
  double least = HUGE_VAL, most = 0;
  for (int64_t p = 0; p < sums->projections; p++) {
    double sum = 0;
    for (int64_t r = 0; r < region.height; r++)
      sum += sums->values[static_cast<size_t> (r * sums->projections + p)];
    const double mean = sum / static_cast<double> (region.width * region.height);
    if (!(mean > 0 && std::isfinite (mean)))
      fail (SINO_ERROR_BAD_FORMAT,
            "the mean of the region is %s in projection %" G_GINT64_FORMAT
            ", and must be positive: choose a region without dead pixels",
            std::isfinite (mean) ? text ("%g", mean).c_str () : "not a number", p);
    least = std::min (least, mean);
    most = std::max (most, mean);
    list.push_back (static_cast<float> (absorption ? std::log (mean) : 1 / mean));
  }
  said = text ("dose %.4g to %.4g", least, most);
  doses = std::make_shared<const std::vector<float>> (std::move (list));
}

} // namespace

SINO_REGISTER (CorrectDose)

} // namespace sino::correct_dose
