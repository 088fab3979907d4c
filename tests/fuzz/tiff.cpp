// SPDX-License-Identifier: LGPL-3.0-or-later
// TIFF and whatever else says by its first bytes what it is: the name of the file does not.
#include "tests/fuzz/support.hpp"
#include "tests/fuzz/target.hpp"

using namespace sino;

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const fuzz::InputFile file (std::as_bytes (std::span (data, size)));
  fuzz::read_images (file.path (), "angles=0:180");
  return 0;
}
