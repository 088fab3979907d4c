// SPDX-License-Identifier: LGPL-3.0-or-later
#include "monitor/volume/shelf.hpp"
#include <algorithm>

namespace sino::monitor {

std::shared_ptr<const Plane> Shelf::find (const Key &key)
{
  const std::lock_guard guard (mutex);
  const auto found = std::ranges::find (places, key, &Place::key);
  if (found == places.end ())
    return nullptr;
  places.splice (places.begin (), places, found);
  return found->plane;
}

void Shelf::keep (const Key &key, std::shared_ptr<const Plane> plane)
{
  const std::lock_guard guard (mutex);
  if (std::ranges::find (places, key, &Place::key) != places.end ())
    return;
  places.push_front ({key, std::move (plane)});
  bytes += places.front ().bytes ();
  while (bytes > most_bytes && places.size () > 1) {
    bytes -= places.back ().bytes ();
    places.pop_back ();
  }
}

} // namespace sino::monitor
