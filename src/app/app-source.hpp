// SPDX-License-Identifier: LGPL-3.0-or-later
// The node 'app-source': a scan whose frames the program that embeds the library pushes.
#pragma once
#include "app/copies.hpp"
#include "glue/binding.hpp"
#include "glue/frames/frame-source.hpp"
#include "glue/program/signals.hpp"

namespace sino::app {

class AppSource final : public FrameSource
{
public:
  static constexpr Info info{"app-source", "Take the frames of a scan from the program that runs the graph"};
  static constexpr Signature signature{.gives = {Kind::projections, any_element}};

  AppSource () = default;
  AppSource (const AppSource &) = default;
  AppSource &operator= (const AppSource &) = default;
  ~AppSource () override;

  // --- for the program; called on its own object ---
  FrameFeed &feed () { return *shared; }
  Copies &copies () { return *own_copies; }
  Bounds bounds () const;
  FrameShape shape () const override;
  // Number of frames in `bytes` bytes. Throws if a property is missing or the size does not fit.
  int64_t frames_in (size_t bytes) const;
  bool angles_come () const { return own_angles; }

  // --- the run ---
  bool needs_program () const override { return true; }

private:
  Element element = Element::u16;
  int rows = 0, columns = 0;
  bool own_angles = false;
  FrameSettings scan;
  Live<double> max_bytes = 256 << 20;
  Live<int> max_buffers = 0;
  Live<bool> block = true;
  Live<Leaky> leaky = Leaky::none;

  std::shared_ptr<Copies> own_copies = std::make_shared<Copies> ();
  Programs programs;

  const char *name () const override { return info.name; }
  const FrameSettings &settings () const override { return scan; }
  const char *angles_from () const override { return own_angles ? "own-angles" : nullptr; }
  double most_bytes () const override { return max_bytes; }

public:
  static constexpr Nick<Element> element_nicks[] = {
      {Element::u8, "u8"}, {Element::u16, "u16"}, {Element::f16, "f16"}, {Element::f32, "f32"}};
  static constexpr Nick<Leaky> leaky_nicks[] = {
      {Leaky::none, "none"}, {Leaky::upstream, "upstream"}, {Leaky::downstream, "downstream"}};
  static constexpr auto properties = joined (
      std::array{
          prop<&AppSource::element> ("element", "Type of the values", element_nicks),
          prop<&AppSource::rows> ("rows", "Rows of a frame", {0, 1 << 20}),
          prop<&AppSource::columns> ("columns", "Columns of a frame", {0, 1 << 20}),
          prop<&AppSource::own_angles> ("own-angles", "Whether each frame is pushed with its angle"),
      },
      group<&AppSource::scan> (),
      std::array{
          prop<&AppSource::max_bytes> ("max-bytes", "Bytes of frames that may wait for the run; 0: any number",
                                       {0, 1e15}),
          prop<&AppSource::max_buffers> ("max-buffers", "Buffers of frames that may wait for the run; 0: any number",
                                         {0, 1 << 30}),
          prop<&AppSource::block> ("block", "Whether a push waits for room; otherwise it fails if there is none"),
          prop<&AppSource::leaky> ("leaky-type", "What to drop if there is no room: nothing, new frames, or the oldest",
                                   leaky_nicks),
      });

  static void add_signals (GType type);
  // Called when the program makes an object, not when a run copies one.
  void made (GObject *object);
};

} // namespace sino::app
