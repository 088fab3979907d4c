// SPDX-License-Identifier: LGPL-3.0-or-later
// HDF5, which has to be built rather than found: nearly every change of a byte gives a file that does not open.
#include "tests/fuzz/hdf5-builder.hpp"
#include "tests/fuzz/support.hpp"
#include "tests/fuzz/target.hpp"

using namespace sino;

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  fuzz::Choices choices (std::span (data, size));
  const std::string words[] = {"", "dataset=/exchange/data", "dataset=/entry/tomo/data/data missing=zero",
                               "angles=0:180 projections=1:"};
  const auto &some = choices.one_of (words);
  const fuzz::InputFile file;
  const auto built = fuzz::build_hdf5 (choices, file.path ());
  const auto said = fuzz::read_images (file.path (), some);
  // What the library has written to its end ends neither it nor us.
  if (built.complete && !built.lies)
    fuzz::require (said.find ("library crashed") == said.npos, said);
  return 0;
}
