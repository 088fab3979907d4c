// SPDX-License-Identifier: LGPL-3.0-or-later
// Candidates for the word that a shell completes.
#pragma once
#include <string>
#include <vector>

namespace sino::cli {

using Words = std::vector<std::string>;

// Candidates that begin with `begun`, each with `before` in front.
Words going_on (const Words &candidates, const std::string &begun, const std::string &before = {});

// Paths of folders, which end in '/', and of files with one of the suffixes; all files if none is given.
Words files (const std::string &begun, const Words &suffixes = {});

} // namespace sino::cli
