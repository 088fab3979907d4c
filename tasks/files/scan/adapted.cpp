// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/scan/adapted.hpp"
#include "base/shown.hpp"
#include "formats/page-files.hpp"
#include "formats/with-type.hpp"
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

namespace sino::files {

namespace {

// A stack that modifies the data of another one. Functions that it does not override give the results of the other one.
class StackOver : public Stack
{
public:
  explicit StackOver (StackPtr s) : Stack (*s), stack (std::move (s)) {}

  std::vector<FileStamp> files () const override { return stack->files (); }
  std::vector<int64_t> unwritten () const override { return stack->unwritten (); }
  size_t scratch (int threads) const override { return stack->scratch (threads); }
  size_t resident () const override { return stack->resident (); }

protected:
  const StackPtr stack;
};

class FloatStack final : public StackOver
{
public:
  FloatStack (StackPtr s, const Scale &values) : StackOver (std::move (s)), scale (values)
  {
    top = scale == Scale () ? greatest_of (stack->element, stack->top) : std::numeric_limits<float>::infinity ();
    stored_pixel = stack->stored_pixel > 0 ? stack->stored_pixel : size_of (stack->element);
    element = Element::f32;
  }

  // Reads the values into the end of the buffer for the floats. Then converts them in place, beginning with the first
  // one.
  void read (const Part &part, std::byte *out, const Reading &reading) const override
  {
    const auto n = part.pixels ();
    with_type (stack->element, [&] (auto type) {
      const auto *from = out + n * (sizeof (float) - sizeof type);
      stack->read (part, out + n * (sizeof (float) - sizeof type), reading);
      for (size_t i = 0; i < n; i++) {
        const auto value =
            static_cast<float> (scale.value_of (as_double (number_at<decltype (type)> (from, i * sizeof type, false))));
        std::memcpy (out + i * sizeof value, &value, sizeof value);
      }
    });
  }

private:
  const Scale scale;
};

class TurnedStack final : public StackOver
{
public:
  explicit TurnedStack (StackPtr s) : StackOver (std::move (s))
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

class FilledStack final : public StackOver
{
public:
  FilledStack (StackPtr s, std::vector<int64_t> places) : StackOver (std::move (s)), missing (std::move (places))
  {
    pages += std::ssize (missing);
  }

  void read (const Part &part, std::byte *out, const Reading &reading) const override
  {
    const auto page_bytes = part.lines.size () * part.columns.size () * pixel (*this);
    std::vector<int64_t> there; // runs of pages without a gap
    const auto flush = [&] (size_t end) {
      if (!there.empty ())
        stack->read ({there, part.lines, part.columns}, out + (end - there.size ()) * page_bytes, reading);
      there.clear ();
    };
    for (size_t i = 0; i < part.pages.size (); i++) {
      const auto place = std::ranges::lower_bound (missing, part.pages[i]);
      if (place != missing.end () && *place == part.pages[i]) {
        flush (i);
        std::memset (out + i * page_bytes, 0, page_bytes);
      } else
        there.push_back (part.pages[i] - (place - missing.begin ()));
    }
    flush (part.pages.size ());
  }

  size_t scratch (int threads) const override
  {
    return stack->scratch (threads) + static_cast<size_t> (pages) * sizeof (int64_t);
  }
  size_t resident () const override { return stack->resident () + missing.size () * sizeof (int64_t); }

private:
  std::vector<int64_t> missing;
};

} // namespace

StackPtr as_floats (StackPtr stack)
{
  if (stack->element == Element::f32)
    return stack;
  return std::make_shared<FloatStack> (std::move (stack), Scale ());
}

StackPtr scaled (StackPtr stack, const Scale &scale)
{
  return std::make_shared<FloatStack> (std::move (stack), scale);
}

StackPtr turned (StackPtr stack)
{
  return std::make_shared<TurnedStack> (std::move (stack));
}

StackPtr filled (StackPtr stack, std::vector<int64_t> missing)
{
  check_extents (in_quotes (stack->name), stack->element, stack->pages + std::ssize (missing), stack->lines,
                 stack->columns);
  return std::make_shared<FilledStack> (std::move (stack), std::move (missing));
}

} // namespace sino::files
