// SPDX-License-Identifier: LGPL-3.0-or-later
// A filter of neighbours with an OpenCL kernel, in a module that is built against the installed files: new-filter.py.
#include "glue/module-entry.hpp"
#include "glue/workers/kernel-properties.hpp"
#include "glue/workers/neighbours.hpp"
#include <cmath>
#include <fstream>
#include <iterator>

namespace {
using namespace sino;

const families::Family &family ();

class Peak final : public NeighbourFilter
{
public:
  static constexpr Info info{"peak", "The greatest of the values around each"};
  families::Use opencl{family ()};
  static constexpr auto properties = kernel_properties<&Peak::opencl> ();

  const families::Use *kernels () const override { return &opencl; }
  int64_t reach_along (Axis) const override { return 1; }
  Format filtered (const Format &input) override
  {
    opencl.negotiated (family ().usual);
    Format output = input;
    output.mark_changed (info.name);
    return output;
  }
  std::unique_ptr<LineMaker> line_maker (int64_t step) const override { return std::make_unique<Maker> (step); }

private:
  struct Maker final : LineMaker {
    const int64_t step;
    explicit Maker (int64_t s) : step (s) {}
    void make (std::span<const NearLine> window, int64_t values, std::byte *out) override
    {
      auto *to = reinterpret_cast<float *> (out);
      std::fill_n (to, values, -INFINITY);
      for (const auto &line : window)
        for (int64_t i = 0; i < values; i++)
          for (const auto column : {-step, int64_t{0}, step})
            to[i] = std::fmax (to[i], reinterpret_cast<const float *> (line.values)[i + column]);
    }
  };
};

std::string text_of (const std::string &)
{
  std::string all = "#define IN float\n";
  for (const char *path : {KERNELS "/neighbours/neighbours.cl", FOLDER "/peak.cl"}) {
    std::ifstream file (path);
    all.append (std::istreambuf_iterator<char> (file), {});
  }
  return all;
}

const families::Family &family ()
{
  static const families::Family all{
      .name = "peak",
      .words = {},
      .kernels = {neighbour_kernel ("plain", "a value by a work-item", {"peak.cl", text_of})},
      .any_lanes = true,
      .takes_projections = true,
      .native_on_cpus = true,
      .usual = {1, 1000, {}},
      .trial =
          [] (const OpenclDevice &device, const families::Setting &setting, const families::Problem &problem) {
            return Peak ().trial (Kind::projections, Element::f32, device, setting, problem);
          },
      .most_error = 0};
  return all;
}

SINO_REGISTER (Peak)

} // namespace

SINO_MODULE
