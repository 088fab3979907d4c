// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/opencl/lines.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <bit>

namespace sino::opencl {

namespace {

constexpr int64_t most_items = 512; // of a group, so that each has 128 registers
constexpr int64_t row_items = 128;  // of a group of rows: several small groups hide each other's waits
constexpr int64_t banks = 32;       // of local memory

// With the same radix at the begin and the end, values need not be exchanged between two transforms.
void match_ends (std::vector<int> &radices)
{
  for (size_t i = 0; i < radices.size (); i++)
    for (size_t j = radices.size () - 1; j > i; j--)
      if (radices[i] == radices[j]) {
        std::swap (radices[0], radices[i]);
        return std::swap (radices.back (), radices[j]);
      }
}

} // namespace

int Lines::beside () const
{
  const auto values = plan.length + plan.length / 16, columns_apart = banks / columns % banks;
  return static_cast<int> (values + ((columns_apart - values) % banks + banks) % banks);
}

std::string Lines::options () const
{
  return plan.options () +
         text (" -DROWS=%d -DCOLUMNS=%d -DTOGETHER=%d -DBESIDE=%d", plan.lines, columns, together, beside ()) +
         (powers ? " -DPOWERS" : "");
}

std::vector<families::Parameter> lines_parameters ()
{
  return {{.name = "ROWS", .values = {0, 1, 2, 4, 8}}, // of a group; 0: the usual number
          {.name = "COLUMNS", .values = {4, 8, 2, 1}}, // of a group, at most
          {.name = "TOGETHER", .values = {4, 8, 16, 2}},
          {.name = "POWERS", .values = {1, 0}},
          {.name = "UNROLL", .values = {1, 0}, .on_cpus = 0}};
}

std::optional<Lines> lines_for (int64_t size, const OpenclFacts &facts, const families::Setting &setting)
{
  auto plan = size > 0 ? line_plan (size, facts) : std::nullopt;
  if (!plan)
    return {};
  match_ends (plan->radices);
  plan->unrolled = setting["UNROLL"] == 1;
  const auto most = std::min (most_items, static_cast<int64_t> (facts.largest_group)) / plan->items;
  const auto rows = setting["ROWS"] > 0 ? setting["ROWS"] : row_items / plan->items;
  const auto together = setting["TOGETHER"];
  const auto columns = std::clamp<int64_t> (std::min (most, int64_t{together}), 1, setting["COLUMNS"]);
  Lines lines{.plan = *plan,
              .columns = static_cast<int> (std::bit_floor (static_cast<unsigned> (columns))),
              .together = together,
              .powers = setting["POWERS"] == 1};
  while (lines.columns > 1 &&
         static_cast<size_t> (lines.columns * lines.beside ()) * sizeof (float) > facts.local_memory)
    lines.columns /= 2;
  lines.plan.lines = static_cast<int> (std::bit_floor (static_cast<unsigned> (std::clamp<int64_t> (rows, 1, most))));
  while (lines.plan.lines > 1 && lines.plan.local_memory () > facts.local_memory)
    lines.plan.lines /= 2;
  return lines;
}

} // namespace sino::opencl
