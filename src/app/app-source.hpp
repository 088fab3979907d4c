// SPDX-License-Identifier: LGPL-3.0-or-later
// The node 'app-source': a scan whose frames the program that embeds the library pushes.
#pragma once
#include "app/copies.hpp"
#include "app/extras.hpp"
#include "app/gaps.hpp"
#include "app/signals.hpp"
#include "glue/binding.hpp"
#include "glue/facets.hpp"
#include "glue/shapes.hpp"
#include "stream/gathered.hpp"

namespace sino::app {

enum class ShortScan : uint8_t { fail, finish };
enum class Order : uint8_t { rising, any };

// State that an object of the program shares with its copies in runs.
struct Feed {
  FrameQueue queue;
  std::shared_ptr<Copies> copies = std::make_shared<Copies> ();
  Extras darks, flats;
  std::mutex mutex; // protects the members below
  std::shared_ptr<const Geometry> geometry;
  std::shared_ptr<const Gathered> gathered; // projections of the run that has the queue
  int64_t supposed = 1800;                  // projections that are assumed for a plan before they have come
};

class AppSource final : public Source, public Embedded
{
public:
  static constexpr Info info{"app-source", "Take the frames of a scan from the program that runs the graph"};
  static constexpr Signature signature{.gives = {Kind::projections, any_element}};

  AppSource () = default;
  AppSource (const AppSource &) = default;
  AppSource &operator= (const AppSource &) = default;
  ~AppSource () override;

  // --- for the program; called on its own object ---
  Feed &feed () { return *shared; }
  Bounds bounds () const;
  // shape (): shape of one frame. frames_in (): number of frames in `bytes` bytes. They throw if a property is missing
  // or the size does not fit.
  FrameShape shape () const;
  int64_t frames_in (size_t bytes) const;
  bool angles_come () const { return own_angles; }

  // --- the run ---
  bool needs_program () const override { return true; }
  bool gathers () const override;
  void gather (const Monitor &monitor) override;
  bool suppose (int64_t projections) override;
  Format negotiate (std::span<const Format *const> inputs) override;
  Access access () const override { return gathered ? Access::random : Access::once; }
  bool serial () const override { return !gathered; }
  double bytes_read (const Format &output, const Rows &rows) const override;
  int64_t most_angles (const Format &output) const override;
  void shared_memory (Bill &bill) const override;
  std::unique_ptr<Worker> start (const Replica &replica) override;
  void unlock () override { shared->queue.unlock (this); }
  bool waits_outside () const override { return true; }
  void abandon (const std::string &why) override { shared->queue.close (this, why); }

private:
  Element element = Element::u16;
  int rows = 0, columns = 0, frames = 0;
  double angle_start = 0, angle_step = 0;
  bool own_angles = false;
  Order order = Order::rising;
  int window = 100;
  Lost missing = Lost::fail;
  ShortScan short_scan = ShortScan::fail;
  Live<double> max_bytes = 256 << 20;
  Live<int> max_buffers = 0;
  Live<bool> block = true;
  Live<Leaky> leaky = Leaky::none;

  std::shared_ptr<Feed> shared = std::make_shared<Feed> ();
  std::shared_ptr<const Gathered> gathered;
  Programs programs;

  int64_t scan_frames () const;
  std::shared_ptr<const Geometry> geometry_of (int64_t count) const;

public:
  static constexpr Nick<Element> element_nicks[] = {
      {Element::u8, "u8"}, {Element::u16, "u16"}, {Element::f16, "f16"}, {Element::f32, "f32"}};
  static constexpr Nick<Order> order_nicks[] = {{Order::rising, "rising"}, {Order::any, "any"}};
  static constexpr Nick<Lost> missing_nicks[] = {
      {Lost::fail, "fail"}, {Lost::interpolate, "interpolate"}, {Lost::skip, "skip"}};
  static constexpr Nick<ShortScan> short_nicks[] = {{ShortScan::fail, "fail"}, {ShortScan::finish, "finish"}};
  static constexpr Nick<Leaky> leaky_nicks[] = {
      {Leaky::none, "none"}, {Leaky::upstream, "upstream"}, {Leaky::downstream, "downstream"}};
  static constexpr Property properties[] = {
      prop<&AppSource::element> ("element", "Type of the values", element_nicks),
      prop<&AppSource::rows> ("rows", "Rows of a frame", {0, 1 << 20}),
      prop<&AppSource::columns> ("columns", "Columns of a frame", {0, 1 << 20}),
      prop<&AppSource::frames> (
          "frames",
          "Projections of the scan; 0: as many as are pushed. The rest of the graph then begins after the last one",
          {0, 1 << 30}),
      prop<&AppSource::angle_start> ("angle-start", "Degrees of the first projection", {-1e9, 1e9}),
      prop<&AppSource::angle_step> ("angle-step", "Degrees from one projection to the next; 0: 180 over all frames",
                                    {-1e9, 1e9}),
      prop<&AppSource::own_angles> ("own-angles", "Whether each frame is pushed with its angle"),
      prop<&AppSource::order> ("order",
                               "Order in which frames are pushed: rising numbers, or any: frames wait for those before "
                               "them, and repeated ones are left out",
                               order_nicks),
      prop<&AppSource::window> (
          "window", "With order=any: a frame is lost when one has come whose number is larger by more than this",
          {1, 1 << 20}),
      prop<&AppSource::missing> ("missing",
                                 "If frames are lost: fail, skip these projections with their angles, or interpolate "
                                 "between those beside them",
                                 missing_nicks),
      prop<&AppSource::short_scan> ("short-scan", "If a scan ends early: fail, or finish with the existing frames",
                                    short_nicks),
      prop<&AppSource::max_bytes> ("max-bytes", "Bytes of frames that may wait for the run; 0: any number", {0, 1e15}),
      prop<&AppSource::max_buffers> ("max-buffers", "Buffers of frames that may wait for the run; 0: any number",
                                     {0, 1 << 30}),
      prop<&AppSource::block> ("block", "Whether a push waits for room; otherwise it fails if there is none"),
      prop<&AppSource::leaky> ("leaky-type", "What to drop if there is no room: nothing, new frames, or the oldest",
                               leaky_nicks),
  };

  static void add_signals (GType type);
  // Called when the program makes an object, not when a run copies one.
  void made (GObject *object);
};

} // namespace sino::app
