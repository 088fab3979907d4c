// SPDX-License-Identifier: LGPL-3.0-or-later
// An HDF5 file to read. A separate process reads its structure; pixels are read here if possible.
#pragma once
#include "base/files/input-file.hpp"
#include "base/shown.hpp"
#include "formats/descriptor.hpp"
#include "formats/sample.hpp"
#include "tasks/files/hdf5/process.hpp"
#include <optional>

namespace sino::files {

using namespace formats;

// Whether a file has HDF5's signature, at its beginning or after a user block.
bool is_hdf5 (const Descriptor &file);

// The first few names of a list, for a message.
std::string first_of (std::vector<std::string> names);

class Hdf5File
{
public:
  // Throws if the file is missing, no HDF5 file, or truncated. `growing`: another program may still write it.
  explicit Hdf5File (const std::string &path, bool growing = false);

  const std::string path;

  // Whether an object of this name exists. Throws if a link is broken.
  bool exists (const std::string &object) const;

  using Listed = hdf5::Listed;
  // Datasets of numbers with `least` to `most` axes, with all their names.
  std::vector<Listed> list (uint64_t least = 2, uint64_t most = UINT64_MAX) const;

  // count (): number of values of a dataset, 0 if it is missing. numbers (): all values, if there are `wanted`.
  int64_t count (const std::string &dataset) const;
  std::vector<double> numbers (const std::string &dataset, int64_t wanted) const;

  // An attribute of an object. Empty, or "", if it is missing; throws if it is a list.
  std::optional<double> number_attribute (const std::string &object, const char *name) const;
  std::string text_attribute (const std::string &object, const char *name) const;

  hdf5::Description describe (const std::string &dataset) const;
  // All chunks that were written, in any order.
  void places (const std::string &dataset, const std::function<void (const hdf5::ChunkPlace &)> &found) const;
  // Reads pixels that HDF5 decodes; it may use `memory` bytes.
  void read_box (const std::string &dataset, Sample sample, uint64_t memory, const std::array<int64_t, 3> &corner,
                 const std::array<int64_t, 3> &extent, std::byte *out) const;

private:
  mutable Hdf5Process process;

  std::string title (const std::string &object) const { return in_quotes (path) + ' ' + shown (object); }
  hdf5::Parcel named (const std::string &object) const;
  // The answer to a request for an attribute, after checking that it has one value; empty if it is missing.
  std::string attribute (hdf5::Word word, const std::string &object, const char *name) const;
};

} // namespace sino::files
