// SPDX-License-Identifier: LGPL-3.0-or-later
// A file that HDF5 writes through a driver implemented here.
//
// The library cannot close a file that it could not write to: it says nothing, and crashes the process at its end. So
// the driver never tells it of a failure. It is kept, nothing more is written, and check () throws it.
#pragma once
#include "formats/descriptor.hpp"
#include "tasks/hdf5/library.hpp"
#include <exception>

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
