// SPDX-License-Identifier: LGPL-3.0-or-later
// Request of `read`, and the opened scan.
#pragma once
#include "device/bill.hpp"
#include "glue/beam.hpp"
#include "stream/format.hpp"
#include "tasks/files/scan/coming.hpp"
#include "tasks/files/scan/reader.hpp"

namespace sino::files {

// The properties of `read`.
struct Request {
  std::string path, dataset, darks, darks_after, flats, flats_after, angles, rows, columns, projections;
  Kind axes;
  Missing missing = Missing::fail;
  std::string axis;
  BeamSettings beam;
  std::string raw = {};
  Meaning values = Meaning::open;
  bool applies_scale = true;       // slices get the values that grey values of the file stand for
  bool growing = false;            // a detector may still write the scan
  Coming coming = Coming::settled; // which projections the stream has, if it is growing
  int64_t frames = 0;              // projections of the whole scan; 0: those in the file
};

struct Scan {
  std::shared_ptr<const Stack> stack;
  std::shared_ptr<const Picks> picks;
  Format format;
  bool random_access = true; // otherwise its projections come in order and only once
  double row_cost = 0;       // bytes read per row of the file
  size_t companions_resident = 0;
  int64_t leading = 0, end = 0; // of a growing scan: projections that came without a gap, and end of those that came
  bool has_keys = false;        // of a growing scan: whether darks and flats lie between its projections
  std::vector<FileStamp> files; // files that it is read from
  std::vector<std::string> messages; // messages for people

  // Bytes of the file that are read for some rows of the stream.
  double bytes_read (const Rows &rows) const;
  // Whether single pixels can be read at any time, so that several requests can read parts of a block.
  bool read_apart () const { return random_access && stack->unit.stored == 0; }
  // `requests`: number at a time, each with its own memory, if read_apart ().
  void memory (int threads, int requests, int64_t item_rows, Bill &bill) const;
  void shared_memory (Bill &bill) const;
};

} // namespace sino::files
