// SPDX-License-Identifier: LGPL-3.0-or-later
// What filters are measured on, by themselves.
#pragma once
#include "stream/format.hpp"
#include <utility>

namespace sino::test {

// A filter with its properties, and the streams that reach it.
struct FilterCase {
  std::string name, node; // "median size=3", "median"
  std::vector<std::pair<std::string, std::string>> properties;
  std::vector<Format> inputs; // of its ports, from the first
  int lanes = 1;              // of sinograms, where they come and where they are wanted
};

// For scans of so many columns, rows and angles; filters of whole images get eight that are as high as wide. Files that
// filters read are put into `folder`.
std::vector<FilterCase> filter_cases (int columns, int rows, int angles, const std::string &folder);

} // namespace sino::test
