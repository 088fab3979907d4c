// SPDX-License-Identifier: LGPL-3.0-or-later
// Counts to absorption, by the frames without beam (darks) and without sample (flats).
#include "base/error.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include "kernels/flat-field/references.hpp"
#include <algorithm>
#include <atomic>
#include <cmath>

namespace {
using namespace sino;
using flat_field::Frame;
using flat_field::Reduce;
using flat_field::References;

// What all replicas of a run share: the companions, reduced once, and the rows whose dead pixels were counted.
struct Shared {
  std::once_flag once;
  std::vector<Frame> darks, flats;
  std::vector<double> positions; // when the flats were taken
  std::mutex mutex;
  std::vector<bool> counted;
  int64_t dead = 0;                              // pixels of the rows that were counted
  std::atomic<int64_t> clamped{0}, corrected{0}; // values
};

enum Port : size_t { data_port, darks_port, flats_port };

// Whether some pixel has a flat above its dark at all times. `darks`: one frame or none.
bool any_live (const std::vector<Frame> &darks, const std::vector<Frame> &flats)
{
  const auto is_live = [&] (size_t i) {
    return std::all_of (flats.begin (), flats.end (), [&] (const Frame &flat) {
      const float white = flat.values[i] - (darks.empty () ? 0 : darks[0].values[i]);
      return white > 0 && std::isfinite (white);
    });
  };
  for (size_t i = 0; i < flats[0].values.size (); i++)
    if (is_live (i))
      return true;
  return false;
}

// The mean of what is a number in frames; NaN when nothing is.
double mean (const std::vector<Frame> &frames)
{
  double sum = 0, n = 0;
  for (const auto &frame : frames)
    for (const float value : frame.values)
      if (std::isfinite (value)) {
        sum += static_cast<double> (value);
        n++;
      }
  return sum / n;
}

[[noreturn]] void fail_dead (const std::vector<Frame> &darks, const std::vector<Frame> &flats)
{
  const double white = mean (flats), black = darks.empty () ? 0 : mean (darks);
  fail (SINO_ERROR_BAD_FILE, "no detector pixel is left: %s",
        std::isnan (white)   ? "the flats hold no numbers"
        : std::isnan (black) ? "the darks hold no numbers"
        : white < black
            ? text ("the flats (mean %g) are darker than the darks (mean %g): are they swapped?", white, black).c_str ()
            : text ("the flats (mean %g) are nowhere brighter than the darks (mean %g)", white, black).c_str ());
}

struct Settings {
  Reduce reduce;
  bool interpolate, absorption;
};

class Corrector final : public Worker
{
public:
  Corrector (const Replica &replica, const Settings &s, std::shared_ptr<Shared> common)
      : cpu (replica.cpu), counters (replica.counters), messages (replica.messages), monitor (replica.monitor),
        settings (s), shared (std::move (common)), companions (replica.inputs[data_port]->companions),
        rows (replica.inputs[data_port]->rows ())
  {
  }

  void run (std::span<Input *const> inputs, Output *output) override
  {
    std::call_once (shared->once, [&] { reduce_companions (!inputs[darks_port], !inputs[flats_port]); });
    const auto darks = inputs[darks_port] ? reduce_port (*inputs[darks_port]) : std::vector<Frame>{};
    const auto flats = inputs[flats_port] ? reduce_port (*inputs[flats_port]) : std::vector<Frame>{};
    Rows known; // rows that `references` are for
    while (const Block in = inputs[data_port]->pop ()) {
      if (!(known == in.rows ())) {
        const auto &black = darks.empty () ? shared->darks : darks, &white = flats.empty () ? shared->flats : flats;
        references = std::make_unique<References> (in, black, white, settings.absorption);
        known = in.rows ();
        count_dead (known, in.line (), black, white);
      }
      Block out = output->next ();
      correct (in, out);
      output->push (std::move (out));
    }
  }

private:
  const Cpu &cpu;
  Counters &counters;
  Messages &messages;
  const Monitor &monitor;
  Settings settings;
  std::shared_ptr<Shared> shared;
  Companions companions;
  int64_t rows;
  std::unique_ptr<References> references;

  void reduce_companions (bool darks, bool flats)
  {
    const Frames::Watch watch{&monitor, &counters};
    if (darks && companions.darks)
      shared->darks = flat_field::reduce (*companions.darks, flat_field::groups_by_position (*companions.darks, false),
                                          settings.reduce, cpu, watch);
    if (flats && companions.flats) {
      const auto groups = flat_field::groups_by_position (*companions.flats, settings.interpolate);
      shared->flats = flat_field::reduce (*companions.flats, groups, settings.reduce, cpu, watch);
      for (const auto &group : groups)
        shared->positions.push_back (group.position);
    }
    shared->counted.assign (static_cast<size_t> (rows), false);
    if (flats && darks && !any_live (shared->darks, shared->flats))
      fail_dead (shared->darks, shared->flats); // before anything is written
  }

  // The frames of a stream for this work item. When they were taken is not known, so that they are all one group.
  std::vector<Frame> reduce_port (Input &input) const
  {
    std::unique_ptr<flat_field::Reducer> reducer;
    std::vector<std::byte> kept; // the median wants all frames at once
    Rows covered;
    int64_t line = 0;
    while (const Block block = input.pop ()) {
      const auto pixels = block.rows ().size () * block.line ();
      const auto bytes = static_cast<size_t> (pixels) * size_of (block.format ().element);
      if (!reducer)
        reducer = std::make_unique<flat_field::Reducer> (settings.reduce, block.format ().element, pixels, cpu);
      if (settings.reduce == Reduce::median)
        kept.resize (static_cast<size_t> (block.format ().angles ()) * bytes);
      covered = block.rows ();
      line = block.line ();
      for (int64_t i = 0; i < block.angles ().size (); i++) {
        const auto *frame = block.data () + static_cast<size_t> (i) * bytes;
        if (settings.reduce == Reduce::median)
          frame = std::copy_n (frame, bytes, &kept[static_cast<size_t> (block.angles ().begin + i) * bytes]) - bytes;
        reducer->add (frame);
      }
    }
    if (!reducer)
      return {};
    Frame frame{covered, line, std::vector<float> (static_cast<size_t> (covered.size () * line))};
    reducer->finish (frame.values.data ());
    return {std::move (frame)};
  }

  // Each detector pixel once, however the rows are cut into blocks.
  void count_dead (const Rows &of, int64_t columns, const std::vector<Frame> &darks, const std::vector<Frame> &flats)
  {
    const std::lock_guard guard (shared->mutex);
    int64_t dead = 0;
    for (int64_t i = 0; i < of.size (); i++) {
      const auto row = static_cast<size_t> (of.at (i));
      if (!shared->counted[row])
        dead += references->dead_in_row (i);
      shared->counted[row] = true;
    }
    counters.add ("dead-pixels", dead);
    shared->dead += dead;
    const auto all = rows * columns;
    if (std::find (shared->counted.begin (), shared->counted.end (), false) != shared->counted.end ())
      return;
    if (shared->dead == all) // the frames came by rows
      fail_dead (darks, flats);
    if (100 * shared->dead >= all)
      messages.add (text ("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " detector pixels (%.2g %%) are dead: there the "
                          "flats are not brighter than the darks, or no numbers",
                          shared->dead, all, 100 * static_cast<double> (shared->dead) / static_cast<double> (all)));
  }

  // Once, when the whole scan has passed.
  void tell_clamped (int64_t clamped, const Block &in)
  {
    const int64_t all = rows * in.line () * in.format ().angles ();
    const int64_t values = in.rows ().size () * in.line () * in.angles ().size ();
    const int64_t bad = shared->clamped += clamped, before = shared->corrected.fetch_add (values);
    if (before < all && before + values >= all && 100 * bad >= all)
      messages.add (text (
          "%.2g %% of the values are no transmission above %g: there the projections are not brighter than the darks",
          100 * static_cast<double> (bad) / static_cast<double> (all),
          static_cast<double> (flat_field::least_transmission)));
  }

  // A line is one angle of one row, or of a group of lanes.
  void correct (const Block &in, Block &out)
  {
    const auto element = in.format ().element;
    const bool rows_first = in.format ().kind () == Kind::sinograms;
    const auto line = in.line () * in.lanes (), lines = in.values () / line;
    const auto angles = in.angles ().size (), rows_in_block = lines / std::max<int64_t> (angles, 1);
    std::atomic<int64_t> clamped{0};
    cpu.parallel (lines, (1 << 16) / line, [&] (int64_t begin, int64_t end) {
      int64_t n = 0;
      for (auto i = begin; i < end; i++) {
        const auto row = rows_first ? i / angles : i % rows_in_block;
        const auto angle = in.angles ().begin + (rows_first ? i % angles : i / rows_in_block);
        auto *to = out.as<float> () + i * line;
        n += flat_field::correct (element, in.data () + static_cast<size_t> (i * line) * size_of (element),
                                  references->at (row, static_cast<double> (angle), shared->positions),
                                  settings.absorption, line, to);
        references->patch (row, to);
      }
      clamped += n;
    });
    counters.add ("clamped", clamped);
    tell_clamped (clamped, in);
  }
};

class FlatField final : public Task
{
public:
  static constexpr Info info{"flat-field", "Turn counts into absorption (or transmission), by darks and flats"};

  Reduce reduce = Reduce::mean;
  bool interpolate = true;
  bool absorption = true;

  static constexpr Nick<Reduce> reduce_nicks[] = {{Reduce::mean, "mean"}, {Reduce::median, "median"}};
  static constexpr Property properties[] = {
      prop<&FlatField::reduce> ("reduce", "How several darks or flats become one", reduce_nicks),
      prop<&FlatField::interpolate> (
          "interpolate", "Interpolate between flats taken at different times, where the scan says when that was"),
      prop<&FlatField::absorption> ("absorption", "Give -ln (I / I0); else the transmission I / I0"),
  };

  std::span<const sino::Port> inputs () const override
  {
    static constexpr sino::Port ports[] = {{"data"}, {"darks", true}, {"flats", true}};
    return ports;
  }

  // Blocks of data pass one by one, after all darks and flats of the work item.
  bool collects (size_t port) const override { return port != data_port; }
  int wanted_lanes (const Device &, int downstream) const override { return downstream; }
  bool takes_lanes () const override { return true; }

  Format negotiate (std::span<const Format *const> formats) override;
  void memory (const Sizing &sizing, Bill &bill) const override;
  void shared_memory (Bill &bill) const override;

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    if (!shared)
      shared = std::make_shared<Shared> ();
    return std::make_unique<Corrector> (replica, Settings{reduce, interpolate, absorption}, shared);
  }

private:
  std::shared_ptr<Shared> shared;
  int64_t columns = 0, groups = 1;
  size_t reduced = 0, reducing = 0; // bytes of the companions
  size_t per_port_pixel = 0;        // bytes that reducing the connected ports takes

  void check_size (const char *what, int64_t rows, int64_t line, const Format &data) const;
};

void FlatField::check_size (const char *what, int64_t rows, int64_t line, const Format &data) const
{
  if (rows != data.rows () || line != data.line ())
    fail (SINO_ERROR_BAD_FORMAT,
          "the %s have %" G_GINT64_FORMAT " rows and %" G_GINT64_FORMAT " columns, the projections %" G_GINT64_FORMAT
          " and %" G_GINT64_FORMAT ": crop both alike",
          what, rows, line, data.rows (), data.line ());
}

Format FlatField::negotiate (std::span<const Format *const> formats)
{
  Format format = *formats[data_port];
  if (format.kind () != Kind::projections && format.kind () != Kind::sinograms)
    fail (SINO_ERROR_BAD_FORMAT,
          "wants projections or sinograms, got %s: put this node before the reconstruction, or correct axes= of 'read'",
          format.describe ().c_str ());
  columns = format.line ();
  groups = 1;
  reduced = reducing = per_port_pixel = 0;
  const auto pixels = static_cast<size_t> (format.rows () * columns);
  const std::shared_ptr<const Frames> companions[] = {nullptr, format.companions.darks, format.companions.flats};
  for (const size_t port : {darks_port, flats_port}) {
    const char *what = inputs ()[port].name;
    if (const auto *frames = formats[port]) {
      if (frames->kind () != Kind::projections)
        fail (SINO_ERROR_BAD_FORMAT, "input '%s' wants projections, got %s", what, frames->describe ().c_str ());
      check_size (what, frames->rows (), frames->line (), format);
      per_port_pixel += flat_field::Reducer::bytes_per_pixel (reduce);
      if (reduce == Reduce::median)
        per_port_pixel += static_cast<size_t> (frames->angles ()) * size_of (frames->element);
    } else if (const auto &own = companions[port]; own && own->count > 0) {
      if (!format.changed_by.empty ())
        fail (SINO_ERROR_BAD_FORMAT,
              "'%s' has changed the counts already, so that the scan's %s no longer fit: put this node before it",
              format.changed_by.c_str (), what);
      check_size (what, own->rows, own->columns, format);
      const auto grouped = flat_field::groups_by_position (*own, interpolate && port == flats_port);
      groups = std::max<int64_t> (groups, std::ssize (grouped));
      reduced += grouped.size () * pixels * sizeof (float);
      reducing += flat_field::reducing_bytes (*own, grouped, reduce);
    } else if (port == flats_port && !format.changed_by.empty ()) {
      fail (SINO_ERROR_BAD_FORMAT,
            "no flats: the stream brings none, and '%s' has changed its counts already: leave this node out, or put it "
            "before that, with flats= of 'read'",
            format.changed_by.c_str ());
    } else if (port == flats_port) {
      fail (SINO_ERROR_BAD_FORMAT, "no flats: the stream brings none; give flats= to 'read', or connect them as in "
                                   "[data, darks, flats] ! flat-field");
    }
  }
  format.element = Element::f32;
  format.companions = {};
  format.mark_changed (info.name);
  return format;
}

void FlatField::memory (const Sizing &sizing, Bill &bill) const
{
  const auto pixels = static_cast<size_t> ((sizing.item_rows + 31) * columns);
  // Laid out twice where there are lanes.
  add_bytes (bill, "references of a block's rows", pixels * static_cast<size_t> (2 * groups + 4) * sizeof (float));
  add_bytes (bill, "frames of the ports", pixels * per_port_pixel);
}

void FlatField::shared_memory (Bill &bill) const
{
  add_bytes (bill, "reduced darks and flats", reduced);
  add_bytes (bill, "reducing darks and flats", reducing);
}

} // namespace

SINO_REGISTER (FlatField)
