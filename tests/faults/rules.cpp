// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tests/faults/rules.hpp"
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <fcntl.h>
#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>

namespace faults {

namespace {

constexpr int most_rules = 8;
Rule rules[most_rules];
std::atomic<long> counts[most_rules];
std::atomic<int> number{0};
int struck = -1;

constexpr std::string_view every_opencl_call = "*";

bool holds (const char *whole, const char *part)
{
  return whole && std::strstr (whole, part);
}

void copy (std::string_view word, char *to, size_t room)
{
  const auto n = std::min (word.size (), room - 1);
  std::memcpy (to, word.data (), n);
  to[n] = '\0';
}

// The name behind a descriptor.
bool is_named (int file, const char *part)
{
  char link[40], path[4096];
  std::snprintf (link, sizeof link, "/proc/self/fd/%d", file);
  const auto n = readlink (link, path, sizeof path - 1);
  path[std::max<ssize_t> (n, 0)] = '\0';
  return n > 0 && holds (path, part);
}

bool comes_from (const void *address, const char *part)
{
  Dl_info info{};
  return address && dladdr (address, &info) && holds (info.dli_fname, part);
}

bool names (const Rule &rule, const char *call)
{
  return rule.call == std::string_view (call) || (rule.call == every_opencl_call && std::strncmp (call, "cl", 2) == 0);
}

bool is_about (const Rule &rule, const Call &call)
{
  return names (rule, call.name) && call.bytes >= static_cast<size_t> (rule.above) &&
         (rule.device < 0 || rule.device == call.device) &&
         (!*rule.path || (call.path ? holds (call.path, rule.path) : is_named (call.file, rule.path))) &&
         (!*rule.caller || comes_from (call.caller, rule.caller));
}

// Writes past the calls that this library takes the place of.
void tell (const Call &call)
{
  char line[64];
  const int n = std::snprintf (line, sizeof line, "%s\n", call.name);
  if (struck >= 0)
    syscall (SYS_write, struck, line, static_cast<size_t> (n));
}

void take_word (std::string_view word, Rule &rule)
{
  const auto equals = word.find ('=');
  if (equals == word.npos)
    return copy (word, rule.call, sizeof rule.call);
  const auto name = word.substr (0, equals), value = word.substr (equals + 1);
  char text[24];
  copy (value, text, sizeof text);
  const auto count = std::atol (text);
  if (name == "path")
    copy (value, rule.path, sizeof rule.path);
  else if (name == "caller")
    copy (value, rule.caller, sizeof rule.caller);
  else if (name == "device")
    rule.device = count;
  else if (name == "above")
    rule.above = count;
  else if (name == "nth")
    rule.nth = count;
  else if (name == "times")
    rule.times = count;
  else if (name == "error")
    rule.error = count;
  else if (name == "short")
    rule.most = count;
  else if (name == "delay")
    rule.delay = count;
  else if (name == "spoil")
    rule.spoil = count;
  else
    std::abort ();
}

// Calls visit (part) for each part that a letter separates.
template <class Visit> void each_part (std::string_view text, char separator, Visit visit)
{
  while (!text.empty ()) {
    const auto end = std::min (text.find (separator), text.size ());
    if (end > 0)
      visit (text.substr (0, end));
    text.remove_prefix (std::min (end + 1, text.size ()));
  }
}

const struct Begin {
  Begin ()
  {
    if (const char *file = std::getenv ("SINO_FAULTS_STRUCK"))
      struck = static_cast<int> (syscall (SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
    sino_set_faults (std::getenv ("SINO_FAULTS"));
  }
} begin;

} // namespace

bool watched (const char *name) noexcept
{
  for (int i = 0; i < number; i++)
    if (names (rules[i], name))
      return true;
  return false;
}

const Rule *due (const Call &call) noexcept
{
  static thread_local bool inside = false; // what is called here is not counted
  if (number == 0 || inside)
    return nullptr;
  inside = true;
  const Rule *found = nullptr;
  for (int i = 0; i < number && !found; i++) {
    const auto &rule = rules[i];
    if (!is_about (rule, call))
      continue;
    const auto count = ++counts[i];
    if (count >= rule.nth && (rule.times == 0 || count < rule.nth + rule.times))
      found = &rule;
  }
  if (found) {
    tell (call);
    const timespec time{found->delay / 1000, found->delay % 1000 * 1000000};
    if (found->delay > 0)
      nanosleep (&time, nullptr);
  }
  inside = false;
  return found;
}

} // namespace faults

void sino_set_faults (const char *text)
{
  using namespace faults;
  number = 0;
  int n = 0;
  each_part (text ? text : "", ';', [&] (std::string_view part) {
    if (n == most_rules)
      std::abort ();
    auto &rule = rules[n];
    rule = {"", "", "", -1, 0, 1, 0, 0, -1, 0, 0};
    each_part (part, ' ', [&] (std::string_view word) { take_word (word, rule); });
    counts[n++] = 0;
  });
  number = n;
}
