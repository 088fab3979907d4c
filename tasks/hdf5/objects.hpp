// SPDX-License-Identifier: LGPL-3.0-or-later
// What a file holds besides pixels: its tree, lists of numbers, attributes.
#pragma once
#include "tasks/hdf5/library.hpp"
#include "tasks/hdf5/protocol.hpp"

namespace sino::hdf5 {

// Whether the path leads to an object, each group on the way included. Throws when a link leads nowhere.
bool exists (hid_t file, const std::string &path);

// Throws when an object that exists is no dataset. `title` is the object, for the message.
void require_dataset (hid_t file, const std::string &path, const std::string &title);

// The datasets of numbers with two axes or more that links lead to, in this file and others, and links that lead
// nowhere: see Word::list.
void list (hid_t file, uint64_t least, uint64_t most, Parcel &to);

// How many values a dataset has, 0 when it is missing; all of them as doubles, when there are so
// many.
uint64_t count_numbers (hid_t file, const std::string &dataset);
std::vector<double> read_numbers (hid_t file, const std::string &dataset, uint64_t wanted);

// An attribute of an object: how many values it has (undefined: it is missing), and the value when there is one.
void number_attribute (hid_t file, const std::string &object, const std::string &name, Parcel &to);
void text_attribute (hid_t file, const std::string &object, const std::string &name, Parcel &to);

} // namespace sino::hdf5
