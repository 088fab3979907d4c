// SPDX-License-Identifier: LGPL-3.0-or-later
// A node with an OpenCL kernel that says how long the kernel takes, and how long it will: tests/unit/time-ratios.cpp.
#include "glue/binding.hpp"
#include "glue/workers/kernel-point-filter.hpp"
#include "tests/nodes/square.hpp"

namespace sino::test::timed {

namespace {

const families::Family &family ();

class Square final : public KernelPointFilter
{
public:
  families::Use opencl{family ()};

  const families::Use *kernels () const override { return &opencl; }
  Format negotiate (std::span<const Format *const> inputs) override
  {
    opencl.negotiated (family ().usual);
    return *inputs[0];
  }
  void process (const Cpu &, const Block &in, Block &out) const override
  {
    for (int64_t i = 0; i < in.values (); i++)
      out.as<float> ()[i] = in.as<float> ()[i] * in.as<float> ()[i];
  }
};

const families::Family &family ()
{
  static const auto all = [] {
    auto one = point_family<Square> ("test-timed", {point_kernel ("one", "a value by an item", square_source),
                                                    point_kernel ("four", "four values by an item", square_source, 4)});
    one.native_on_cpus = false; // so that tests choose it on CPUs
    return one;
  }();
  return all;
}

class Timed final : public PointFilter
{
public:
  static constexpr Info info{"test-timed", "Squares values, with given times"};
  Square square;
  double predicted = 0, taken = 0;
  std::string variant = "auto";
  static constexpr Property properties[] = {
      prop<&Timed::predicted> ("predicted", "Seconds that it says to need for all rows", {0, 1e6}),
      prop<&Timed::taken> ("taken", "Seconds that it says to have needed, beside those of its kernel", {0, 1e6}),
      prop<&Timed::variant> ("variant", "Its kernel"),
  };

  const families::Use *kernels () const override { return square.kernels (); }
  double seconds (const Device &, int) const override { return predicted; }
  Format negotiate (std::span<const Format *const> inputs) override
  {
    square.opencl.variant = variant;
    return square.negotiate (inputs);
  }
  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    replica.counters.add ("kernel-microseconds", static_cast<int64_t> (1e6 * taken));
    return square.start (replica);
  }
};

SINO_REGISTER (Timed)

} // namespace

} // namespace sino::test::timed
