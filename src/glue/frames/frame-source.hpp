// SPDX-License-Identifier: LGPL-3.0-or-later
// A source of frames that come one by one during the run, from a program or over a network.
#pragma once
#include "glue/frames/extras.hpp"
#include "glue/frames/gaps.hpp"
#include "glue/property.hpp"
#include "glue/shapes.hpp"

namespace sino {

enum class ShortScan : uint8_t { fail, finish };
enum class FrameOrder : uint8_t { rising, any };

// Properties of every such source.
struct FrameSettings {
  int frames = 0;
  double angle_start = 0, angle_step = 0;
  FrameOrder order = FrameOrder::rising;
  int window = 100;
  Lost missing = Lost::fail;
  ShortScan short_scan = ShortScan::fail;

  static constexpr Nick<FrameOrder> order_nicks[] = {{FrameOrder::rising, "rising"}, {FrameOrder::any, "any"}};
  static constexpr Nick<Lost> missing_nicks[] = {
      {Lost::fail, "fail"}, {Lost::interpolate, "interpolate"}, {Lost::skip, "skip"}};
  static constexpr Nick<ShortScan> short_nicks[] = {{ShortScan::fail, "fail"}, {ShortScan::finish, "finish"}};
  static constexpr std::array properties{
      prop<&FrameSettings::frames> (
          "frames", "Projections of the scan; 0: as many as come. The rest of the graph then begins after the last one",
          {0, 1 << 30}),
      prop<&FrameSettings::angle_start> ("angle-start", "Degrees of the first projection", {-1e9, 1e9}),
      prop<&FrameSettings::angle_step> ("angle-step", "Degrees from one projection to the next; 0: 180 over all frames",
                                        {-1e9, 1e9}),
      prop<&FrameSettings::order> ("order",
                                   "Order in which frames come: rising numbers, or any: frames wait for those before "
                                   "them, and repeated ones are left out",
                                   FrameSettings::order_nicks),
      prop<&FrameSettings::window> (
          "window", "With order=any: a frame is lost when one has come whose number is larger by more than this",
          {1, 1 << 20}),
      prop<&FrameSettings::missing> (
          "missing",
          "If frames are lost: fail, skip these projections with their angles, or interpolate "
          "between those beside them",
          FrameSettings::missing_nicks),
      prop<&FrameSettings::short_scan> ("short-scan", "If a scan ends early: fail, or finish with the existing frames",
                                        FrameSettings::short_nicks),
  };
};

// Most frames in a block: large ones are passed on one by one, as they come.
inline int64_t frames_of_block (double bytes_of_frame)
{
  constexpr double large = 256 << 10;
  return bytes_of_frame >= large ? 1 : std::numeric_limits<int64_t>::max ();
}

// State that an object shares with its copies in runs.
struct SINO_VISIBLE FrameFeed {
  FrameQueue queue;
  Extras darks, flats;
  std::mutex mutex; // protects the members below
  std::shared_ptr<const Geometry> geometry;
  int64_t announced = 0;                    // number of projections that the sender has told; 0: none
  std::shared_ptr<const Gathered> gathered; // projections of the run that has the queue
  int64_t supposed = 1800;                  // projections that are assumed for a plan before they have come
};

class SINO_VISIBLE FrameSource : public Source, public Embedded
{
public:
  FrameSource () = default;
  FrameSource (const FrameSource &) = default;
  FrameSource &operator= (const FrameSource &) = default;
  ~FrameSource () override;

  // Shape of one frame. Throws if a property is missing.
  virtual FrameShape shape () const = 0;
  // Bounds of the queue, without those that only programs set.
  Bounds usual_bounds () const;

  bool gathers () const override { return needs_all (); }
  bool gathers_all () const override { return needs_all (); }
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

protected:
  std::shared_ptr<FrameFeed> shared = std::make_shared<FrameFeed> ();
  std::shared_ptr<const Gathered> gathered;

  virtual const FrameSettings &settings () const = 0;
  // The property that says that each frame comes with its angle; null: it is not set.
  virtual const char *angles_from () const = 0;
  // Most bytes of frames that may wait for the run; 0: any number.
  virtual double most_bytes () const = 0;
  int64_t scan_frames () const;
  // Whether it knows the format of its stream only after all frames have come.
  bool needs_all () const;

private:
  virtual const char *name () const = 0;
  std::shared_ptr<const Geometry> geometry_of (int64_t count) const;
};

} // namespace sino
