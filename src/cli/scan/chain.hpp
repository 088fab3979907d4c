// SPDX-License-Identifier: LGPL-3.0-or-later
// A scan as it is found on the disk, and the launch line of the nodes that suit it.
#pragma once
#include "cli/scan/line.hpp"
#include "stream/format.hpp"
#include <cstring>
#include <glib.h>
#include <string>
#include <vector>

namespace sino::cli {

// What the user says of the scan and wants of it; null where nothing was said.
struct Wishes {
  char *darks = nullptr, *flats = nullptr, *flats_after = nullptr, *angles = nullptr, *projections = nullptr,
       *rows = nullptr, *axis = nullptr, *raw = nullptr, *geometry = nullptr, *source_origin = nullptr,
       *origin_detector = nullptr, *pixel_size = nullptr, *phase = nullptr, *bin = nullptr, *values = nullptr,
       *missing = nullptr;
  gboolean rings = false, sinograms = false, overwrite = false;
  char **settings = nullptr; // --set; it is the options'

  // Whether --axis= is a range, of which each axis is tried.
  bool tries_axes () const { return axis && strchr (axis, ':'); }

  Wishes () = default;
  ~Wishes ()
  {
    for (char *word : {darks, flats, flats_after, angles, projections, rows, axis, raw, geometry, source_origin,
                       origin_detector, pixel_size, phase, bin, values, missing})
      g_free (word);
  }
  Wishes (const Wishes &) = delete;
  Wishes &operator= (const Wishes &) = delete;
};

struct SeenScan {
  std::string path, table;           // lines that say what a folder's files were taken for; "" of a file
  LineNode read;                     // the node that reads it
  Format format;                     // what that gives
  std::vector<std::string> messages; // and tells people
};

// Opens a file or a folder. Throws Error.
SeenScan look_at_scan (const std::string &path, const Wishes &wishes);

// The nodes from the scan to slices. Throws Wrong where something is missing that the user has to say. `said` gets what
// was found of the values, for people.
ScanLine chain_of (const SeenScan &scan, const Wishes &wishes, std::vector<std::string> *said = nullptr);

} // namespace sino::cli
