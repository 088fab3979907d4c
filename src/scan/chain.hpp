// SPDX-License-Identifier: LGPL-3.0-or-later
// Opens a scan on the disk and makes a launch line of suitable nodes.
#pragma once
#include "scan/line.hpp"
#include "scan/missing.hpp"
#include "stream/format.hpp"
#include <cstring>
#include <glib.h>
#include <string>
#include <vector>

namespace sino::scan {

// The user's information about the scan and wishes; null if not given.
struct Wishes {
  const char *darks = nullptr, *flats = nullptr, *flats_after = nullptr, *angles = nullptr, *projections = nullptr,
             *rows = nullptr, *axis = nullptr, *raw = nullptr, *geometry = nullptr, *source_origin = nullptr,
             *origin_detector = nullptr, *pixel_size = nullptr, *phase = nullptr, *bin = nullptr, *values = nullptr,
             *missing = nullptr, *strength = nullptr, *tilt = nullptr, *beam_hardening = nullptr, *type = nullptr,
             *unit = nullptr, *volume = nullptr,
             *metal = nullptr; // --metal; empty: the threshold is found
  gboolean rings = false, drift = false, find_geometry = false, sinograms = false, overwrite = false;
  char **settings = nullptr; // --set; owned by the options

  // Whether --axis= is a range of axes to try.
  bool tries_axes () const { return axis && strchr (axis, ':'); }
  // Whether --strength= is a range of strengths to try.
  bool tries_strengths () const { return strength && strchr (strength, ':'); }
};

struct SeenScan {
  std::string path, table;           // describes the role of a folder's files; "" for a file
  LineNode read;                     // the node that reads it
  Format format;                     // format of its output
  std::vector<std::string> messages; // its messages
};

// Opens a file or a folder. Throws Error.
SINO_VISIBLE SeenScan look_at_scan (const std::string &path, const Wishes &wishes);

// The nodes from the scan to slices. Throws Missing, or Error if the scan cannot be read. `said` gets
// findings about the values, for people.
SINO_VISIBLE ScanLine chain_of (const SeenScan &scan, const Wishes &wishes, std::vector<std::string> *said = nullptr);

} // namespace sino::scan
