// SPDX-License-Identifier: LGPL-3.0-or-later
// What negotiation settles for an edge: element type, named axes, geometry, companions.
#pragma once
#include "stream/frames.hpp"
#include "stream/geometry.hpp"
#include "stream/values.hpp"
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace sino {

enum class Axis : uint8_t { angle, row, column, z, y, x };

SINO_VISIBLE const char *name_of (Axis axis);

struct Dim {
  Axis axis;
  int64_t extent;
  int64_t first = 0, step = 1; // place in the scan: index i of the stream is first + i * step of the scan

  int64_t number (int64_t i) const { return first + i * step; }
  friend bool operator== (const Dim &, const Dim &) = default;
};

struct Companions {
  std::shared_ptr<const Frames> darks, flats;
  std::string from; // the node that brought them, for messages
  bool any () const { return darks || flats; }
};

// The shapes that streams have. `other` is for anything else with a row or z axis.
enum class Kind : uint8_t { projections, sinograms, slices, other };

SINO_VISIBLE const char *name_of (Kind kind); // "slices"

struct SINO_VISIBLE Format {
  Element element = Element::f32;
  std::vector<Dim> axes; // outermost first
  std::shared_ptr<const Geometry> geometry;
  Companions companions;
  std::string source;     // the node that the stream begins at, for messages; the runtime sets it
  std::string changed_by; // the node that first changed values: the companions no longer fit then. Empty: raw counts
  Meaning values = Meaning::open;
  std::shared_ptr<const Look> look; // at the values as they are here; null: nothing can be seen before a run
  // Greatest value of the integer type that f32 values had in their file. Infinite for other values.
  float top = std::numeric_limits<float>::infinity ();
  bool finite = true;       // whether all values are numbers, and none is infinite, as far as is known
  bool any_lanes = false;   // sinograms come in whatever lanes are wanted
  bool truncated = false;   // values do not fall to zero at the borders of rows, as something that looked found
  double object_radius = 0; // columns from the axis within which something that looked saw the object end; 0: unknown
  std::string filtered_by;  // the node that gave rows the ramp of filtered back-projection; empty: they have none

  Kind kind () const;
  bool has (Axis axis) const;
  const Dim &dim (Axis axis) const; // throws when the axis is missing
  Dim &dim (Axis axis);
  int64_t extent (Axis axis) const { return has (axis) ? dim (axis).extent : 1; }

  // The axis along which slabs are cut: row or z.
  Axis slab_axis () const;
  // Whether it is the outermost one, so that a row lies in one piece.
  bool rows_first () const;
  int64_t rows () const { return dim (slab_axis ()).extent; }
  int64_t angles () const { return extent (Axis::angle); }
  // Extent of what is never cut: columns, or y * x.
  int64_t line () const;
  // What dead and saturated pixels have, as long as values are counts; infinite where nothing tells it.
  float greatest () const;
  // Bytes of the whole array.
  double bytes () const;

  // Every filter that gives other values says so.
  void mark_changed (const std::string &node)
  {
    if (changed_by.empty ())
      changed_by = node;
    values = Meaning::open;
    look = nullptr;
  }

  // "u16 projections (angle 181, row 2, column 640)"
  std::string describe () const;
};

SINO_VISIBLE Format projections (Element element, Dim angle, Dim row, Dim column);
SINO_VISIBLE Format sinograms (Element element, Dim row, Dim angle, Dim column);
SINO_VISIBLE Format slices (Element element, Dim z, Dim y, Dim x);

} // namespace sino
