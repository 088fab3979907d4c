// SPDX-License-Identifier: LGPL-3.0-or-later
// Half acquisition: joins a full turn with the axis near a border of the detector into half a turn of a wider detector.
#include "base/error.hpp"
#include "base/shown.hpp"
#include "filters/stitch-360/border.hpp"
#include "filters/stitch-360/job.hpp"
#include "filters/stitch-360/opencl-join.hpp"
#include "filters/stitch-360/opencl-stitcher.hpp"
#include "glue/facets.hpp"
#include "glue/learned.hpp"
#include "glue/module.hpp"
#include "glue/task.hpp"
#include "glue/workers/kernel-properties.hpp"
#include <cmath>

namespace sino::stitch_360 {
namespace {

constexpr char scratch_item[] = "a mirrored row of a thread";

class Stitcher final : public Worker
{
public:
  Stitcher (const Replica &replica, std::shared_ptr<const Job> j)
      : cpu (replica.cpu), memory (replica.memory), job (std::move (j)),
        loops (job->join, replica.output_layout.lanes, job->alone ())
  {
    if (job->projections)
      places = job->places ();
  }

  void run (std::span<Input *const> inputs, Output *output) override
  {
    if (job->projections) {
      collect (*inputs[0], *output);
      return;
    }
    while (const Block in = inputs[0]->pop ()) {
      Block out = output->next ();
      join (in, out);
      output->push (std::move (out));
    }
  }

private:
  const Cpu &cpu;
  Allotment &memory;
  const std::shared_ptr<const Job> job;
  const Join::Loops loops;
  std::vector<Job::Where> places; // by projection

  void join (const Block &in, Block &out) const
  {
    const int64_t lanes = in.lanes (), pairs = std::ssize (job->pairs);
    const auto groups = divide_up (in.rows ().size (), lanes);
    cpu.parallel (groups * pairs, 4, [&] (int64_t begin, int64_t end) {
      const auto scratch = memory.take (scratch_item);
      for (auto i = begin; i < end; i++) {
        const auto row = i / pairs * lanes;
        const auto &[direct, mirror] = job->pairs[static_cast<size_t> (i % pairs)];
        auto *to = out.as<float> () + out.offset (i % pairs, row);
        loops.direct (in.as<float> () + in.offset (direct, row), to);
        if (mirror >= 0)
          loops.mirror (in.as<float> () + in.offset (mirror, row), to, scratch.as<float> ());
      }
    });
  }

  // The second projection of a pair comes at any time after the first.
  void collect (Input &input, Output &output) const
  {
    auto blocks = output.all ();
    std::vector<size_t> block_of;
    for (size_t i = 0; i < blocks.size (); i++)
      block_of.insert (block_of.end (), static_cast<size_t> (blocks[i].angles ().size ()), i);
    while (const Block in = input.pop ())
      for (const bool mirror : {false, true}) {
        std::vector<int64_t> some;
        for (auto angle = in.angles ().begin; angle < in.angles ().end; angle++)
          if (const auto &place = places[static_cast<size_t> (angle)]; place.pair >= 0 && place.mirror == mirror)
            some.push_back (angle);
        const auto rows = in.rows ().size ();
        cpu.parallel (std::ssize (some) * rows, 4, [&] (int64_t begin, int64_t end) {
          const auto scratch = memory.take (scratch_item);
          for (auto i = begin; i < end; i++) {
            const auto angle = some[static_cast<size_t> (i / rows)];
            const auto pair = places[static_cast<size_t> (angle)].pair;
            auto &out = blocks[block_of[static_cast<size_t> (pair)]];
            const auto *from = in.as<float> () + in.offset (in.angles ().place (angle), i % rows);
            auto *to = out.as<float> () +
                       out.offset (out.angles ().place (pair), out.rows ().place (in.rows ().at (i % rows)));
            if (mirror)
              loops.mirror (from, to, scratch.as<float> ());
            else
              loops.direct (from, to);
          }
        });
      }
    output.push_all (blocks);
  }
};

class Stitch360 final : public Task, public Surveys
{
public:
  static constexpr Info info{"stitch-360",
                             "Join projections half a turn apart, as from a detector up to twice as wide"};
  static constexpr Signature signature{.takes = {scan_kinds, Element::f32}};

  enum class When { always, needed };
  static constexpr Nick<When> whens[] = {{When::always, "always"}, {When::needed, "needed"}};

  std::string axis = "auto";
  double least_offset = 0;
  When when = When::always;

  families::Use opencl{family ()};
  static constexpr auto properties = joined (
      std::array{
          prop<&Stitch360::axis> (
              "axis",
              "Rotation axis in detector columns: auto (from the scan, or as 'find-axis' finds it) or a number"),
          prop<&Stitch360::least_offset> ("least-offset",
                                          "Projections are not joined if the axis is nearer to the middle than this "
                                          "fraction of the detector's columns",
                                          Range{0., 0.5}),
          prop<&Stitch360::when> (
              "join",
              "always, or if needed: projections are not joined if some examined rows show that the "
              "object ends before the border nearer to the axis",
              whens),
      },
      kernel_properties<&Stitch360::opencl> ());

  const families::Use *kernels () const override { return &opencl; }

  Format negotiate (std::span<const Format *const> inputs) override;
  std::vector<Rows> survey (const Format &in) const override
  {
    // The nodes before this one have told all that they know, so the axis stays unknown.
    if (!known_axis (in))
      fail (
          SINO_ERROR_BAD_FORMAT,
          "the scan does not give its axis: give axis=, a column of the detector, or put 'find-axis' before this node");
    return looks () ? rows_to_look_at (in.rows ()) : std::vector<Rows> ();
  }
  std::unique_ptr<Worker> look (const Replica &replica) override { return border_looker (replica, left, *seen); }
  void survey_memory (const Sizing &sizing, Bill &bill) const override { border_memory (sizing, bill); }
  void miss (const std::string &why) override { seen->missed = why; }

  bool alters () const override { return !passes; }
  bool collects (size_t) const override { return job->projections; }
  bool takes_lanes () const override { return true; }
  int wanted_lanes (const Device &, int downstream) const override { return downstream; }
  void memory (const Sizing &sizing, Bill &bill) const override
  {
    if (on_device (sizing.device))
      return opencl_memory (sizing, *job, bill);
    const auto lanes = sizing.input_layouts[0].lanes;
    add_pages (bill, scratch_item, static_cast<size_t> (Join::Loops::scratch (columns, lanes)) * sizeof (float),
               static_cast<size_t> (sizing.threads));
    add_bytes (bill, "weights of a row", static_cast<size_t> (job->join.width () * lanes) * 2 * sizeof (float));
  }
  std::string remark (const Device &device, int lanes) const override
  {
    return on_device (device) ? opencl.remark (device, lanes, said) : said;
  }
  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    if (on_device (replica.device))
      return opencl_stitcher (replica, opencl, job);
    return std::make_unique<Stitcher> (replica, job);
  }

private:
  int64_t columns = 0;
  std::shared_ptr<const Job> job = std::make_shared<Job> ();
  std::string said;
  bool passes = false; // nothing to join: the axis is near the middle, or the object ends before the nearer border
  bool left = false;   // whether the axis is near the border at the first columns
  Learned<Seen> seen;

  bool looks () const { return when == When::needed && !passes && seen->rows.empty () && seen->missed.empty (); }
  std::optional<double> known_axis (const Format &in) const;
  static void check (const Format &in);
  Format wider (const Format &in, Format format, double at, bool known);
};

std::optional<double> Stitch360::known_axis (const Format &in) const
{
  if (axis != "auto") {
    double column = 0;
    if (!parse_number (axis, column) || !std::isfinite (column))
      fail (SINO_ERROR_BAD_PROPERTY, "axis=%s is neither a number nor auto", axis.c_str ());
    return column;
  }
  if (in.geometry->axis.size () > 1)
    fail (SINO_ERROR_BAD_FORMAT, "wants one axis for all projections, but the scan has one for each: give axis=");
  return in.geometry->axis.empty () ? std::nullopt : std::optional (in.geometry->axis[0]);
}

void Stitch360::check (const Format &in)
{
  if (in.companions.flats)
    fail (SINO_ERROR_BAD_FORMAT, "wants attenuation, got %s with flats: put 'flat-field' before it",
          in.describe ().c_str ());
  if (!in.filtered_by.empty ())
    fail (SINO_ERROR_BAD_FORMAT, "'%s' has filtered the rows already, before they were joined: put this node before it",
          in.filtered_by.c_str ());
  if (in.geometry && !in.geometry->views.empty ())
    fail (SINO_ERROR_BAD_FORMAT, "wants a parallel beam at right angles to the axis: in other geometries, projections "
                                 "half a turn apart are not mirror images");
  if (!in.geometry || in.geometry->angles.empty ())
    fail (
        SINO_ERROR_BAD_FORMAT,
        "the projections have no angles: give %s angles=start:stop (degrees, stop excluded, for example angles=0:360)",
        in.source.empty () ? "the source" : in_quotes (in.source).c_str ());
}

Format Stitch360::negotiate (std::span<const Format *const> inputs)
{
  const auto &in = *inputs[0];
  check (in);
  opencl.negotiated (family ().usual);
  columns = in.line ();
  const auto width = static_cast<double> (columns);
  const auto known = known_axis (in);
  const double at = known.value_or (0.5 * width); // the middle, until a survey has found the axis
  if (!(at > 0 && at < width))
    fail (SINO_ERROR_BAD_FORMAT,
          "the axis at column %g is outside the detector, which has %" G_GINT64_FORMAT
          " columns: projections half a turn apart share no column; give another axis=",
          at, columns);
  const double offset = std::abs (at - 0.5 * width);
  passes = least_offset > 0 && offset < least_offset * width;
  said = known && passes ? text ("axis %.4f, %.4g columns off the middle: nothing to join", at, offset) : "";
  left = at < 0.5 * width;
  Format format = in;
  if (known && !passes && !seen->rows.empty () && seen->object_ends_before ()) {
    passes = true;
    format.object_radius = 0.5 * width - offset;
    said = text ("axis %.4f, and the object ends within %.4g columns of it, which both sides of the detector see: "
                 "nothing to join",
                 at, format.object_radius);
  }
  if (passes && known && in.geometry->axis.empty ()) { // the axis was given to this node only
    auto geometry = std::make_shared<Geometry> (*in.geometry);
    geometry->axis = {at};
    format.geometry = std::move (geometry);
  }
  if (passes)
    return format;
  return wider (in, std::move (format), at, known.has_value ());
}

// The format where both halves are joined at column `at`.
Format Stitch360::wider (const Format &in, Format format, double at, bool known)
{
  auto settled = std::make_shared<Job> ();
  if (const auto why = make_pairs (in.geometry->angles, settled->pairs); !why.empty ())
    fail (SINO_ERROR_BAD_FORMAT, "%s", why.c_str ());
  settled->join = Join (columns, at);
  if (const auto overlap = settled->join.overlap (); known && overlap < 4)
    fail (SINO_ERROR_BAD_FORMAT,
          "with the axis at column %g of %" G_GINT64_FORMAT
          ", projections half a turn apart share %.3g columns, and at least 4 are needed: give another axis=",
          at, columns, overlap);
  settled->projections = in.kind () == Kind::projections;
  settled->projections_in = in.angles ();
  said = known ? text ("axis %.4f, %.4g columns overlap%s", at, settled->join.overlap (),
                       settled->alone () ? "; no two projections are half a turn apart: none are joined" : "")
               : "";

  auto geometry = *in.geometry;
  geometry.angles.clear ();
  bool in_order = true;
  for (const auto &pair : settled->pairs) {
    in_order = in_order && pair.direct == std::ssize (geometry.angles);
    geometry.angles.push_back (in.geometry->angles[static_cast<size_t> (pair.direct)]);
  }
  geometry.axis = {at + static_cast<double> (settled->join.shift ())};
  format.geometry = std::make_shared<const Geometry> (std::move (geometry));
  auto &angle = format.dim (Axis::angle);
  angle = {Axis::angle, std::ssize (settled->pairs), in_order ? angle.first : 0, in_order ? angle.step : 1};
  auto &column = format.dim (Axis::column);
  column = {Axis::column, settled->join.width (), column.first - settled->join.shift () * column.step, column.step};
  format.companions = {};
  format.mark_changed (info.name);
  job = std::move (settled);
  return format;
}

} // namespace

SINO_REGISTER (Stitch360)

} // namespace sino::stitch_360
