// SPDX-License-Identifier: LGPL-3.0-or-later
// An HDF5 file to read. What it holds is asked of a process apart; its pixels are read here wherever possible.
#pragma once
#include "base/files/input-file.hpp"
#include "base/shown.hpp"
#include "formats/descriptor.hpp"
#include "formats/sample.hpp"
#include "tasks/files/hdf5/process.hpp"
#include <optional>

namespace sino::files {

using namespace formats;

// Whether a file has HDF5's signature, at its beginning or behind a user block.
bool is_hdf5 (const Descriptor &file);

class Hdf5File
{
public:
  // Throws when it is missing, no HDF5 file, or truncated.
  explicit Hdf5File (const std::string &path);

  const std::string path;

  // Whether the name leads to an object. Throws when a link leads nowhere.
  bool exists (const std::string &object) const;

  struct Listed {
    std::string name;
    std::vector<uint64_t> extent;           // none: a link that leads nowhere
    std::pair<uint64_t, uint64_t> identity; // the same for two names of one dataset
  };
  // The datasets of numbers with so many axes, by all names that they have.
  std::vector<Listed> list (uint64_t least = 2, uint64_t most = UINT64_MAX) const;

  // How many values a dataset has, 0 when it is missing; all of them, when there are so many.
  int64_t count (const std::string &dataset) const;
  std::vector<double> numbers (const std::string &dataset, int64_t wanted) const;

  // An attribute of an object. Nothing, or "", when it is missing; throws when it is a list.
  std::optional<double> number_attribute (const std::string &object, const char *name) const;
  std::string text_attribute (const std::string &object, const char *name) const;

  hdf5::Description describe (const std::string &dataset) const;
  // All chunks that were written, in any order.
  void places (const std::string &dataset, const std::function<void (const hdf5::ChunkPlace &)> &found) const;
  // Pixels that HDF5 decodes, for which it may take so much memory.
  void read_box (const std::string &dataset, Sample sample, uint64_t memory, const int64_t (&corner)[3],
                 const int64_t (&extent)[3], std::byte *out) const;

private:
  mutable Hdf5Process process;

  std::string title (const std::string &object) const { return in_quotes (path) + ' ' + shown (object); }
  hdf5::Parcel named (const std::string &object) const;
  // The answer to a request for an attribute, once it is known to have one value; empty when it is missing.
  std::string attribute (hdf5::Word word, const std::string &object, const char *name) const;
};

} // namespace sino::files
