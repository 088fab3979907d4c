// SPDX-License-Identifier: LGPL-3.0-or-later
// The slices that were looked at last.
#pragma once
#include "monitor/volume/plane.hpp"
#include <list>
#include <mutex>

namespace sino::monitor {

class Shelf
{
public:
  struct Key {
    size_t volume;
    int axis;
    int64_t index;
    friend bool operator== (const Key &, const Key &) = default;
  };

  std::shared_ptr<const Plane> find (const Key &key);
  void keep (const Key &key, std::shared_ptr<const Plane> plane);

private:
  static constexpr size_t most_bytes = size_t{96} << 20;

  struct Place {
    Key key;
    std::shared_ptr<const Plane> plane;
    size_t bytes () const { return plane->values.size () * sizeof (float); }
  };

  std::mutex mutex;
  std::list<Place> places; // the newest first
  size_t bytes = 0;
};

} // namespace sino::monitor
