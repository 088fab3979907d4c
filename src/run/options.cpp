// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/options.hpp"
#include "base/error.hpp"

namespace sino {

RunOptions options_of_ranks (const std::function<RunOptions ()> &find)
{
  const auto cluster = Cluster::of_process (Together::automatic);
  if (!cluster)
    return find ();
  try {
    auto options = find ();
    options.cluster = cluster;
    return options;
  } catch (const Error &e) {
    cluster->fail (e.code, e.what ());
    throw;
  }
}

} // namespace sino
