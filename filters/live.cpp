// SPDX-License-Identifier: LGPL-3.0-or-later
// Pictures of planes through the volume that are up to date with each projection of a scan that is under way.
#include "base/angle.hpp"
#include "base/error.hpp"
#include "base/shown.hpp"
#include "filters/live/socket/server.hpp"
#include "filters/live/worker.hpp"
#include "filters/ramp-filter/factors.hpp"
#include "filters/slice/slices.hpp"
#include "glue/module.hpp"
#include "glue/program/live-text.hpp"
#include "glue/program/signals.hpp"
#include "glue/shapes.hpp"
#include "stream/coverage.hpp"
#include <cmath>
#include <numbers>

namespace sino::live {
namespace {

using ramp_filter::Window;

constexpr double pi = std::numbers::pi;
class Live final : public Sink, public Watches, public Embedded, public Writes
{
public:
  static constexpr Info info{"live", "Show planes of the volume while projections come"};
  static constexpr Signature signature{.takes = {Kind::projections, Element::f32},
                                       .integers = "put 'flat-field' before it"};

  enum class Mode { scan, ring };
  enum class Find { off, on, apply };
  enum class Storage { half, single };

  Format negotiate (std::span<const Format *const> inputs) override
  {
    const Format &in = *inputs[0];
    check_beam (in);
    check_values (in);
    slice::SliceSettings settings;
    settings.axis = std::string (axis), settings.angle_offset = angle_offset, settings.weights = weights;
    const auto rays = settings.rays (in);
    notes =
        settings.notes (in, find_axis == Find::apply ? "it moves when it is found" : "give axis=, or find-axis=apply");
    columns = in.line ();
    const auto add = [this] (const std::vector<std::string> &some) {
      notes.insert (notes.end (), some.begin (), some.end ());
    };
    if (mode == Mode::scan)
      add (settings.check_sides (in, rays));
    add (slice::check_axis (rays, columns, settings.region (columns)));
    measure (in);
    settle_places (in, rays);
    settle_values (in, rays);
    settle_wishes ();
    for (const auto &wish : board->wishes ().planes)
      making.measures.check (wish.plane);
    snapshots.check (board->wishes ().planes.size ());
    settings.axis = "auto";
    board->settle_axis (mean_axis (settings.rays (in)), making.axis);
    if (!address.empty ())
      parse_address (address);
    seeking = find_axis == Find::off ? Seeking () : Seeking (in, find_axis == Find::apply);
    return in;
  }
  std::vector<FileStamp> files () const override { return find_stamps ({std::string (axis)}); }
  std::vector<std::string> warnings () const override { return notes; }
  std::vector<std::string> outputs () const override { return snapshots.paths (board->wishes ().planes.size ()); }

  void made (GObject *object)
  {
    telling = std::make_shared<const Board::Watch> (
        [post = NewestPost (object, "new-picture")] (int plane, int64_t version) { post.send (plane, version); });
    board->watch (telling);
  }
  bool immediate () const override { return true; }
  std::shared_ptr<LivePlanes> planes () override
  {
    settle_wishes ();
    return board;
  }
  void was_set (const std::string &property) override
  {
    if (property == "axis")
      board->set_axis (std::string (axis));
    else if (property == "contrast")
      board->set_contrast (parse_contrast (contrast));
  }
  // Projections come in the order of their angles.
  bool serial () const override { return true; }

  void memory (const Sizing &sizing, Bill &bill) const override
  {
    Resident::memory (keeping, half_length (), sizing.threads, bill);
    Maker::memory (making, keeping.projections, sizing.threads, bill);
    seeking.memory (sizing.threads, bill);
    if (!snapshots.path.empty ())
      add_bytes (bill, "pictures for files", making.measures.most_values () * sizeof (float), most_planes);
    if (!address.empty ())
      SentPictures::memory (making.measures.most_values (), bill);
  }
  void shared_memory (Bill &bill) const override
  {
    add_bytes (bill, "sights and weights", making.sights.size () * (sizeof (Sight) + sizeof (float)));
    if (half_length () > 0) {
      add_bytes (bill, "factors of the filter", 4 * static_cast<size_t> (half_length ()) * sizeof (float));
      add_bytes (bill, "tables of transforms", Fft::plan_bytes (half_length ()));
    }
  }
  bool save_memory (int step) override
  {
    if (step > 0 && (row_bin > 0 || step > most_saving || making.measures.rows < 1 << step))
      return false;
    average_rows (row_bin > 0 ? row_bin : 1 << step);
    return true;
  }
  std::string remark (const Device &, int) const override
  {
    const auto &kept = keeping.projections;
    const auto averaged = keeping.row_bin;
    return text ("keeps %" G_GINT64_FORMAT " projections of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT
                 " as %s, of which any plane can be made anew",
                 making.window, kept.rows, kept.columns, kept.half ? "halves" : "floats") +
           (averaged > 1 ? text ("; averages %" G_GINT64_FORMAT " rows%s", averaged,
                                 row_bin > 0 ? "" : ", because memory is short")
                         : "");
  }

  void announce () override { board->expect (); }
  void abandon (const std::string &why) override
  {
    board->close (this, why);
    if (server)
      server->end (why);
  }
  void finish () override
  {
    if (server)
      server->end ("");
  }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    if (!address.empty ())
      server = std::make_shared<Server> (address, *board);
    if (row_bin == 0 && keeping.row_bin > 1)
      replica.messages.add (text ("%" G_GINT64_FORMAT " rows are averaged, because memory is short", keeping.row_bin));
    std::shared_ptr<const ramp_filter::RowFilter> filter;
    if (filters)
      filter = std::make_shared<const ramp_filter::RowFilter> (
          ramp_filter::factors (half_length (), window, ramp, 1, replica.cpu), edges);
    return live_worker (replica, keeping, std::move (filter), making, snapshots, seeking, this, *board);
  }

private:
  std::string plane_words = "z x=0 y=0";
  int size = 0, row_bin = 0;
  static constexpr int most_saving = 2; // then 4 rows are averaged
  double pixel = 1, angle_offset = 0;
  sino::Live<std::string> axis = "auto", contrast = "auto";
  slice::Weights weights = slice::Weights::automatic;
  Mode mode = Mode::scan;
  Storage precision = Storage::half;
  Window window = Window::ram_lak;
  ramp_filter::RampSettings ramp;
  SnapshotSettings snapshots;
  std::string address;
  Find find_axis = Find::off;

  std::shared_ptr<Board> board = std::make_shared<Board> ();
  std::shared_ptr<const Board::Watch> telling; // of the program's object
  std::shared_ptr<Server> server;              // of a run
  // Settled by negotiation:
  int64_t columns = 0;
  bool filters = true, edges = false; // rows are padded with their first and last values
  Keeping keeping{};
  Making making{};
  Seeking seeking;
  std::vector<std::string> notes;

  int64_t half_length () const { return filters ? ramp_filter::padded_half (2 * columns) : 0; }

  void settle_wishes () { board->settle ({.planes = plane_words, .axis = axis, .contrast = contrast}); }

  static void check_beam (const Format &in)
  {
    if (in.geometry && !in.geometry->views.empty ())
      fail (SINO_ERROR_BAD_FORMAT, "wants a parallel beam at right angles to the axis, and %s has another geometry",
            in.source.empty () ? "the scan" : in_quotes (in.source).c_str ());
    slice::check_angles (in);
    check_angles_differ (in);
  }

  static void check_values (const Format &in)
  {
    if (in.values == Meaning::counts || in.values == Meaning::transmission)
      fail (SINO_ERROR_BAD_FORMAT, "wants attenuation, got %s: %s", name_of (in.values),
            in.values == Meaning::counts ? "put 'flat-field' before it"
                                         : "put 'minus-log' before it, or leave out absorption=false of 'flat-field'");
  }

  void measure (const Format &in)
  {
    if (row_bin > in.rows ())
      fail (SINO_ERROR_BAD_PROPERTY, "row-bin=%d is more than the %" G_GINT64_FORMAT " rows of a projection", row_bin,
            in.rows ());
    making.measures = {.columns = columns,
                       .rows = in.rows (),
                       .slices = in.dim (Axis::row),
                       .rows_apart = in.geometry->rows_apart,
                       .row_bin = 1,
                       .size = size,
                       .pixel = pixel};
  }

  void average_rows (int64_t some)
  {
    making.measures.row_bin = keeping.row_bin = some;
    auto &kept = keeping.projections;
    kept.rows = making.measures.resident_rows ();
    const auto bin = static_cast<double> (some);
    const auto lacking = static_cast<double> (kept.rows * some - making.measures.rows); // rows of the last average
    kept.beyond = some > 1 ? 0.5 * (bin - 1) / bin : -1;
    kept.last = static_cast<double> (kept.rows - 1) - 0.5 * lacking / bin;
  }

  // Where projections lie, and which of them pictures hold.
  void settle_places (const Format &in, const std::vector<slice::Ray> &rays)
  {
    making.window = mode == Mode::ring ? half_turn (in.geometry->angles) : in.angles ();
    keeping = {
        .projections = {.values = nullptr, .half = precision == Storage::half, .columns = columns, .rows = in.rows ()},
        .places = std::min (making.window + (mode == Mode::ring ? 2 * most_at_once : 0),
                            in.angles ()), // of a ring, some are filled while pictures hold others
        .rows = in.rows (),
        .row_bin = 1,
        .finite = in.finite,
        .weights = {}};
    average_rows (std::max (row_bin, 1));
    making.sights.clear ();
    for (size_t k = 0; k < rays.size (); k++) {
      const auto &ray = rays[k];
      making.sights.push_back ({.place = static_cast<int64_t> (k) % keeping.places,
                                .cos = ray.cos,
                                .sin = ray.sin,
                                .origin = ray.origin,
                                .factor = 1});
    }
    making.axis = mean_axis (rays);
  }

  // Exact if all are equal.
  static double mean_axis (const std::vector<slice::Ray> &rays)
  {
    const double first = rays.front ().origin;
    double sum = 0;
    for (const auto &ray : rays)
      sum += ray.origin - first;
    return first + 0.5 + sum / static_cast<double> (rays.size ());
  }

  // Halves hold values near 1: those of columns at a distance of 1, with a mean weight of 1.
  void settle_values (const Format &in, const std::vector<slice::Ray> &rays)
  {
    filters = window != Window::none && in.filtered_by.empty ();
    edges = ramp.pads_edges (in);
    const bool filtered = filters || !in.filtered_by.empty ();
    const double spacing = filtered ? in.geometry->pixel_size.value_or (1) : 1;
    const double before = in.filtered_by.empty () ? 1 : spacing;
    const double mean = pi / static_cast<double> (making.window);
    making.scale = static_cast<float> (mean / spacing);
    for (const auto &ray : rays) {
      const double share = mode == Mode::ring ? 1 : static_cast<double> (ray.weight) / mean;
      keeping.weights.push_back (static_cast<float> (share * before));
    }
  }

  static int64_t half_turn (const std::vector<double> &angles)
  {
    const auto n = angles.size ();
    const double step = n < 2 ? 0 : (angles.back () - angles.front ()) / static_cast<double> (n - 1);
    for (size_t k = 0; k < n; k++)
      if (!(std::abs (angles[k] - angles.front () - static_cast<double> (k) * step) < 0.25 * std::abs (step)))
        fail (SINO_ERROR_BAD_FORMAT,
              "mode=ring wants angles in even steps, and projection %zu is at %g degrees: give mode=scan", k,
              degrees (angles[k]));
    constexpr int64_t least = 8; // so that differences of angles are small parts of half a turn
    const auto half = std::llround (pi / std::abs (step));
    if (half < least)
      fail (SINO_ERROR_BAD_FORMAT,
            "mode=ring wants small steps, and half a turn has %lld projections in steps of %g degrees: give mode=scan",
            static_cast<long long> (half), degrees (step));
    if (half > static_cast<int64_t> (n))
      fail (SINO_ERROR_BAD_FORMAT,
            "mode=ring wants half a turn at least, and the angles have %.4g degrees: give mode=scan",
            degrees (std::abs (step) * static_cast<double> (n)));
    return half;
  }

  static constexpr Nick<Find> finds[] = {{Find::off, "off"}, {Find::on, "on"}, {Find::apply, "apply"}};
  static constexpr Nick<Mode> modes[] = {{Mode::scan, "scan"}, {Mode::ring, "ring"}};
  static constexpr Nick<Storage> storages[] = {{Storage::half, "half"}, {Storage::single, "single"}};

public:
  static constexpr auto properties = joined (
      std::array{
          prop<&Live::plane_words> (
              "planes",
              "Planes to show, with spaces between them. The middle of a picture is x=, y= (columns from the axis) and "
              "z= (number of a slice); angle= and tilt= (degrees) give its direction, as in "
              "x=0,y=0,z=40,angle=30,tilt=20; x= or y= alone is the upright plane across that axis"),
          prop<&Live::size> ("size", "Pixels of a side of the pictures; 0: as many as the volume has", Range{0, 65536}),
          prop<&Live::pixel> ("pixel", "Side of a pixel in detector columns", Range{0.01, 1}),
          prop<&Live::axis> ("axis",
                             "Rotation axis in detector columns: auto (from the scan, otherwise the middle), a number, "
                             "or a text file with one number per projection"),
          prop<&Live::find_axis> (
              "find-axis",
              "on: seek the axis again and again while projections come, and tell of it; apply: and "
              "move the pictures' axis there; off: neither",
              finds),
          prop<&Live::contrast> ("contrast",
                                 "Values that become black and white in pictures of 8 bits: auto (0.1 % of the pixels "
                                 "are darker, and as many brighter), two values as 0:0.02, or shares of the pixels as "
                                 "1%:99%"),
          prop<&Live::angle_offset> ("angle-offset", "Degrees added to the angles: rotates the slices"),
          prop<&Live::weights> ("weights",
                                "Weight of a projection: auto (each direction counts once, even if measured several "
                                "times), uniform (pi / number of projections), or spacing (half the angles to its "
                                "neighbours)",
                                slice::weight_nicks),
          prop<&Live::mode> (
              "mode", "scan: pictures hold all projections that have come; ring: those of the last half turn", modes),
          prop<&Live::precision> ("precision", "How filtered projections are kept: half or single", storages),
          prop<&Live::row_bin> (
              "row-bin",
              "Detector rows that are averaged, to save memory and time; 0: none, or 2 or 4 where memory is short",
              Range{0, 64}),
          prop<&Live::window> (
              "window", "Window of the ramp filter; ram-lak: the ramp without a window; none: rows are not filtered",
              ramp_filter::window_nicks),
          prop<&Live::address> ("address",
                                "Where programs ask for pictures by lines of JSON: tcp://localhost:PORT, tcp://*:PORT "
                                "for programs on other machines, or unix:PATH; empty: nowhere")},
      group<&Live::ramp> (), group<&Live::snapshots> ());
};

SINO_REGISTER (Live)

} // namespace

} // namespace sino::live
