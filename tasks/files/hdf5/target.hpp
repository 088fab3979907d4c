// SPDX-License-Identifier: LGPL-3.0-or-later
// One HDF5 file with /exchange/data and the data beside it.
#pragma once
#include "formats/formats.hpp"
#include "formats/plain-file.hpp"
#include "tasks/files/hdf5/parts.hpp"
#include <hdf5.h>

namespace sino::files {

class Hdf5Target : public formats::PlainFile
{
public:
  // `chunk`: extents of compressed chunks, which the caller writes; empty: pixels are contiguous.
  Hdf5Target (const formats::Planned &p, const Frames::Watch &watch, const std::vector<hsize_t> &chunk = {});

  bool keep (const formats::Checksums &sums) override;
  void finish () override;

private:
  int64_t needed (bool pixels) const;
  void copy (const std::shared_ptr<const Frames> &frames, int64_t offset, const Frames::Watch &watch) const;
};

constexpr size_t hdf5_resident = size_t{3} << 20;
// Memory for copying darks and flats.
size_t companion_scratch (const Format &format);

} // namespace sino::files
