// SPDX-License-Identifier: LGPL-3.0-or-later
// Text files beside scans: angles, columns of numbers, geometries of other programs. The first byte says what the
// others are, the second how many projections there are.
#include "base/files/number-file.hpp"
#include "geometry/file.hpp"
#include "tasks/files/hdf5/angles.hpp"
#include "tasks/files/scan/angles.hpp"
#include "tests/fuzz/support.hpp"
#include "tests/fuzz/target.hpp"
#include <array>

using namespace sino;

// Files of HDF5 have a target of their own.
bool files::is_hdf5 (const formats::Descriptor &)
{
  return false;
}
files::StoredAngles files::read_angles (const std::string &, const std::string &, std::span<const int64_t>)
{
  return {};
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  if (size < 2)
    return 0;
  const int64_t count = data[1];
  const auto content = std::as_bytes (std::span (data, size)).subspan (2);
  const fuzz::InputFile file (content);
  fuzz::message_of ([&] {
    std::vector<std::string> messages;
    const Panel panel{.columns = 64, .rows = 16, .pixel = 0.5, .column = {}, .row = {}};
    const files::Range all{.first = 0, .step = 1, .count = count, .end = count};
    switch (data[0] % 4) {
    case 0:
      read_numbers ("file", "a number", file.path (), std::array{count}, 1e9);
      break;
    case 1:
      check_views (read_geometry (file.path (), panel, count));
      break;
    case 2:
      files::parse_angles (file.path (), count, all, messages);
      break;
    default:
      files::parse_angles (std::string (reinterpret_cast<const char *> (content.data ()), content.size ()), count, all,
                           messages);
    }
  });
  return 0;
}
