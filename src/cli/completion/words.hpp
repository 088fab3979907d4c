// SPDX-License-Identifier: LGPL-3.0-or-later
// Candidates for the word that a shell completes.
#pragma once
#include <string>
#include <vector>

namespace sino::cli {

using Words = std::vector<std::string>;

// Those that go on from `begun`, with `before` in front of each.
Words going_on (const Words &candidates, const std::string &begun, const std::string &before = {});

// Paths of folders, which end in '/', and of files with one of the suffixes; all files where none is given.
Words files (const std::string &begun, const Words &suffixes = {});

} // namespace sino::cli
