// SPDX-License-Identifier: LGPL-3.0-or-later
// Puts together the parts of a composite that takes a scan.
#pragma once
#include "glue/composite.hpp"

namespace sino::composite {

// Adds parts one after the other. The input of the composite has its own number.
class Builder
{
public:
  static constexpr size_t input = SIZE_MAX;

  // Returns the number of the part. `from`: numbers of the parts that feed its inputs.
  size_t add (std::string name, const char *type, std::vector<Expansion::Setting> settings,
              std::initializer_list<size_t> from)
  {
    const auto number = made.parts.size ();
    made.parts.push_back ({std::move (name), type, std::move (settings), {}});
    size_t port = 0;
    for (const auto part : from) {
      if (part == input)
        made.feeds.push_back ({0, number, port});
      else
        made.wires.push_back ({part, number, port});
      port++;
    }
    made.output = number;
    return number;
  }

  // What `reconstruct` would do to the scan each time: NaN is filled, and an unknown axis is found. Returns the number
  // of the last part.
  size_t prepare (const Format &in)
  {
    auto last = input;
    if (!in.finite)
      last = add ("fill-holes", "fill-holes", {}, {last});
    if (in.geometry && !in.geometry->angles.empty () && in.geometry->axis.empty () && in.geometry->views.empty ())
      last = add ("find-axis", "find-axis", {}, {last});
    return last;
  }

  // Returns all of it. The last part gives the output.
  Expansion take (std::string why)
  {
    made.why = std::move (why);
    return std::move (made);
  }

private:
  Expansion made;
};

} // namespace sino::composite
