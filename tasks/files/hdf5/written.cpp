// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/hdf5/written.hpp"
#include <algorithm>
#include <cstring>
#include <limits>
#if __has_include(<H5FDdevelop.h>)
#include <H5FDdevelop.h>
#endif

namespace sino::files {

namespace {

// HDF5's representation of a file.
struct Driven {
  H5FD_t head; // must be first: HDF5 uses it
  Hdf5Sink *sink;
  haddr_t allocated = 0, end = 0;
};

Driven &driven (H5FD_t *file)
{
  return *reinterpret_cast<Driven *> (file);
}

const Driven &driven (const H5FD_t *file)
{
  return *reinterpret_cast<const Driven *> (file);
}

template <class Work> void unless_failed (Hdf5Sink &sink, Work work)
{
  try {
    if (!sink.failure)
      work ();
  } catch (...) {
    sink.failure = std::current_exception ();
  }
}

// Functions that HDF5 calls.
namespace calls {

H5FD_t *open (const char *, unsigned flags, hid_t access, haddr_t)
{
  auto *sink = *static_cast<Hdf5Sink *const *> (H5Pget_driver_info (access));
  auto *file = new (std::nothrow) Driven{{}, sink};
  if (!file)
    return nullptr;
  unless_failed (*sink, [&] {
    if (flags & H5F_ACC_TRUNC)
      sink->out.resize (0);
    file->end = static_cast<haddr_t> (sink->out.size ());
  });
  return &file->head;
}

herr_t close (H5FD_t *file)
{
  delete &driven (file);
  return 0;
}

int compare (const H5FD_t *a, const H5FD_t *b)
{
  const auto *first = &driven (a).sink->out, *second = &driven (b).sink->out;
  return std::less<> () (first, second) ? -1 : first == second ? 0 : 1;
}

// The same flags as HDF5's default driver, so that files have the same layout.
herr_t query (const H5FD_t *, unsigned long *flags)
{
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t allocated (const H5FD_t *file, H5FD_mem_t)
{
  return driven (file).allocated;
}

herr_t allocate (H5FD_t *file, H5FD_mem_t, haddr_t end)
{
  driven (file).allocated = end;
  return 0;
}

haddr_t end_of (const H5FD_t *file, H5FD_mem_t)
{
  return driven (file).end;
}

// Data beyond the end, or never written, reads as zeros.
herr_t read (H5FD_t *file, H5FD_mem_t, hid_t, haddr_t at, size_t n, void *to)
{
  const auto &self = driven (file);
  const auto there = static_cast<size_t> (std::min<haddr_t> (n, self.end > at ? self.end - at : 0));
  std::memset (to, 0, n);
  unless_failed (*self.sink, [&] { self.sink->out.read (to, there, static_cast<int64_t> (at)); });
  return 0;
}

herr_t write (H5FD_t *file, H5FD_mem_t, hid_t, haddr_t at, size_t n, const void *from)
{
  auto &self = driven (file);
  unless_failed (*self.sink, [&] { self.sink->out.write (from, n, static_cast<int64_t> (at)); });
  self.end = std::max (self.end, at + n);
  return 0;
}

herr_t truncate (H5FD_t *file, hid_t, hbool_t)
{
  auto &self = driven (file);
  if (self.allocated != self.end)
    unless_failed (*self.sink, [&] { self.sink->out.resize (static_cast<int64_t> (self.allocated)); });
  self.end = self.allocated;
  return 0;
}

} // namespace calls

hid_t driver ()
{
  static const H5FD_class_t described{
#ifdef H5FD_CLASS_VERSION
      .version = H5FD_CLASS_VERSION,
      .value = static_cast<H5FD_class_value_t> (600),
#endif
      .name = "sinograph",
      .maxaddr = static_cast<haddr_t> (std::numeric_limits<int64_t>::max ()),
      .fc_degree = H5F_CLOSE_WEAK,
      .fapl_size = sizeof (Hdf5Sink *),
      .open = calls::open,
      .close = calls::close,
      .cmp = calls::compare,
      .query = calls::query,
      .get_eoa = calls::allocated,
      .set_eoa = calls::allocate,
      .get_eof = calls::end_of,
      .read = calls::read,
      .write = calls::write,
      .truncate = calls::truncate,
      .fl_map = H5FD_FLMAP_DICHOTOMY};
  static const hid_t number = H5FDregister (&described);
  return number;
}

} // namespace

// HDF5 must write values at once: an error while closing an object could go unnoticed.
WrittenFile::WrittenFile (How how, const formats::Descriptor &out, const std::string &failed, hid_t creation)
    : sink (new Hdf5Sink{out, {}})
{
  const auto access = hdf5::access_list ();
  const Hdf5Sink *const info = sink.get ();
  hdf5::check (H5Pset_driver (access, driver (), &info), failed);
  hdf5::check (H5Pset_sieve_buf_size (access, 0), failed);
  const char *name = "under construction"; // the name has no effect, because the driver has the file
  const hid_t opened =
      how == How::anew ? H5Fcreate (name, H5F_ACC_TRUNC, creation, access) : H5Fopen (name, H5F_ACC_RDWR, access);
  if (opened >= 0)
    file = {opened, H5Fclose, failed};
  check ();
  hdf5::check (opened < 0 ? -1 : 0, failed);
}

void WrittenFile::check () const
{
  if (sink->failure)
    std::rethrow_exception (sink->failure);
}

void WrittenFile::close ()
{
  file = {};
  check ();
}

} // namespace sino::files
