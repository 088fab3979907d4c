// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/hdf5/checksums.hpp"
#include "base/error.hpp"
#include "tasks/files/hdf5/stack.hpp"
#include "tasks/files/hdf5/written.hpp"
#include "tasks/hdf5/library.hpp"
#include <fcntl.h>

namespace sino::files {

using namespace formats;

bool put_checksums (hid_t file, const Checksums &sums, const std::string &failed)
{
  if (H5Lexists (file, "/exchange", H5P_DEFAULT) <= 0 || H5Lexists (file, sums_dataset, H5P_DEFAULT) <= 0)
    return false;
  std::vector<uint32_t> values;
  for (int64_t i = 0; i < sums.size (); i++)
    if (const auto sum = sums.at (i))
      values.push_back (*sum);
    else
      fail (SINO_ERROR_FAILED, "%s: not all of it was written", failed.c_str ());
  using namespace hdf5;
  const Handle made (H5Dopen2 (file, sums_dataset, H5P_DEFAULT), H5Dclose, failed),
      space (H5Dget_space (made), H5Sclose, failed);
  if (H5Sget_simple_extent_npoints (space) != sums.size ())
    fail (SINO_ERROR_BAD_FILE, "%s: it has no room for %lld checksums", failed.c_str (),
          static_cast<long long> (sums.size ()));
  check (H5Dwrite (made, H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data ()), failed);
  return true;
}

bool put_checksums (const Descriptor &out, const Checksums &sums, const std::string &path)
{
  const auto guard = hdf5::lock ();
  const auto failed = "cannot write " + in_quotes (path);
  WrittenFile file (WrittenFile::How::further, out, failed);
  const bool put = put_checksums (file, sums, failed);
  file.close ();
  return put;
}

std::optional<KeptChecksums> hdf5_checksums (const std::string &path)
{
  const auto file = std::make_shared<const Hdf5File> (path);
  if (!file->exists (sums_dataset) || file->text_attribute (sums_dataset, "algorithm") != sums_algorithm)
    return {};
  std::vector<std::string> messages;
  const auto stack = open_hdf5_stack (file, "/exchange/data", Missing::fail, messages);
  const auto of = file->text_attribute (sums_dataset, "of") == name_of (Checksums::Of::rows) ? Checksums::Of::rows
                                                                                             : Checksums::Of::images;
  KeptChecksums kept;
  auto &whole = kept.whole.emplace (KeptChecksums::Whole{
      .of = of, .element = stack->element, .images = stack->pages, .lines = stack->lines, .columns = stack->columns});
  const auto n = file->count (sums_dataset);
  if (n != static_cast<int64_t> (whole.size ()))
    fail (SINO_ERROR_BAD_FILE, "'%s' has %lld %s, but %lld were written", path.c_str (),
          static_cast<long long> (whole.size ()), name_of (of), static_cast<long long> (n));
  for (const auto value : file->numbers (sums_dataset, n))
    if (value >= 0 && value <= UINT32_MAX)
      whole.sums.emplace_back (static_cast<uint32_t> (value));
  if (whole.sums.size () != whole.size ())
    fail (SINO_ERROR_BAD_FILE, "%s is damaged: it has no checksums to compare with", in_quotes (path).c_str ());
  return kept;
}

} // namespace sino::files
