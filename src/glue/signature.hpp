// SPDX-License-Identifier: LGPL-3.0-or-later
// Input and output formats of a node, as a constant of its class beside its Info:
//
//   static constexpr Signature signature{.takes = {scan_kinds, Element::f32}, .gives = {Kind::slices}};
#pragma once
#include "stream/format.hpp"
#include <vector>

namespace sino {

// A set of values of an enumeration: Kind::projections | Kind::slices.
template <class E> class Set
{
public:
  constexpr Set () = default;
  constexpr Set (E value) : bits (1u << static_cast<unsigned> (value)) {}
  constexpr bool has (E value) const { return (bits & Set (value).bits) != 0; }
  constexpr bool empty () const { return bits == 0; }
  // The values, in the order of the enumeration.
  std::vector<E> list () const
  {
    std::vector<E> values;
    for (unsigned i = 0; bits >> i != 0; i++)
      if (const auto value = static_cast<E> (i); has (value))
        values.push_back (value);
    return values;
  }
  friend constexpr Set operator| (Set a, Set b)
  {
    a.bits |= b.bits;
    return a;
  }
  friend constexpr bool operator== (Set, Set) = default;

private:
  unsigned bits = 0;
};
using Kinds = Set<Kind>;
using Elements = Set<Element>;

constexpr Kinds operator| (Kind a, Kind b)
{
  return Kinds (a) | Kinds (b);
}
constexpr Elements operator| (Element a, Element b)
{
  return Elements (a) | Elements (b);
}

constexpr Kinds scan_kinds = Kind::projections | Kind::sinograms;
constexpr Kinds image_kinds = scan_kinds | Kind::slices;
constexpr Kinds any_kind = image_kinds | Kind::other;
constexpr Elements any_element = Element::u8 | Element::u16 | Element::f16 | Element::f32;

// All formats of these kinds with these element types.
struct FormatSet {
  Kinds kinds = {};
  Elements elements = {};
};

// All formats that a node can take and give. negotiate () may refuse some of them, because of present properties or
// other facts in the format.
struct Signature {
  FormatSet takes = {}; // input formats; none: the node is a source
  FormatSet gives = {}; // output formats; without kinds, or element types: those of the first input
  // Advice for messages if integers, or f16, are not taken; null: the usual advice.
  const char *integers = nullptr, *halves = nullptr;
};

} // namespace sino
