// SPDX-License-Identifier: LGPL-3.0-or-later
// What was found out about a device by running kernels on it. It is kept in the user's cache, and asked once.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace sino::back_project {

struct Answer {
  std::string text;
  bool lasting; // else it may be another one tomorrow, and is not kept: memory that others had, a device that was lost
};

// `question`: all that the answer depends on. One question at a time is asked.
Answer answer_to (const std::vector<std::string> &question, const std::function<Answer ()> &ask);

} // namespace sino::back_project
