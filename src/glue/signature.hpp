// SPDX-License-Identifier: LGPL-3.0-or-later
// What a node takes and gives, as data that its class states beside its Info:
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

// All that a node takes with suitable properties: negotiate () refuses what the present ones, or anything else in the
// format, exclude.
struct Signature {
  FormatSet takes = {}; // none: a source
  FormatSet gives = {}; // no kinds, or no elements: those of the first input
  // The way out where integers, or f16, are not taken, for messages; null: a usual one.
  const char *integers = nullptr, *halves = nullptr;
};

} // namespace sino
