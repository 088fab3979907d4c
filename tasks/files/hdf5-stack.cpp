// SPDX-License-Identifier: LGPL-3.0-or-later
#include "files/hdf5-stack.hpp"
#include "base/error.hpp"
#include "files/raw.hpp"
#include <algorithm>
#include <fcntl.h>

namespace sino::files {

namespace {

class ContiguousStack final : public Hdf5Stack
{
public:
  ContiguousStack (Hdf5Dataset d, int64_t at) : Hdf5Stack (std::move (d)), file (dataset.storage, O_RDONLY), offset (at)
  {
  }

  void read (const Part &part, std::byte *out, const Reading &reading) const override
  {
    const auto page_bytes = lines * columns * static_cast<int64_t> (pixel (*this));
    int64_t bytes = 0;
    for (const auto page : part.pages) {
      reading.check ();
      bytes += read_raw (file, {offset + page * page_bytes, columns, pixel (*this), dataset.swapped}, part.lines,
                         part.columns, out);
      out += part.lines.size () * part.columns.size () * pixel (*this);
    }
    reading.count (0, bytes);
  }

  size_t scratch (int) const override { return static_cast<size_t> (columns) * pixel (*this); }
  size_t resident () const override { return hdf5::open_file_bytes; }

private:
  Descriptor file;
  int64_t offset;
};

bool is_ieee (hid_t type, size_t size)
{
  size_t sign, exponent, exponent_size, mantissa, mantissa_size;
  if (H5Tget_fields (type, &sign, &exponent, &exponent_size, &mantissa, &mantissa_size) < 0)
    return false;
  return size == 4 ? sign == 31 && exponent == 23 && exponent_size == 8
                   : size == 2 && sign == 15 && exponent == 10 && exponent_size == 5;
}

// The element type of a dataset, or a throw that says which ones work.
void set_element (Hdf5Dataset &dataset)
{
  const hdf5::Handle type (H5Dget_type (dataset.id), H5Tclose, "cannot read " + dataset.title ());
  const auto kind = H5Tget_class (type);
  const auto size = H5Tget_size (type);
  const bool plain = kind == H5T_INTEGER && H5Tget_precision (type) == size * 8;
  const bool is_signed = kind == H5T_INTEGER && H5Tget_sign (type) == H5T_SGN_2;
  if (plain && !is_signed && size == 1)
    dataset.element = Element::u8;
  else if (plain && !is_signed && size == 2)
    dataset.element = Element::u16;
  else if (kind == H5T_FLOAT && size == 2 && is_ieee (type, 2))
    dataset.element = Element::f16;
  else if (kind == H5T_FLOAT && size == 4 && is_ieee (type, 4))
    dataset.element = Element::f32;
  else {
    std::string found = "other";
    if (kind == H5T_INTEGER || kind == H5T_FLOAT)
      found = text ("%c%zu", kind == H5T_FLOAT ? 'f' : is_signed ? 'i' : 'u', size * 8);
    if (kind == H5T_INTEGER && !plain)
      found += text (" values of %zu bits, which are no plain %s", H5Tget_precision (type), found.c_str ());
    else if (kind == H5T_FLOAT && size <= 4)
      found += " values, though not those of IEEE 754";
    else
      found += " values";
    fail (SINO_ERROR_BAD_FILE, "%s holds %s: convert them to u8, u16, f16 or f32, which work",
          dataset.title ().c_str (), found.c_str ());
  }
  static const bool little = H5Tget_order (H5T_NATIVE_UINT16) == H5T_ORDER_LE;
  dataset.swapped = size > 1 && (H5Tget_order (type) == H5T_ORDER_LE) != little;
}

} // namespace

Hdf5Stack::Hdf5Stack (Hdf5Dataset d) : dataset (std::move (d))
{
  const auto &extent = dataset.extent;
  name = dataset.path;
  element = dataset.element;
  const auto number = [] (hsize_t n) { return static_cast<int64_t> (std::min<hsize_t> (n, INT64_MAX)); };
  pages = extent.size () == 3 ? number (extent[0]) : 1;
  lines = number (extent[extent.size () - 2]);
  columns = number (extent.back ());
  check_extents (dataset.title (), element, pages, lines, columns);
  for (const auto &path : {dataset.path, dataset.storage})
    if (FileStamp stamp; find_stamp (path, stamp))
      stamps.push_back (stamp);
}

std::shared_ptr<const Stack> open_hdf5_stack (hid_t file, const std::string &path, const std::string &name)
{
  const auto guard = hdf5::lock ();
  Hdf5Dataset dataset;
  dataset.path = dataset.storage = path;
  dataset.name = name;
  const auto failed = "cannot open " + dataset.title ();
  dataset.id = {H5Dopen2 (file, name.c_str (), H5P_DEFAULT), H5Dclose, failed};
  if (const auto storage = hdf5::file_path (dataset.id); storage != hdf5::file_path (file))
    dataset.storage = storage;
  const hdf5::Handle space (H5Dget_space (dataset.id), H5Sclose, failed);
  dataset.extent.resize (static_cast<size_t> (std::max (H5Sget_simple_extent_ndims (space), 0)));
  if (dataset.extent.size () != 2 && dataset.extent.size () != 3)
    fail (SINO_ERROR_BAD_FILE, "%s has %zu axes: a stack of images has three", dataset.title ().c_str (),
          dataset.extent.size ());
  H5Sget_simple_extent_dims (space, dataset.extent.data (), nullptr);
  if (std::count (dataset.extent.begin (), dataset.extent.end (), 0) > 0)
    fail (SINO_ERROR_BAD_FILE, "%s is empty", dataset.title ().c_str ());
  set_element (dataset);

  const hdf5::Handle creation (H5Dget_create_plist (dataset.id), H5Pclose, failed);
  const auto offset = H5Pget_layout (creation) == H5D_CONTIGUOUS ? H5Dget_offset (dataset.id) : HADDR_UNDEF;
  H5Eclear2 (H5E_DEFAULT); // asking for the offset of external or missing storage fails
  if (offset == HADDR_UNDEF)
    return chunked_stack (std::move (dataset));
  return std::make_shared<ContiguousStack> (std::move (dataset), static_cast<int64_t> (offset));
}

} // namespace sino::files
