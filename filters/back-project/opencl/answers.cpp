// SPDX-License-Identifier: LGPL-3.0-or-later
#include "back-project/opencl/answers.hpp"
#include "device/program-cache.hpp"
#include <map>
#include <mutex>

namespace sino::back_project {

Answer answer_to (const std::vector<std::string> &question, const std::function<Answer ()> &ask)
{
  static std::mutex mutex;
  static std::map<std::string, std::string> answers;
  const auto key = program_key (question);
  const std::lock_guard guard (mutex);
  if (const auto known = answers.find (key); known != answers.end ())
    return {known->second, true};
  if (const auto kept = load_program (key); !kept.empty ())
    return {answers[key] = std::string (kept.begin (), kept.end ()), true};
  auto answer = ask ();
  if (answer.lasting) {
    keep_program (key, {answer.text.begin (), answer.text.end ()});
    answers[key] = answer.text;
  }
  return answer;
}

} // namespace sino::back_project
