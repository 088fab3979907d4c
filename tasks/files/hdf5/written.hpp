// SPDX-License-Identifier: LGPL-3.0-or-later
// A file that HDF5 writes through a driver implemented here.
//
// After a failed write, HDF5 cannot close the file: it gives no error, and crashes at the end of the process. So the
// driver hides failures from HDF5. It stores the failure, writes nothing more, and check () throws the failure.
#pragma once
#include "formats/descriptor.hpp"
#include "tasks/hdf5/library.hpp"
#include <exception>
#include <memory>

namespace sino::files {

// Destination of the driver's writes.
struct Hdf5Sink {
  const formats::Descriptor &out;
  std::exception_ptr failure;
};

class WrittenFile
{
public:
  enum class How { anew, further };

  // `creation`: creation properties of a new file. `failed`: message if the library fails. HDF5's lock must be held,
  // also for the functions below.
  WrittenFile (How how, const formats::Descriptor &out, const std::string &failed, hid_t creation = H5P_DEFAULT);

  operator hid_t () const { return file; }

  // Throws the first write error so far.
  void check () const;
  // Flushes and closes the file; all handles of objects in it must be closed already. Throws write errors.
  void close ();

private:
  std::unique_ptr<Hdf5Sink> sink; // outlives the file
  hdf5::Handle file;
};

} // namespace sino::files
