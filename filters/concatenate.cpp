// SPDX-License-Identifier: LGPL-3.0-or-later
// Joins scans of one sample at several heights into one: slices, or projections, below each other.
#include "base/error.hpp"
#include "glue/module.hpp"
#include "glue/task.hpp"
#include <cmath>
#include <cstring>

namespace sino::concatenate {
namespace {

// Rows of the output that an input fills, and how many of them the inputs above and below it fill too.
struct InputRows {
  Rows rows;
  int64_t above = 0, below = 0;

  // Weight of this input in a row of the output. Where two inputs overlap, weights change linearly and add up to 1.
  float weight (int64_t row) const
  {
    const auto share = [] (int64_t i, int64_t n) { return static_cast<float> (i + 1) / static_cast<float> (n + 1); };
    if (row - rows.begin < above)
      return share (row - rows.begin, above);
    if (rows.end - 1 - row < below)
      return share (rows.end - 1 - row, below);
    return 1;
  }
};

class Joiner final : public Worker
{
public:
  Joiner (const Replica &replica, std::vector<InputRows> p) : cpu (replica.cpu), places (std::move (p)) {}

  // Inputs are added in a fixed order, so that rounding does not depend on timing.
  void run (std::span<Input *const> inputs, Output *output) override
  {
    auto blocks = output->all ();
    for (size_t port = 0; port < places.size (); port++)
      while (const Block in = inputs[port]->pop ())
        for (auto &out : blocks)
          put (in, places[port], out);
    output->push_all (blocks);
  }

private:
  const Cpu &cpu;
  const std::vector<InputRows> places;

  void put (const Block &in, const InputRows &place, Block &out) const
  {
    const auto angles = in.angles ().meet (out.angles ());
    const auto rows = Rows{in.rows ().begin + place.rows.begin, in.rows ().end + place.rows.begin}.meet (out.rows ());
    const auto line = in.line ();
    cpu.parallel (
        angles.size () * rows.size (), std::max<int64_t> ((1 << 16) / line, 1), [&] (int64_t begin, int64_t end) {
          for (auto i = begin; i < end; i++) {
            const auto angle = angles.at (i / rows.size ()), row = rows.at (i % rows.size ());
            const auto from = in.offset (in.angles ().place (angle), in.rows ().place (row - place.rows.begin)),
                       to = out.offset (out.angles ().place (angle), out.rows ().place (row));
            const auto weight = place.weight (row);
            if (weight == 1) {
              const auto value = size_of (in.format ().element);
              std::memcpy (out.data () + static_cast<size_t> (to) * value,
                           in.data () + static_cast<size_t> (from) * value, static_cast<size_t> (line) * value);
            } else
              blend (in.as<float> () + from, line, weight, row - place.rows.begin < place.above, out.as<float> () + to);
          }
        });
  }

  static void blend (const float *from, int64_t n, float weight, bool second, float *to)
  {
    for (int64_t i = 0; i < n; i++)
      to[i] = (second ? to[i] : 0) + weight * from[i];
  }
};

class Concatenate final : public Task
{
public:
  static constexpr Info info{"concatenate", "Join scans taken at several heights"};
  static constexpr Signature signature{.takes = {Kind::projections | Kind::slices, any_element}};

  std::string overlap = "0";

  static constexpr Property properties[] = {
      prop<&Concatenate::overlap> (
          "overlap", "Rows that an input shares with the next one: one number for all, or one for each pair, as 40,38"),
  };

  std::span<const sino::Port> inputs () const override
  {
    static constexpr sino::Port ports[] = {{"data"},          {"data-2", true},  {"data-3", true},  {"data-4", true},
                                           {"data-5", true},  {"data-6", true},  {"data-7", true},  {"data-8", true},
                                           {"data-9", true},  {"data-10", true}, {"data-11", true}, {"data-12", true},
                                           {"data-13", true}, {"data-14", true}, {"data-15", true}, {"data-16", true}};
    return ports;
  }

  Format negotiate (std::span<const Format *const> inputs) override;
  Rows demand (size_t port, const Format &input, const Rows &rows) const override;
  bool collects (size_t) const override { return true; }
  std::unique_ptr<Worker> start (const Replica &replica) override { return std::make_unique<Joiner> (replica, places); }

private:
  std::vector<InputRows> places; // rows of each connected input

  std::vector<int64_t> overlaps (size_t pairs) const;
  void place (std::span<const Format *const> inputs);
};

// Throws if the sizes of pixels or voxels differ.
void check_sizes (const Geometry &a, const Geometry &b, const char *port)
{
  const auto alike = [] (double x, double y) { return std::abs (x - y) <= 1e-3 * std::abs (y); };
  if (a.pixel_size && b.pixel_size && !alike (*b.pixel_size, *a.pixel_size))
    fail (
        SINO_ERROR_BAD_FORMAT,
        "the pixels of input '%s' are %g wide, those of 'data' %g: if one is wrong, give 'read' the right pixel-size=",
        port, *b.pixel_size, *a.pixel_size);
  if (!alike (b.rows_apart, a.rows_apart))
    fail (SINO_ERROR_BAD_FORMAT,
          "the row pitch of input '%s' is %g columns, that of 'data' is %g: give scans of one detector", port,
          b.rows_apart, a.rows_apart);
}

// Completes the geometry of one scan with values that only the other scan has.
void complete (Geometry &known, const Geometry &other)
{
  if (known.angles.empty ())
    known.angles = other.angles;
  if (known.axis.empty ())
    known.axis = other.axis;
  if (!known.pixel_size)
    known.pixel_size = other.pixel_size;
}

// Throws if two inputs cannot be parts of one volume or scan.
void check_alike (const Format &first, const Format &next, const char *port)
{
  const auto unlike = [&] (const char *what) {
    fail (SINO_ERROR_BAD_FORMAT, "input '%s' has %s, and 'data' has %s: %s", port, next.describe ().c_str (),
          first.describe ().c_str (), what);
  };
  if (next.kind () != first.kind () || next.element != first.element)
    unlike ("all must have the same kind and element type");
  if (next.line () != first.line () || next.angles () != first.angles () ||
      next.axes.back ().extent != first.axes.back ().extent)
    unlike ("only the number of their rows may differ");
  if (next.filtered_by != first.filtered_by)
    unlike ("either all must have filtered rows, or none");
  if (!first.geometry || !next.geometry)
    return;
  const auto &a = *first.geometry, &b = *next.geometry;
  check_sizes (a, b, port);
  if (first.kind () == Kind::slices)
    return;
  const auto near = [] (double x, double y) { return std::abs (x - y) <= 1e-5; };
  if (!a.angles.empty () && !b.angles.empty () && !std::ranges::equal (a.angles, b.angles, near))
    fail (SINO_ERROR_BAD_FORMAT,
          "the projections of input '%s' have other angles than those of 'data': reconstruct each, and join the slices",
          port);
  const auto known = !a.axis.empty () && !b.axis.empty () ? std::max (a.axis.size (), b.axis.size ()) : 0;
  for (size_t i = 0; i < known; i++) // a single axis holds for all projections
    if (const auto own = a.axis[i % a.axis.size ()], other = b.axis[i % b.axis.size ()]; std::abs (own - other) > 0.05)
      fail (SINO_ERROR_BAD_FORMAT,
            "the axis of input '%s' is at column %g, that of 'data' at %g: reconstruct each with its own axis, and "
            "join the slices",
            port, other, own);
}

void check_kind (const Format &in)
{
  if (in.companions.any ())
    fail (SINO_ERROR_BAD_FORMAT, "each scan has its own darks and flats: put 'flat-field' before each input");
  if (in.kind () == Kind::projections && in.geometry && !in.geometry->views.empty ())
    fail (SINO_ERROR_BAD_FORMAT, "the projections of a cone or tilted beam see the sample from another direction at "
                                 "each height: reconstruct each scan, and join the slices");
}

Format Concatenate::negotiate (std::span<const Format *const> inputs)
{
  std::vector<const Format *> given;
  for (size_t port = 0; port < inputs.size (); port++)
    if (const auto *in = inputs[port]) {
      check_kind (*in);
      check_alike (*inputs[0], *in, this->inputs ()[port].name);
      if (port > given.size ())
        fail (SINO_ERROR_BAD_GRAPH, "input '%s' is connected, but the one before it is not: connect them without gaps",
              this->inputs ()[port].name);
      given.push_back (in);
    }
  place (given);
  Format format = *given[0];
  auto &rows = format.dim (format.slab_axis ());
  rows.extent = places.back ().rows.end;
  format.scan = nullptr;
  auto geometry = format.geometry ? *format.geometry : Geometry{};
  for (const auto *in : given) {
    format.truncated = format.truncated || in->truncated;
    if (!in->changed_by.empty ())
      format.mark_changed (in->changed_by);
    if (in->geometry)
      complete (geometry, *in->geometry);
  }
  if (format.geometry)
    format.geometry = std::make_shared<const Geometry> (std::move (geometry));
  return format;
}

std::vector<int64_t> Concatenate::overlaps (size_t pairs) const
{
  std::vector<int64_t> list;
  for (const auto &word : split (overlap, ',')) {
    double number = 0;
    if (!parse_number (word, number) || number != std::floor (number) || !(number >= 0 && number <= 1 << 22))
      fail (SINO_ERROR_BAD_PROPERTY, "overlap=%s: '%s' is not a number of rows", overlap.c_str (), word.c_str ());
    list.push_back (static_cast<int64_t> (number));
  }
  if (list.size () == 1)
    list.resize (pairs, list[0]);
  if (list.size () != pairs)
    fail (SINO_ERROR_BAD_PROPERTY,
          "overlap=%s gives %zu numbers for %zu inputs: give one for all, or one for each pair", overlap.c_str (),
          list.size (), pairs + 1);
  return list;
}

void Concatenate::place (std::span<const Format *const> inputs)
{
  const auto shared = overlaps (inputs.size () - 1);
  places.clear ();
  int64_t begin = 0;
  for (size_t i = 0; i < inputs.size (); i++) {
    const auto extent = inputs[i]->rows (), above = i > 0 ? shared[i - 1] : 0,
               below = i < shared.size () ? shared[i] : 0;
    if (above + below > extent)
      fail (SINO_ERROR_BAD_PROPERTY,
            "overlap=%s: input '%s' has %" G_GINT64_FORMAT " rows, and shares %" G_GINT64_FORMAT
            " with its neighbours: give a smaller overlap=",
            overlap.c_str (), this->inputs ()[i].name, extent, above + below);
    if (below > 0 && inputs[i]->element != Element::f32)
      fail (SINO_ERROR_BAD_FORMAT, "overlap=%s blends values, which wants f32, got %s: put 'rescale' after this node",
            overlap.c_str (), inputs[i]->describe ().c_str ());
    begin -= above;
    places.push_back ({{begin, begin + extent}, above, below});
    begin += extent;
  }
}

// Returns the rows wanted of an input: at least one, even if the output needs none.
Rows Concatenate::demand (size_t port, const Format &input, const Rows &rows) const
{
  const auto &own = places[port].rows;
  const auto meet = rows.meet (own);
  if (!meet.empty ())
    return {meet.begin - own.begin, meet.end - own.begin};
  const auto near = rows.begin >= own.end ? input.rows () - 1 : 0;
  return {near, near + 1};
}

} // namespace

SINO_REGISTER (Concatenate)

} // namespace sino::concatenate
