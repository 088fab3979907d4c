// SPDX-License-Identifier: LGPL-3.0-or-later
// Replaces values that stick out by medians, and leaves all others as they are.
#include "filters/median/family.hpp"
#include "filters/opencl/arguments.hpp"
#include "filters/point/limited.hpp"
#include "glue/module.hpp"
#include "glue/workers/kernel-properties.hpp"
#include "kernels/opencl/source.hpp"
#include "kernels/remove-outliers/outliers.hpp"

namespace sino::remove_outliers {
namespace {
using remove_outliers::Sign;

// Counts the values that were replaced.
struct Tally {
  Counters &counters;
  std::shared_ptr<point::Limited> limited; // shared by the replicas

  void add (int64_t replaced) const
  {
    counters.add ("replaced", replaced);
    limited->add (replaced, 0);
  }
};

const families::Family &family ();

class Maker final : public median::MedianMaker, NoCopy
{
public:
  Maker (Element e, median::MedianWindow w, int64_t s, Sign which, float t, Tally where)
      : MedianMaker (e, w, s), sign (which), threshold (t), tally (std::move (where))
  {
  }
  ~Maker () override { tally.add (replaced); }

  void make (std::span<const NearLine> near, int64_t values, std::byte *out) override
  {
    MedianMaker::make (near, values, out);
    own.resize (static_cast<size_t> (values) * size_of (element));
    median::median_values (element, near[near.size () / 2].values, values, own.data ());
    replaced += remove_outliers::replace_outliers (element, own.data (), values, sign, threshold, out);
  }

private:
  const Sign sign;
  const float threshold;
  const Tally tally;
  std::vector<std::byte> own; // the original values of the line
  int64_t replaced = 0;
};

class RemoveOutliers final : public NeighbourFilter
{
public:
  static constexpr Info info{"remove-outliers", "Replace outliers by the median of their neighbourhood"};

  double threshold = 0;
  Sign sign = Sign::bright;
  median::WindowSettings settings;
  families::Use opencl{family ()};

  static constexpr Nick<Sign> signs[] = {{Sign::bright, "bright"}, {Sign::dark, "dark"}, {Sign::both, "both"}};
  static constexpr auto properties = joined (
      std::array{
          prop<&RemoveOutliers::threshold> (
              "threshold", "Least difference of an outlier from the median, in the unit of the values", Range{0, 1e30}),
          prop<&RemoveOutliers::sign> ("sign", "bright: values above the median; dark: below; both", signs)},
      group<&RemoveOutliers::settings> (), kernel_properties<&RemoveOutliers::opencl> ());

  const families::Use *kernels () const override { return &opencl; }

  Format filtered (const Format &input) override
  {
    settings.check (input, info.name);
    if (threshold == 0)
      fail (SINO_ERROR_BAD_PROPERTY, "threshold= is missing: give the least difference of an outlier from the values "
                                     "around it, in the unit of the values");
    limited = nullptr;
    opencl.negotiated (median::window_problem (settings, input));
    Format output = input;
    output.mark_smoothed (info.name);
    return output;
  }

  int64_t reach_along (Axis axis) const override { return settings.reach_along (axis, input_format ()); }

  void prepare (const Replica &replica) override
  {
    if (!limited)
      limited = std::make_shared<point::Limited> (replica.messages);
    counters = &replica.counters;
  }

  std::unique_ptr<LineMaker> line_maker (int64_t step) const override
  {
    return std::make_unique<Maker> (input_format ().element, settings.window (), step, sign,
                                    static_cast<float> (threshold), Tally{*counters, limited});
  }
  void set_arguments (cl::Kernel &kernel, unsigned first) const override
  {
    opencl::set (kernel, first, static_cast<cl_float> (threshold), static_cast<int> (sign));
  }
  std::function<void (int64_t)> take_count () const override
  {
    return [tally = Tally{*counters, limited}] (int64_t replaced) { tally.add (replaced); };
  }

  size_t line_memory (int64_t step) const override
  {
    const auto element = input_format ().element;
    return median::median_scratch (element, settings.window (), step) +
           static_cast<size_t> (input_format ().axes[2].extent * step) * size_of (element);
  }

  // On the CPU, time for the medians, and about the time to read or write the bytes in memory.
  double seconds (const Device &device, int threads) const override
  {
    if (on_device (device))
      return 0;
    return input_format ().bytes () * (median::median_operations (settings.window ()) / 1.5e11 + 1e-10) / threads;
  }

  void finish () override
  {
    if (!limited)
      return;
    const auto &in = input_format ();
    limited->add (0, static_cast<int64_t> (in.bytes ()) / static_cast<int64_t> (size_of (in.element)));
    limited->tell ("values were replaced: there are usually fewer outliers, is threshold= too low?");
  }

private:
  Counters *counters = nullptr;
  std::shared_ptr<point::Limited> limited;
};

const families::Family &family ()
{
  static const auto all = median::window_family (
      "remove-outliers", {"remove-outliers/remove-outliers.cl", opencl::opencl_source},
      {{.name = "threshold", .help = "Least difference of an outlier"}},
      [] (const OpenclDevice &device, const families::Setting &setting, const families::Problem &problem) {
        RemoveOutliers task;
        const auto element = static_cast<Element> (problem["element"]);
        task.threshold = element == Element::u8 ? 60 : element == Element::u16 ? 15000 : 0.5;
        return median::try_window (task, task.settings, device, setting, problem);
      });
  return all;
}

} // namespace

SINO_REGISTER (RemoveOutliers)

} // namespace sino::remove_outliers
