// SPDX-License-Identifier: LGPL-3.0-or-later
// Reads data of a file besides pixels: the tree of objects, lists of numbers, attributes.
#pragma once
#include "tasks/hdf5/library.hpp"
#include "tasks/hdf5/protocol.hpp"

namespace sino::hdf5 {

// An object, for messages.
std::string title_of (hid_t file, const std::string &path);

// Whether the path and each group on it exist. Throws if a link is broken.
bool exists (hid_t file, const std::string &path);

// An existing dataset. Throws if the object is none.
Handle require_dataset (hid_t file, const std::string &path);

// Lists datasets of numbers that links lead to, in this file and others, and broken links: see Word::list.
void list (hid_t file, uint64_t least, uint64_t most, Parcel &to);

// Number of values of a dataset; 0 if it is missing.
uint64_t count_numbers (hid_t file, const std::string &dataset);
// All values of a dataset as doubles; empty if their number is not `wanted`.
std::vector<double> read_numbers (hid_t file, const std::string &dataset, uint64_t wanted);

// An attribute of an object: its number of values (undefined: it is missing), and the value if there is one.
void attribute (hid_t file, const std::string &path, const std::string &name, bool is_text, Parcel &to);

} // namespace sino::hdf5
