// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/scan/turned.hpp"
#include "tasks/files/stack-over.hpp"
#include <cstring>
#include <numeric>
#include <utility>

namespace sino::files {

namespace {

class TurnedStack final : public StackOver
{
public:
  explicit TurnedStack (std::shared_ptr<const Stack> s) : StackOver (std::move (s))
  {
    std::swap (pages, lines);
    std::swap (unit.pages, unit.lines);
  }

  void read (const Part &part, std::byte *out, const Reading &reading) const override
  {
    const auto line = part.columns.size () * pixel (*this);
    if (part.lines.size () == 1) {
      stack->read ({part.lines, part.pages, part.columns}, out, reading);
      return;
    }
    std::vector<std::byte> sinogram (part.pages.size () * line);
    for (size_t row = 0; row < part.lines.size (); row++) {
      stack->read ({part.lines.subspan (row, 1), part.pages, part.columns}, sinogram.data (), reading);
      for (size_t angle = 0; angle < part.pages.size (); angle++)
        std::memcpy (out + (angle * part.lines.size () + row) * line, sinogram.data () + angle * line, line);
    }
  }

  // A missing pixel affects every projection, as each has a line of every sinogram.
  std::vector<int64_t> unwritten () const override
  {
    std::vector<int64_t> all (stack->unwritten ().empty () ? 0 : static_cast<size_t> (pages));
    std::iota (all.begin (), all.end (), 0);
    return all;
  }

  size_t scratch (int threads) const override
  {
    return stack->scratch (threads) + (lines > 1 ? static_cast<size_t> (pages * columns) * pixel (*this) : 0);
  }
};

} // namespace

std::shared_ptr<const Stack> turned (std::shared_ptr<const Stack> stack)
{
  return std::make_shared<TurnedStack> (std::move (stack));
}

} // namespace sino::files
