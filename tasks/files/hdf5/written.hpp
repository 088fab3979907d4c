// SPDX-License-Identifier: LGPL-3.0-or-later
// A file that HDF5 writes through a driver of ours.
//
// The library cannot close a file that it could not write to: it says nothing, and crashes the process at its end. So
// the driver never tells it of a failure. It is kept, nothing more is written, and check () throws it.
#pragma once
#include "formats/descriptor.hpp"
#include "tasks/hdf5/library.hpp"
#include <exception>

namespace sino::files {

// Where the driver writes to.
struct Hdf5Sink {
  const formats::Descriptor &out;
  std::exception_ptr failure;
};

class WrittenFile
{
public:
  enum class How { anew, further };

  // `creation`: properties of a file that is made anew. `failed`: what to say where the library fails. HDF5's lock is
  // held, here and below.
  WrittenFile (How how, const formats::Descriptor &out, const std::string &failed, hid_t creation = H5P_DEFAULT);

  operator hid_t () const { return file; }

  // Throws what could not be written so far.
  void check () const;
  // Writes what the library holds back; handles of what is in the file are closed already. Throws what fails.
  void close ();

private:
  std::unique_ptr<Hdf5Sink> sink; // outlives the file
  hdf5::Handle file;
};

} // namespace sino::files
