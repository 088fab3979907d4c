// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/flat-field/family.hpp"
#include "filters/flat-field/opencl-corrector.hpp"
#include "filters/point/opencl-elements.hpp"
#include "kernels/opencl/source.hpp"

namespace sino::flat_field {

using namespace families;
using point::store_value;

namespace {

// A scan with flats before and after it, dead pixels, counts that are too low and too high, in two groups of lanes.
class Trial
{
public:
  Trial (Element element, bool absorption)
      : log (absorption), format (std::make_shared<const Format> (
                              sinograms (element, {Axis::row, rows}, {Axis::angle, angles}, {Axis::column, columns}))),
        block (make_block (format, {lanes}, {{0, rows}, {0, angles}})),
        references (block, {frame (5, 0, false)}, {frame (200, 40, true), frame (190, 60, true)}, absorption, top)
  {
    for (int64_t row = 0; row < rows; row++)
      for (int64_t angle = 0; angle < angles; angle++)
        for (int64_t column = 0; column < columns; column++)
          store_value (element,
                       block.data () +
                           static_cast<size_t> (block.offset (angle, row) + column * lanes) * size_of (element),
                       static_cast<float> ((row * 31 + angle * 7 + column) % 180));
  }

  const bool log;
  const std::shared_ptr<const Format> format;
  Block block;
  const References references;
  static constexpr float top = 178;
  static constexpr int64_t rows = 5, angles = 19, columns = 37;
  static constexpr int lanes = 4;
  static constexpr double positions[] = {-0.5, 12};

  struct Counted {
    int64_t low = 0, filled = 0;
  };

  // Result of the native kernels; returns how many values were clamped, and how many filled.
  Counted truth (std::vector<float> &out) const
  {
    const auto line = columns * lanes, size = static_cast<int64_t> (size_of (format->element));
    const std::vector<double> when (std::begin (positions), std::end (positions));
    Counted counted;
    for (int64_t i = 0; i < block.values () / line; i++) {
      counted.low += correct (format->element, block.data () + i * line * size,
                              references.at (i / angles, static_cast<double> (i % angles), when), log, line,
                              &out[static_cast<size_t> (i * line)]);
      counted.filled += references.patch (i / angles, &out[static_cast<size_t> (i * line)]);
    }
    return counted;
  }

private:
  static Frame frame (float level, int64_t change, bool white)
  {
    Frame one{{0, rows}, columns, {}};
    for (int64_t i = 0; i < rows * columns; i++)
      one.values.push_back (level + static_cast<float> (change > 0 ? i * 13 % change : i % 3));
    for (const int64_t dead : {int64_t{0}, columns + 9, columns + 10, 3 * columns - 1})
      if (white)
        one.values[static_cast<size_t> (dead)] = 0;
    return one;
  }
};

// The largest error, relative to values of 1. A wrong count is an error of 1.
double trial_error (const OpenclDevice &device, const Setting &setting, const Problem &problem)
{
  const Trial trial (static_cast<Element> (problem["element"]), problem["absorption"] == 0);
  const auto &block = trial.block;
  std::vector<float> truth (static_cast<size_t> (block.values ())), got (truth.size ());
  const auto counted = trial.truth (truth);
  return device.attempt ([&] {
    const cl::Buffer in (device.context (), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, block.bytes (),
                         const_cast<std::byte *> (block.data ())),
        out (device.context (), CL_MEM_READ_WRITE, got.size () * sizeof (float));
    Bill bill;
    OpenclCorrector::memory (trial.references.darks ().size (), std::ssize (Trial::positions), Trial::angles, bill);
    Allotment memory (bill);
    OpenclQueues queues (device);
    OpenclCorrector corrector (queues, setting, problem, memory);
    corrector.take_moments (Trial::positions, Trial::angles);
    corrector.take (trial.references);
    corrector.enqueue (block, in, out);
    queues.kernels.enqueueReadBuffer (out, CL_TRUE, 0, got.size () * sizeof (float), got.data ());
    const bool same = corrector.clamped () == counted.low && corrector.filled () == counted.filled;
    return same ? point::largest_error (got, truth) : 1;
  });
}

} // namespace

const Family &family ()
{
  static const Family all{
      .name = "flat-field",
      .words = {{.name = "absorption", .help = "-ln of the transmission", .values = {"true", "false"}},
                point::element_word ()},
      .kernels = {{.name = "opencl",
                   .summary = "OpenCL kernel",
                   .source = {"flat-field/flat-field.cl", opencl::opencl_source},
                   .lanes = {1},
                   .parameters = {{.name = "GROUP", .values = {256, 128, 64}},
                                  {.name = "ANGLES", .values = {4, 1, 2, 8, 16}}},
                   .shape = group_shape}},
      .any_lanes = true,
      .takes_projections = true,
      .native_on_cpus = true,
      .usual = problem_of (Element::u16, true),
      .options = options,
      .trial = trial_error,
      .most_error = 1e-6};
  return all;
}

} // namespace sino::flat_field
