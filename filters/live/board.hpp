// SPDX-License-Identifier: LGPL-3.0-or-later
// What the program wishes to see, and the pictures that a run has of it. The program's object and its copies in runs
// share a board.
#pragma once
#include "base/visibility.hpp"
#include "filters/live/contrast.hpp"
#include "filters/live/planes.hpp"
#include "glue/watches.hpp"
#include <condition_variable>
#include <limits>
#include <map>
#include <mutex>

namespace sino::live {

// Planes that a node may have: memory for their pictures is part of the plan.
constexpr size_t most_planes = 8;

struct Wish {
  int number; // of the plane
  PlaneWords plane;
  int64_t serial; // of the wish; the newest wins
};

struct Wishes {
  std::vector<Wish> planes;
  double axis = std::numeric_limits<double>::quiet_NaN ();
  int64_t axis_serial = 0;
  int64_t serial = 0; // of the newest wish
};

// Where the board finds pictures while a run is under way.
class Pictures
{
public:
  virtual ~Pictures () = default;
  // The picture of a plane, copied; none: it is not complete, or the run has ended.
  virtual std::optional<LivePicture> picture (int number) = 0;
};

class Board final : public LivePlanes
{
public:
  // --- the program ---
  int add (const std::string &plane) override;
  void move (int number, const std::string &plane) override;
  void remove (int number) override;
  std::vector<std::pair<int, std::string>> list () const override;
  void set_axis (double column) override;
  // "auto" or a number, while a run goes on.
  void set_axis (const std::string &word);
  std::optional<FoundAxis> found_axis () const override;
  void set_contrast (const Contrast &contrast);
  Contrast contrast () const;
  std::optional<LivePicture> pull (int number, int64_t newer_than, std::chrono::microseconds time,
                                   const std::function<bool ()> &stop) override;

  // Where the axis is; NaN: not known yet.
  double axis () const;
  // The version of the picture of each plane; 0: none.
  std::map<int, int64_t> versions () const;
  int64_t version_of (int number) const;
  // Calls `watch` for each new picture, as long as it exists. It must return soon.
  using Watch = std::function<void (int number, int64_t version)>;
  void watch (std::weak_ptr<const Watch> watch);

  // --- the run ---
  // Sets what is wished to what the properties say, where these have changed since.
  struct Words {
    std::string planes, axis, contrast;
  };
  void settle (const Words &words);
  // Where the scan and the properties have the axis.
  void settle_axis (double of_scan, double of_properties);
  // A run is about to begin: pictures of earlier ones are dropped, unless one is under way.
  void expect ();
  // Throws if another run is under way. `user`: the run's node.
  void begin (const void *user, std::shared_ptr<Pictures> pictures);
  // The run has ended well, or failed for a reason.
  void end (std::vector<std::pair<int, LivePicture>> last);
  void close (const void *user, const std::string &why);

  Wishes wishes () const;
  // Waits until there is a newer wish, or `stop ()`; stop is asked again after wake ().
  void wait (int64_t serial, const std::function<bool ()> &stop);
  void wake ();
  // The axis was found.
  void found (const FoundAxis &axis);
  // Moves the axis to where it was found, unless the program has moved it.
  void apply_axis (double column);
  // A picture has changed, or has become incomplete (version 0).
  void publish (int number, int64_t version);
  int64_t next_version ();

private:
  struct Shown {
    int number;
    int64_t version = 0;
    std::optional<LivePicture> last; // after the run
  };

  mutable std::mutex mutex;
  std::condition_variable changed;
  Wishes wanted;
  std::vector<Shown> shown; // as wanted.planes
  Contrast grey;
  Words settled;
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN ();
  double scan_axis = unknown, first_axis = unknown, applied_axis = unknown;
  bool axis_of_run = false, contrast_of_run = false; // moved by a live property or find-axis, for one run only
  std::optional<FoundAxis> sought;
  int next_number = 0;
  int64_t version = 0;
  std::shared_ptr<Pictures> running;
  const void *owner = nullptr; // the node of that run
  bool ended = false;
  std::string failure;
  std::vector<std::weak_ptr<const Watch>> watches;

  size_t place_of (int number) const;
  void drop_pictures ();
  void place_axis (double column);
  int add (PlaneWords plane);
};

} // namespace sino::live
