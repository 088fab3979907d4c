// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/wants.hpp"
#include "base/error.hpp"

namespace sino {

namespace {

// "projections or sinograms"
template <class E> std::string any_of (const Set<E> &set)
{
  return join (
      set.list (), ", ", [] (E value) { return name_of (value); }, " or ");
}

const char *way_out (const Signature &signature, Kind got)
{
  const auto taken = signature.takes.kinds;
  if (got == Kind::sinograms && taken.has (Kind::projections))
    return "put this node before 'interleave'";
  if (got == Kind::projections && taken.has (Kind::sinograms))
    return "put 'interleave' before it";
  if (got == Kind::slices && signature.gives.kinds == Kind::slices)
    return "leave this node out, because slices are reconstructed already, or correct axes= of 'read'";
  return got == Kind::slices ? "put this node before the reconstruction, or correct axes= of 'read'" : nullptr;
}

const char *way_out (const Signature &signature, Element got)
{
  if (got == Element::f16)
    return signature.halves ? signature.halves : "leave out 'half-pack', or put it after this node";
  return signature.integers ? signature.integers : "put 'flat-field' before it, which turns counts into attenuation";
}

} // namespace

void check_taken (const Task &task, std::span<const Format *const> inputs)
{
  if (!task.stated_signature)
    return;
  const auto &signature = *task.stated_signature;
  const auto ports = task.inputs ();
  for (size_t i = 0; i < inputs.size (); i++) {
    if (!inputs[i])
      continue;
    const auto &port = ports[i];
    const bool of_port = !port.takes.kinds.empty ();
    const auto &[kinds, elements] = of_port ? port.takes : signature.takes;
    const auto kind = inputs[i]->kind ();
    const auto element = inputs[i]->element;
    const bool kind_fits = kinds.has (kind);
    if (kind_fits && elements.has (element))
      continue;
    const auto wanted = kind_fits ? any_of (elements) + " values" : any_of (kinds);
    const char *way = of_port ? port.way_out : kind_fits ? way_out (signature, element) : way_out (signature, kind);
    fail (SINO_ERROR_BAD_FORMAT, "%swants %s, got %s%s%s", i > 0 ? text ("input '%s' ", port.name).c_str () : "",
          wanted.c_str (), inputs[i]->describe ().c_str (), way ? ": " : "", way ? way : "");
  }
}

Format negotiated (Task &task, std::span<const Format *const> inputs)
{
  check_taken (task, inputs);
  Format output = task.negotiate (inputs);
  if (!task.keeps_noise ())
    output.noise = nullptr;
  return output;
}

void want_unfiltered (const Format &in)
{
  if (!in.filtered_by.empty ())
    fail (SINO_ERROR_BAD_FORMAT, "'%s' has filtered the rows already: put this node before it",
          in.filtered_by.c_str ());
}

void want_size (const char *frames, int64_t rows, int64_t columns, const Format &in)
{
  if (rows != in.rows () || columns != in.line ())
    fail (SINO_ERROR_BAD_FORMAT,
          "the %s have %" G_GINT64_FORMAT " rows and %" G_GINT64_FORMAT
          " columns, the projections have %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT ": crop both in the same way",
          frames, rows, columns, in.rows (), in.line ());
}

void want_alike (const char *port, const Format &checked, const char *other_port, const Format &other)
{
  const auto alike = [] (const Dim &a, const Dim &b) { return a.axis == b.axis && a.extent == b.extent; };
  if (!std::ranges::equal (checked.axes, other.axes, alike))
    fail (SINO_ERROR_BAD_FORMAT, "input '%s' wants %s like input '%s', got %s", port, other.describe ().c_str (),
          other_port, checked.describe ().c_str ());
}

} // namespace sino
