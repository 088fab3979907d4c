// SPDX-License-Identifier: LGPL-3.0-or-later
// Keeps of slices what is metal, or replaces metal and flattens the other materials, for projections of either.
#include "base/error.hpp"
#include "filters/slice/circle.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include "glue/wants.hpp"
#include <atomic>

namespace sino::segment_metal {
namespace {

enum Port : size_t { data_port, metal_port };

enum class Keep { metal, prior };
constexpr Nick<Keep> keeps[] = {{Keep::metal, "metal"}, {Keep::prior, "prior"}};

// Number of metal voxels, shared by the replicas of a run. A slice may come several times, with the same number.
struct Tally {
  Messages &messages;
  std::vector<std::atomic<int64_t>> slices;

  Tally (const Format &format, Messages &m) : messages (m), slices (static_cast<size_t> (format.rows ())) {}
  int64_t sum () const
  {
    int64_t all = 0;
    for (const auto &slice : slices)
      all += slice;
    return all;
  }
};

class Segmenter final : public Worker
{
public:
  Segmenter (const Cpu &c, std::shared_ptr<const Materials> m, Keep k, std::shared_ptr<Tally> t)
      : cpu (c), materials (std::move (m)), keep (k), tally (std::move (t))
  {
  }

  void run (std::span<Input *const> inputs, Output *output) override
  {
    while (const Block in = inputs[data_port]->pop ()) {
      const Block where = inputs[metal_port] ? inputs[metal_port]->pop () : in;
      if (!where || !(where.region () == in.region ()))
        fail (SINO_ERROR_FAILED, "the blocks of its inputs do not match");
      Block out = output->next ();
      segment (in, where, out);
      output->push (std::move (out));
    }
    if (inputs[metal_port] && inputs[metal_port]->pop ())
      fail (SINO_ERROR_FAILED, "the blocks of its inputs do not match");
  }

private:
  const Cpu &cpu;
  const std::shared_ptr<const Materials> materials;
  const Keep keep;
  const std::shared_ptr<Tally> tally;

  void segment (const Block &in, const Block &where, Block &out) const
  {
    const auto columns = in.format ().extent (Axis::x), lines = in.format ().extent (Axis::y);
    std::vector<std::atomic<int64_t>> metal (static_cast<size_t> (in.rows ().size ()));
    cpu.parallel (in.rows ().size () * lines, 16, [&] (int64_t begin, int64_t end) {
      for (auto i = begin; i < end; i++)
        metal[static_cast<size_t> (i / lines)] +=
            make_line (in.as<float> () + i * columns, where.as<float> () + i * columns, columns,
                       slice::in_circle (in.format (), i % lines), out.as<float> () + i * columns);
    });
    for (int64_t i = 0; i < in.rows ().size (); i++) {
      const auto voxels = metal[static_cast<size_t> (i)].load ();
      tally->slices[static_cast<size_t> (in.rows ().at (i))] = voxels;
      if (keep == Keep::prior && voxels == 0 && alone (in.format ()))
        std::fill_n (out.as<float> () + i * in.line (), in.line (), 0.0F);
    }
  }

  // Whether rays stay in their slice. A prior without metal is then of no use, and slices of zeros need no projections.
  static bool alone (const Format &slices)
  {
    return slices.scan && slices.scan->geometry && slices.scan->geometry->views.empty ();
  }

  // Returns the number of metal voxels. Outside the circle slices are not reliable.
  int64_t make_line (const float *in, const float *where, int64_t columns, Interval inside, float *out) const
  {
    const auto least = static_cast<float> (materials->metal), object = static_cast<float> (materials->object);
    std::fill_n (out, columns, 0.0F);
    int64_t metal = 0;
    for (auto x = inside.begin; x < inside.end; x++) {
      const bool is_metal = where[x] > least;
      metal += is_metal;
      if (keep == Keep::metal)
        out[x] = is_metal ? in[x] - object : 0;
      else
        out[x] = is_metal ? object : flat (in[x]);
    }
    return metal;
  }

  // The value of the class. The densest of several materials keeps its own values, because it varies most.
  float flat (float value) const
  {
    const auto &classes = materials->classes;
    size_t i = 0;
    while (i + 1 < classes.size () && !(static_cast<double> (value) < classes[i].below))
      i++;
    return i >= 2 && i + 1 == classes.size () ? value : static_cast<float> (classes[i].value);
  }
};

class SegmentMetal final : public Task
{
public:
  static constexpr Info info{"segment-metal", "Keep only the metal of slices, or replace it and flatten the rest"};
  static constexpr Signature signature{.takes = {Kind::slices, Element::f32},
                                       .integers = "put 'calculate expression=x' before it"};

  Keep keep = Keep::metal;

  static constexpr Property properties[] = {
      prop<&SegmentMetal::keep> ("keep",
                                 "metal: what metal adds to the object's value, 0 elsewhere; prior: the materials that "
                                 "are not metal, with the object's value in place of metal",
                                 keeps),
  };

  std::span<const sino::Port> inputs () const override
  {
    static constexpr sino::Port ports[] = {{"data"}, {"metal", true}};
    return ports;
  }

  Format negotiate (std::span<const Format *const> formats) override
  {
    Format format = *formats[data_port];
    materials = format.materials;
    if (const auto *metal = formats[metal_port]) {
      want_alike ("metal", *metal, "data", format);
      materials = metal->materials;
    }
    if (!materials)
      fail (SINO_ERROR_BAD_FORMAT, formats[metal_port]
                                       ? "nobody has looked for metal in the slices of input 'metal': put 'find-metal' "
                                         "before that input"
                                       : "nobody has looked for metal in these slices: put 'find-metal' before it");
    format.mark_changed (info.name);
    format.finite = true;
    negotiated = format;
    tally = nullptr;
    return format;
  }

  void shared_memory (Bill &bill) const override
  {
    add_bytes (bill, "metal voxels of slices", static_cast<size_t> (negotiated.rows ()) * sizeof (int64_t));
  }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    if (!tally)
      tally = std::make_shared<Tally> (negotiated, replica.messages);
    return std::make_unique<Segmenter> (replica.cpu, materials, keep, tally);
  }

  void finish () override
  {
    if (!tally || keep != Keep::metal)
      return;
    const auto voxels = tally->sum ();
    const double share = static_cast<double> (voxels) /
                         (static_cast<double> (negotiated.line ()) * static_cast<double> (negotiated.rows ()));
    tally->messages.add (voxels > 0 ? text ("%" G_GINT64_FORMAT " voxels (%.3g %%) are metal", voxels, 100 * share)
                                    : text ("no voxel is above %.4g: there is no metal", materials->metal),
                         Messages::Level::info);
  }

private:
  Format negotiated;
  std::shared_ptr<const Materials> materials;
  std::shared_ptr<Tally> tally;
};

SINO_REGISTER (SegmentMetal)

} // namespace

} // namespace sino::segment_metal
