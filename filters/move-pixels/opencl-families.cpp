// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/move-pixels/opencl-families.hpp"
#include "families/trial.hpp"
#include "filters/move-pixels/binned.hpp"
#include "filters/move-pixels/gather.hpp"
#include "filters/move-pixels/opencl-move.hpp"
#include "filters/move-pixels/shifted.hpp"
#include "filters/move-pixels/transposed.hpp"
#include "filters/point/opencl-elements.hpp"
#include "filters/point/opencl-values.hpp"
#include "kernels/opencl/source.hpp"

namespace sino::move_pixels {

using namespace families;

namespace {

constexpr Extent small{67, 23};
constexpr int64_t few = 3; // images

Element element_of (const Problem &problem)
{
  return static_cast<Element> (problem["element"]);
}

std::string copying_options (const Setting &, const Problem &problem)
{
  switch (size_of (element_of (problem))) {
  case 1:
    return " -DIN=uchar";
  case 2:
    return " -DIN=ushort";
  default:
    return " -DIN=uint";
  }
}

std::string binning_options (const Setting &, const Problem &problem)
{
  return point::element_option (element_of (problem));
}

std::string resampling_options (const Setting &, const Problem &problem)
{
  return point::element_option (element_of (problem)) +
         text (" -DCUBIC=%d -DROWS_TOO=%d", problem["interpolation"] > 0, problem["rows"] > 0);
}

// The error of a move on the device, for rows in the middle of some images: the share of wrong bytes, or the relative
// error of floats.
double trial_error (const OpenclDevice &device, const Setting &setting, const Problem &problem, Options options,
                    const Move &move)
{
  const Rows rows{1, move.to.height - 1}, needed = move.needs (rows);
  const auto format = [&] (Element element, Extent extent) {
    return std::make_shared<const Format> (
        projections (element, {Axis::angle, few}, {Axis::row, extent.height}, {Axis::column, extent.width}));
  };
  const auto in_format = format (move.element, move.from), out_format = format (move.made, move.to);
  Block in = make_block (in_format, {1}, {needed, {0, few}}), truth = make_block (out_format, {1}, {rows, {0, few}}),
        got = make_block (out_format, {1}, {rows, {0, few}});
  for (int64_t i = 0; i < in.values (); i++)
    point::store_value (move.element, in.data () + static_cast<size_t> (i) * size_of (move.element),
                        128 + 100 * noise (i));
  const Images from (in), to (truth);
  for (int64_t i = 0; i < few; i++)
    move.make ({in.data () + from.place (i, 0), needed, from.width}, i, rows, truth.data () + to.place (i, 0));
  const Monitor monitor;
  const Cpu cpu (1, monitor);
  Bill bill;
  const auto some_rows = static_cast<size_t> (move.to.width * 8) * sizeof (double); // the tables come in parts
  move.device_memory (
      {.rows_in = needed.size (), .rows_out = rows.size (), .images = few, .threads = 1, .largest_table = some_rows},
      bill);
  Allotment memory (bill);
  OpenclQueues queues (device);
  const auto there = move.on ({queues, memory, cpu, setting, problem, options, some_rows});
  compute (device, in.all (), got.all (), [&] (auto &, auto &source, auto &target) {
    there->enqueue (from, source, to, target);
    queues.finish ();
  });
  if (move.made != Element::f32)
    return share_different (got.all (), truth.all ());
  RelativeError error;
  for (int64_t i = 0; i < truth.values (); i++)
    error.add (double{got.as<float> ()[i]}, double{truth.as<float> ()[i]});
  return error.value ();
}

// Positions between rows and columns, some beyond the borders.
class Slanted final : public Resampled
{
public:
  Slanted (Element e, Interpolation i) : Resampled (e, small, i, Mixes::rows_too) {}

protected:
  void points (int64_t, int64_t row, Interval columns, double *from_columns, double *from_rows) const override
  {
    fill (columns, from_columns, from_rows, [&] (int64_t column) {
      return Point{1.3 * static_cast<double> (column) - 8.2, source_row (column, row)};
    });
  }
  Reach reach_of (int64_t row) const override { return {source_row (0, row), source_row (small.width - 1, row)}; }

private:
  static double source_row (int64_t column, int64_t row)
  {
    return 0.9 * static_cast<double> (row) - 3.4 + 0.1 * static_cast<double> (column);
  }
};

double try_copies (const OpenclDevice &device, const Setting &setting, const Problem &problem)
{
  Indices columns = in_order (-5, small.width), rows = in_order (0, small.height);
  for (auto &column : columns)
    column = column % 4 == 1 ? nowhere : std::abs (column);
  std::ranges::reverse (rows);
  rows[3] = nowhere;
  return trial_error (device, setting, problem, copying_options, Gather (element_of (problem), small, columns, rows));
}

double try_transposing (const OpenclDevice &device, const Setting &setting, const Problem &problem)
{
  return trial_error (device, setting, problem, copying_options, Transposed (element_of (problem), small));
}

double try_binning (const OpenclDevice &device, const Setting &setting, const Problem &problem)
{
  return trial_error (device, setting, problem, binning_options, Binned (element_of (problem), small, {3, 4}, 1. / 12));
}

double try_resampling (const OpenclDevice &device, const Setting &setting, const Problem &problem)
{
  const auto element = element_of (problem);
  const auto interpolation = static_cast<Interpolation> (problem["interpolation"]);
  if (problem["rows"] > 0)
    return trial_error (device, setting, problem, resampling_options, Slanted (element, interpolation));
  return trial_error (device, setting, problem, resampling_options,
                      Shifted (element, small, interpolation, {{0.3, 0}, {-20.6, 0}, {7, 0}}, false));
}

Family family_of (const char *node, const char *source, std::vector<Word> words, Problem usual, Options options,
                  double (*trial) (const OpenclDevice &, const Setting &, const Problem &), double most_error)
{
  return {.name = node,
          .words = std::move (words),
          .kernels = {point::value_kernel ({source, opencl::opencl_source})},
          .any_lanes = true,
          .takes_projections = true,
          .native_on_cpus = true,
          .usual = std::move (usual),
          .options = options,
          .trial = trial,
          .most_error = most_error};
}

} // namespace

Family copying_family (const char *node)
{
  return family_of (node, "move-pixels/gather.cl", {point::element_word ()}, copying_problem (Element::u16),
                    copying_options, try_copies, 0);
}

Family transposing_family (const char *node)
{
  return family_of (node, "move-pixels/transpose.cl", {point::element_word ()}, copying_problem (Element::u16),
                    copying_options, try_transposing, 0);
}

Family binning_family (const char *node)
{
  return family_of (node, "move-pixels/bin.cl", {point::element_word ()}, binning_problem (Element::u16),
                    binning_options, try_binning, 0);
}

Family resampling_family (const char *node, const std::vector<Word> &words)
{
  auto all = words;
  all.insert (all.end (),
              {{.name = "interpolation", .help = "", .values = {"linear", "cubic"}, .from = Word::From::scan},
               {.name = "rows", .help = "", .values = {"columns", "both"}, .from = Word::From::scan},
               point::element_word ()});
  return family_of (node, "move-pixels/sample.cl", all, resampling_problem (Element::f32, Interpolation::linear, true),
                    resampling_options, try_resampling, 1e-6);
}

Problem copying_problem (Element element)
{
  return {1, 1000, {{"element", static_cast<int64_t> (element)}}};
}

Problem binning_problem (Element element)
{
  return copying_problem (element);
}

Problem resampling_problem (Element element, Interpolation interpolation, bool rows_too)
{
  auto problem = copying_problem (element);
  problem.words["interpolation"] = static_cast<int64_t> (interpolation);
  problem.words["rows"] = rows_too ? 1 : 0;
  return problem;
}

} // namespace sino::move_pixels
