// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/line-plan.hpp"
#include "base/text.hpp"
#include "device/opencl-memory.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sino {

namespace {

constexpr size_t most_radices = 5;
constexpr int64_t usual_values = 16;             // values per work-item, in registers
constexpr int64_t group = 256, long_group = 512; // work-items of a group: for several short lines, for one long line

// Factors that are powers of two, as few and as equal as possible, larger ones first.
std::vector<int> radices_of (int64_t length)
{
  std::vector<int> odd, even;
  for (const int radix : {5, 3})
    for (; length % radix == 0; length /= radix)
      odd.push_back (radix);
  int powers = 0;
  for (; length % 2 == 0; length /= 2)
    powers++;
  if (length != 1)
    return {};
  for (int left = (powers + 3) / 4; left > 0; left--) {
    const int power = divide_up (powers, left);
    even.push_back (1 << power);
    powers -= power;
  }
  even.insert (even.end (), odd.begin (), odd.end ());
  return even;
}

} // namespace

int LinePlan::values () const
{
  int64_t most = 0;
  for (const int radix : radices)
    most = std::max (most, divide_up (length / radix, items) * radix);
  return static_cast<int> (most);
}

size_t LinePlan::local_memory () const
{
  return static_cast<size_t> (lines * (length + length / 16)) * sizeof (float);
}

std::string LinePlan::options () const
{
  auto all = text ("-cl-std=CL1.2 -DLENGTH=%d -DITEMS=%d -DLINES=%d -DLAST=%d -DVALUES=%d", static_cast<int> (length),
                   items, lines, radices.back (), values ());
  for (size_t i = 0; i < most_radices; i++)
    all += text (" -DR%zu=%d", i, i < radices.size () ? radices[i] : 1);
  return all + (unrolled ? " -DUNROLL" : "");
}

size_t LinePlan::turns_bytes () const
{
  return static_cast<size_t> (length) * sizeof (cl_float2);
}

std::optional<LinePlan> line_plan (int64_t length, const OpenclFacts &facts)
{
  LinePlan plan{.length = length, .radices = radices_of (length), .items = 1, .lines = 1, .unrolled = facts.gpu};
  if (length < 2 || plan.radices.empty () || plan.radices.size () > most_radices)
    return {};
  const auto most = std::min (long_group, static_cast<int64_t> (facts.largest_group));
  const auto wanted = divide_up (length, usual_values);
  plan.items = static_cast<int> (divide_up (wanted, divide_up (wanted, most)));
  plan.lines = static_cast<int> (std::clamp<int64_t> (std::min (group, most) / plan.items, 1, 64));
  while (plan.lines > 1 && plan.local_memory () > facts.local_memory)
    plan.lines /= 2;
  if (plan.local_memory () > facts.local_memory)
    return {};
  return plan;
}

cl::Buffer take_turns (const OpenclDevice &device, const LinePlan &plan, Allotment &memory, const char *item)
{
  std::vector<cl_float2> turns;
  for (int64_t k = 0; k < plan.length; k++) {
    const double angle = 2 * std::numbers::pi * static_cast<double> (k) / static_cast<double> (plan.length);
    turns.push_back ({{static_cast<float> (std::cos (angle)), static_cast<float> (std::sin (angle))}});
  }
  return take_table (device, memory, item, turns);
}

} // namespace sino
