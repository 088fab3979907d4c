// SPDX-License-Identifier: LGPL-3.0-or-later
// A node with OpenCL kernels of its own, as a module from elsewhere may have it: tests/cli/own-kernels.py.
#include "tests/nodes/square.hpp"
#include "base/error.hpp"
#include "glue/binding.hpp"
#include "glue/workers/kernel-point-filter.hpp"

namespace {
using namespace sino;

const families::Family &family ();

class Square final : public KernelPointFilter
{
public:
  static constexpr Info info{"square", "Square values"};
  families::Use opencl{family ()};
  static constexpr auto properties = kernel_properties<&Square::opencl> ();

  const families::Use *kernels () const override { return &opencl; }

  Format negotiate (std::span<const Format *const> inputs) override
  {
    if (inputs[0]->element != Element::f32)
      fail (SINO_ERROR_BAD_FORMAT, "wants f32 values, got %s", inputs[0]->describe ().c_str ());
    auto problem = family ().usual;
    problem.words["columns"] = inputs[0]->line ();
    opencl.negotiated (problem);
    return *inputs[0];
  }

  void process (const Cpu &cpu, const Block &in, Block &out) const override
  {
    cpu.parallel (in.values (), 1 << 16, [&] (int64_t begin, int64_t end) {
      for (auto i = begin; i < end; i++)
        out.as<float> ()[i] = in.as<float> ()[i] * in.as<float> ()[i];
    });
  }
};

const families::Family &family ()
{
  static const auto all = [] {
    const auto &source = test::square_source;
    auto two = point_family<Square> ("square", {point_kernel ("four", "four values by an item", source, 4),
                                                point_kernel ("one", "a value by an item", source)});
    two.words = {{.name = "columns", .help = "Of a row", .from = families::Word::From::scan}};
    two.usual.words = {{"columns", 1024}};
    two.native_on_cpus = false; // so that tests choose it on CPUs
    for (auto &kernel : two.kernels) {
      kernel.parameters.push_back ({"FAULT", {0, 1}, true});
      kernel.parameters[0].values.push_back (1 << 20); // larger than groups can be
    }
    two.kernels[0].contradiction = [] (const families::Setting &, const families::Problem &problem,
                                       const OpenclFacts &) {
      return std::string (problem["columns"] % 4 ? "wants rows of whole fours" : "");
    };
    return two;
  }();
  return all;
}

SINO_REGISTER (Square)

} // namespace
