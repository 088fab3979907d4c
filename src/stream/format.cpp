// SPDX-License-Identifier: LGPL-3.0-or-later
#include "stream/format.hpp"
#include "base/error.hpp"

namespace sino {

const char *name_of (Axis axis)
{
  static constexpr const char *names[] = {"angle", "row", "column", "z", "y", "x"};
  return names[static_cast<size_t> (axis)];
}

const char *name_of (Kind kind)
{
  static constexpr const char *names[] = {"projections", "sinograms", "slices", "data"};
  return names[static_cast<size_t> (kind)];
}

static bool has_axes (const Format &format, std::initializer_list<Axis> axes)
{
  return std::equal (format.axes.begin (), format.axes.end (), axes.begin (), axes.end (),
                     [] (const Dim &dim, Axis axis) { return dim.axis == axis; });
}

const char *name_of (Meaning meaning)
{
  constexpr const char *names[] = {"open", "counts", "transmission", "attenuation", "emission"};
  return names[static_cast<size_t> (meaning)];
}

Look::~Look () = default;

Kind Format::kind () const
{
  if (has_axes (*this, {Axis::angle, Axis::row, Axis::column}))
    return Kind::projections;
  if (has_axes (*this, {Axis::row, Axis::angle, Axis::column}))
    return Kind::sinograms;
  if (has_axes (*this, {Axis::z, Axis::y, Axis::x}))
    return Kind::slices;
  return Kind::other;
}

bool Format::has (Axis axis) const
{
  return std::ranges::any_of (axes, [axis] (const Dim &dim) { return dim.axis == axis; });
}

const Dim &Format::dim (Axis axis) const
{
  for (const auto &dim : axes)
    if (dim.axis == axis)
      return dim;
  fail (SINO_ERROR_BAD_FORMAT, "a stream with a '%s' axis is needed, not %s", name_of (axis), describe ().c_str ());
}

Dim &Format::dim (Axis axis)
{
  return const_cast<Dim &> (static_cast<const Format *> (this)->dim (axis));
}

Axis Format::slab_axis () const
{
  return has (Axis::z) ? Axis::z : Axis::row;
}

bool Format::rows_first () const
{
  return !axes.empty () && axes[0].axis == slab_axis ();
}

int64_t Format::line () const
{
  return extent (Axis::column) * extent (Axis::y) * extent (Axis::x);
}

float Format::greatest () const
{
  const bool counts = changed_by.empty () && (values == Meaning::open || values == Meaning::counts);
  return counts ? greatest_of (element, top) : std::numeric_limits<float>::infinity ();
}

double Format::bytes () const
{
  double n = static_cast<double> (size_of (element));
  for (const auto &dim : axes)
    n *= static_cast<double> (dim.extent);
  return n;
}

std::string Format::describe () const
{
  const auto list =
      join (axes, ", ", [] (const Dim &dim) { return text ("%s %" G_GINT64_FORMAT, name_of (dim.axis), dim.extent); });
  return text ("%s %s (%s)", name_of (element), name_of (kind ()), list.c_str ());
}

Format projections (Element element, Dim angle, Dim row, Dim column)
{
  return {.element = element, .axes = {angle, row, column}, .geometry = nullptr};
}

Format sinograms (Element element, Dim row, Dim angle, Dim column)
{
  return {.element = element, .axes = {row, angle, column}, .geometry = nullptr};
}

Format slices (Element element, Dim z, Dim y, Dim x)
{
  return {.element = element, .axes = {z, y, x}, .geometry = nullptr};
}

} // namespace sino
