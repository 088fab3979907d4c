// SPDX-License-Identifier: LGPL-3.0-or-later
// Pictures of planes through the volume that are up to date with each projection of a scan that is under way.
#include "base/error.hpp"
#include "device/devices.hpp"
#include "families/choice.hpp"
#include "filters/live/cone.hpp"
#include "filters/live/native.hpp"
#include "filters/live/opencl/easel.hpp"
#include "filters/live/opencl/family.hpp"
#include "filters/live/opencl/problem.hpp"
#include "filters/live/parallel.hpp"
#include "filters/live/socket/server.hpp"
#include "filters/live/worker.hpp"
#include "filters/ramp-filter/factors.hpp"
#include "glue/module.hpp"
#include "glue/program/live-text.hpp"
#include "glue/program/signals.hpp"
#include "glue/shapes.hpp"
#include "glue/workers/kernel-properties.hpp"

namespace sino::live {
namespace {

using ramp_filter::Window;

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
    check_values (in);
    settle_storage (in);
    if (in.geometry && !in.geometry->views.empty ())
      settle_views (in);
    else
      settle_parallel (in);
    average_rows (std::max (row_bin, 1));
    seeking = find_axis == Find::off ? Seeking () : Seeking (in, find_axis == Find::apply);
    settle_kernels ();
    settle_wishes ();
    for (const auto &wish : board->wishes ().planes)
      making.measures.check (wish.plane);
    snapshots.check (board->wishes ().planes.size ());
    if (!address.empty ())
      parse_address (address);
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
    const auto &measures = making.measures;
    if (on_device (sizing.device)) {
      const auto filter = filter_on (sizing.device);
      device_memory (as_opencl (sizing.device), keeping,
                     {.most_values = measures.most_values (),
                      .most_lines = std::max (measures.width (), measures.upright_height ()),
                      .pictures = most_planes},
                     filter ? &*filter : nullptr, sizing.input_reached ? 0 : sizing.input_block[0], bill);
    } else
      native_memory (keeping, half_length (), measures.most_values (), most_planes, sizing.threads, bill);
    Maker::memory (making, bill);
    seeking.memory (sizing.threads, bill);
    if (!snapshots.path.empty ())
      add_bytes (bill, "pictures for files", making.measures.most_values () * sizeof (float), most_planes);
    if (!address.empty ())
      SentPictures::memory (making.measures.most_values (), bill);
  }
  void shared_memory (Bill &bill) const override
  {
    add_bytes (bill, "sights and weights", sights_bytes ());
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
  const families::Use *kernels () const override { return &opencl; }
  bool on_device (const Device &device) const override
  {
    return making.cones.empty () && !seeking.on () && opencl.runs_on (device);
  }
  std::string remark (const Device &device, int) const override
  {
    const auto &kept = keeping.projections;
    const auto averaged = keeping.row_bin;
    return text ("keeps %" G_GINT64_FORMAT " projections of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT
                 " as %s, of which any plane can be made anew",
                 making.window, kept.rows, kept.columns, kept.half ? "halves" : "floats") +
           (averaged > 1 ? text ("; averages %" G_GINT64_FORMAT " rows%s", averaged,
                                 row_bin > 0 ? "" : ", because memory is short")
                         : "") +
           (on_device (device) ? "; " + opencl.remark (device, 1) : "");
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
    return live_worker (replica, easel_for (replica), making, snapshots, seeking, this, *board);
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
  cone::OffsetSettings offset;
  SnapshotSettings snapshots;
  std::string address;
  Find find_axis = Find::off;
  families::Use opencl{family ()}, filter_kernels{ramp_filter::family ()};

  std::shared_ptr<Board> board = std::make_shared<Board> ();
  std::shared_ptr<const Board::Watch> telling; // of the program's object
  std::shared_ptr<Server> server;              // of a run
  // Settled by negotiation:
  bool filters = true, edges = false; // rows are padded with their first and last values
  Keeping keeping{};
  Making making{};
  Seeking seeking;
  std::vector<std::string> notes;

  int64_t half_length () const { return filters ? ramp_filter::padded_half (2 * keeping.projections.columns) : 0; }
  void settle_wishes () { board->settle ({.planes = plane_words, .axis = axis, .contrast = contrast}); }
  size_t sights_bytes () const
  {
    return making.sights.size () * sizeof (Sight) + making.cones.size () * sizeof (ConeSight) +
           keeping.weights.size () * sizeof (float) + (keeping.weighing ? keeping.weighing->bytes () : 0);
  }

  void settle_kernels ()
  {
    if (opencl.names_kernel () && !making.cones.empty ())
      fail (SINO_ERROR_BAD_PROPERTY, "variant=%s does not have cone and tilted beams: leave it out",
            opencl.variant.c_str ());
    opencl.negotiated (family_problem (precision == Storage::half, keeping.rows));
    filter_kernels.negotiated (ramp_filter::problem_of (2 * half_length (), edges, 1));
  }

  std::optional<DeviceFilter> filter_on (const Device &device) const
  {
    if (!filters)
      return {};
    return DeviceFilter{filter_kernels.choice (device, 1).setting, filter_kernels.problem (), {}};
  }

  std::unique_ptr<Easel> easel_for (const Replica &replica) const
  {
    const auto factors =
        filters ? ramp_filter::factors (half_length (), window, ramp, 1, replica.cpu) : std::vector<double> ();
    if (on_device (replica.device)) {
      auto filter = filter_on (replica.device);
      if (filter)
        filter->factors = ramp_filter::spectrum_filter (factors);
      return device_easel (as_opencl (replica.device), keeping, opencl.choice (replica.device, 1).setting,
                           filter ? &*filter : nullptr, replica.memory);
    }
    return native_easel (keeping, filters ? std::make_shared<const ramp_filter::RowFilter> (factors, edges) : nullptr,
                         replica.cpu, replica.memory);
  }

  static void check_values (const Format &in)
  {
    if (in.values == Meaning::counts || in.values == Meaning::transmission)
      fail (SINO_ERROR_BAD_FORMAT, "wants attenuation, got %s: %s", name_of (in.values),
            in.values == Meaning::counts ? "put 'flat-field' before it"
                                         : "put 'minus-log' before it, or leave out absorption=false of 'flat-field'");
  }

  // What does not depend on the beam.
  void settle_storage (const Format &in)
  {
    if (row_bin > in.rows ())
      fail (SINO_ERROR_BAD_PROPERTY, "row-bin=%d is more than the %" G_GINT64_FORMAT " rows of a projection", row_bin,
            in.rows ());
    filters = window != Window::none && in.filtered_by.empty ();
    edges = ramp.pads_edges (in);
    making = {};
    making.measures = {.columns = in.line (),
                       .rows = in.rows (),
                       .slices = in.dim (Axis::row),
                       .rows_apart = in.geometry ? in.geometry->rows_apart : 1,
                       .row_bin = 1,
                       .size = size,
                       .pixel = pixel};
    keeping = {.projections = {.values = nullptr,
                               .half = precision == Storage::half,
                               .columns = in.line (),
                               .rows = in.rows ()},
               .places = 0,
               .rows = in.rows (),
               .row_bin = 1,
               .finite = in.finite,
               .weights = {},
               .weighing = {}};
  }

  void settle_views (const Format &in)
  {
    const slice::SliceSettings usual;
    const char *const asked = std::string (axis) != usual.axis     ? "axis"
                              : find_axis != Find::off             ? "find-axis"
                              : angle_offset != usual.angle_offset ? "angle-offset"
                              : weights != usual.weights           ? "weights"
                                                                   : nullptr;
    if (asked)
      fail (SINO_ERROR_BAD_PROPERTY, "%s is not for a cone or tilted beam: the geometry of the source gives it", asked);
    notes = settle_cone (
        in, {.offset = offset, .ring = mode == Mode::ring, .weighs = in.filtered_by.empty (), .ramp = filters}, keeping,
        making);
    board->settle_axis (making.axis, making.axis);
  }

  void settle_parallel (const Format &in)
  {
    ParallelSettings settings{.slices = {},
                              .ring = mode == Mode::ring,
                              .filters = filters,
                              .axis_advice = find_axis == Find::apply ? "it moves when it is found"
                                                                      : "give axis=, or find-axis=apply"};
    settings.slices.axis = std::string (axis);
    settings.slices.angle_offset = angle_offset;
    settings.slices.weights = weights;
    notes = live::settle_parallel (in, settings, keeping, making);
    settings.slices.axis = "auto";
    board->settle_axis (mean_axis (settings.slices.rays (in)), making.axis);
  }

  void average_rows (int64_t some)
  {
    keeping.row_bin = some;
    making.measures.row_bin = making.cones.empty () ? some : 1; // planes of other beams are counted in voxels
    auto &kept = keeping.projections;
    kept.rows = divide_up (keeping.rows, some);
    const auto bin = static_cast<double> (some);
    kept.bin = bin;
    const auto lacking = static_cast<double> (kept.rows * some - making.measures.rows); // rows of the last average
    kept.beyond = some > 1 ? 0.5 * (bin - 1) / bin : -1;
    kept.last = static_cast<double> (kept.rows - 1) - 0.5 * lacking / bin;
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
          prop<&Live::mode> ("mode",
                             "scan: pictures hold all projections that have come; ring: those of the last half turn, "
                             "or whole turn of a cone",
                             modes),
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
      group<&Live::ramp> (), group<&Live::offset> (), group<&Live::snapshots> (), kernel_properties<&Live::opencl> ());
};

SINO_REGISTER (Live)

} // namespace

} // namespace sino::live
