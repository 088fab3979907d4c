// SPDX-License-Identifier: LGPL-3.0-or-later
// The properties of an edge that negotiation settles: element type, named axes, geometry, companions.
#pragma once
#include "stream/count-noise.hpp"
#include "stream/frames.hpp"
#include "stream/geometry.hpp"
#include "stream/materials.hpp"
#include "stream/scale.hpp"
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
  int64_t first = 0, step = 1; // index i of the stream is index first + i * step of the scan

  int64_t number (int64_t i) const { return first + i * step; }
  friend bool operator== (const Dim &, const Dim &) = default;
};

struct Companions {
  std::shared_ptr<const Frames> darks, flats;
  std::string from; // the node that added them, for messages
  bool any () const { return darks || flats; }
};

// Kinds of streams by their axes. `other` is any other stream with a row or z axis.
enum class Kind : uint8_t { projections, sinograms, slices, other };

SINO_VISIBLE const char *name_of (Kind kind); // "slices"

struct SINO_VISIBLE Format {
  Element element = Element::f32;
  std::vector<Dim> axes; // outermost first
  std::shared_ptr<const Geometry> geometry;
  Companions companions;
  std::string source; // the node at which the stream begins, for messages; set by the runtime
  std::string
      changed_by; // the first node that changed values, after which the companions do not fit; empty: raw counts
  Meaning values = Meaning::open;
  // What the values stand for is a line integral per unit of geometry->pixel_size, as attenuation is.
  bool per_length = false;
  std::shared_ptr<const Look> look; // reads a few of these values before a run; null: not possible
  // Greatest value of the integer type that f32 values had in their file. Infinite for other values.
  float top = std::numeric_limits<float>::infinity ();
  bool finite = true;     // no value is NaN or infinite, as far as known
  bool any_lanes = false; // sinograms can have any number of lanes that consumers want
  bool truncated = false; // values do not fall to zero at the ends of rows, as found by a survey
  bool negative = false;  // values below 0 are more than noise, as those of retrieve-phase are
  double object_radius =
      0; // distance from the axis in columns within which the object lies, as found by a survey; 0: unknown
  // The noise of the counts that values were made of; null: unknown, or values were mixed since (Task::keeps_noise ()).
  std::shared_ptr<const CountNoise> noise;
  std::shared_ptr<const std::vector<double>> strengths; // of slices of one row: the strength of each; null: none
  // Of slices, as found by a survey; null: nobody looked for them.
  std::shared_ptr<const Materials> materials;
  // Of slices: the projections that they were reconstructed from, with the axis and the angles that were taken; null:
  // unknown, or the pixels were moved since. Of projections to which columns were added: those that were measured.
  std::shared_ptr<const Format> scan;
  std::optional<Scale> scale; // what the values stand for, if they are grey values; none: the values themselves
  // The node that moved pixels of projections to places that the numbers of `axes` do not tell; null: none.
  const char *moved_by = nullptr;
  std::string filtered_by; // the node that applied the ramp filter of filtered back-projection; empty: none

  Kind kind () const;
  bool has (Axis axis) const;
  const Dim &dim (Axis axis) const; // throws when the axis is missing
  Dim &dim (Axis axis);
  int64_t extent (Axis axis) const { return has (axis) ? dim (axis).extent : 1; }

  // The axis along which slabs are cut: row or z.
  Axis slab_axis () const;
  // Whether the slab axis is the outermost one, so that a row is contiguous.
  bool rows_first () const;
  int64_t rows () const { return dim (slab_axis ()).extent; }
  int64_t angles () const { return extent (Axis::angle); }
  // Extent of the axes that are never cut: columns, or y * x.
  int64_t line () const;
  // The value of dead and saturated pixels if values are counts; infinite if unknown.
  float greatest () const;
  // Bytes of the whole array.
  double bytes () const;

  // Must be called by every filter that changes values.
  void mark_changed (const std::string &node)
  {
    scale.reset ();
    per_length = false;
    materials.reset ();
    mark_smoothed (node);
  }
  // Instead, by a filter that adds values with weights whose sum is 1, or chooses one: they stand for the same after
  // it.
  void mark_smoothed (const std::string &node)
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
