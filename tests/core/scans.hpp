// SPDX-License-Identifier: LGPL-3.0-or-later
// Scans whose right results are computed here, and runs of graphs on them.
#pragma once
#include "base/error.hpp"
#include "plan/plan.hpp"
#include "run/run.hpp"
#include "tests/support/nodes.hpp"
#include <functional>

namespace sino::test {

constexpr double MiB = 1024.0 * 1024.0;

struct Shape {
  int64_t angles, rows, columns;
  std::string text () const
  {
    return sino::text ("source test-scan angles=%d rows=%d columns=%d", static_cast<int> (angles),
                       static_cast<int> (rows), static_cast<int> (columns));
  }
};

using Values = std::function<float (int64_t angle, int64_t row, int64_t column)>;

inline void expect (const std::string &key, const Shape &shape, bool has_angles, const Values &right)
{
  const auto found = kept ().find (key);
  g_assert_true (found != kept ().end ());
  const auto *values = found->second.as<float> ();
  g_assert_cmpuint (found->second.bytes.size (), ==,
                    static_cast<size_t> ((has_angles ? shape.angles : 1) * shape.rows * shape.columns) * 4);
  for (int64_t a = 0; a < (has_angles ? shape.angles : 1); a++)
    for (int64_t r = 0; r < shape.rows; r++)
      for (int64_t c = 0; c < shape.columns; c++, values++)
        if (*values != right (a, r, c))
          g_error ("%s: at (%d, %d, %d) is %g, not %g", key.c_str (), static_cast<int> (a), static_cast<int> (r),
                   static_cast<int> (c), static_cast<double> (*values), static_cast<double> (right (a, r, c)));
}

// Prepares a run of a scan from 'test-scan', with that text of properties.
inline std::unique_ptr<Run> prepared (const std::string &scan, const RunOptions &o)
{
  auto run = std::make_unique<Run> (build ({"source test-scan" + scan, "keep test-keep", "source -> keep"}), o);
  run->prepare ();
  return run;
}

// A limit of memory relative to what the process uses already. Until the next call a prepared run claims more memory
// than this use can change by, so that it counts as the same for all runs.
inline RunOptions options (double room = 0, int replicas = 1)
{
  RunOptions o;
  o.threads = 2;
  for (int i = 0; i < replicas; i++)
    o.devices.push_back (native_device ());
  if (room > 0) {
    static std::unique_ptr<Run> claim;
    claim.reset ();
    claim = prepared (" angles=64 rows=512 columns=512", o);
    o.memory = prepared ("", o)->plan ().base + room;
  }
  return o;
}

// A device that is none of the others, though its kernels are those of the CPU.
struct OtherDevice final : Device {
  explicit OtherDevice (const char *word)
  {
    id = word;
    name = "a device for tests";
  }
};

inline RunOptions options_on (std::vector<std::shared_ptr<const Device>> devices, double room = 0)
{
  auto o = options (room);
  o.devices = std::move (devices);
  return o;
}

inline void execute (const std::vector<std::string> &lines, const RunOptions &o,
                     const std::function<void (const Plan &)> &look = {})
{
  kept ().clear ();
  Run run (build (lines), o);
  run.prepare ();
  if (g_test_verbose ())
    g_test_message ("%s", run.describe ().c_str ());
  if (look)
    look (run.plan ());
  run.execute ();
  const auto p = run.progress ();
  g_assert_cmpint (p.done, ==, p.total);
}

inline void same (const std::string &got, const char *right)
{
  g_assert_cmpstr (got.c_str (), ==, right);
}

inline std::string error_of (const std::function<void ()> &body)
{
  try {
    body ();
  } catch (const Error &e) {
    return e.what ();
  } catch (const Cancelled &c) {
    return c.message;
  }
  return "no error";
}

inline float fold (const Shape &shape, int64_t r, int64_t c, const Values &of)
{
  float sum = 0;
  for (int64_t a = 0; a < shape.angles; a++)
    sum += static_cast<float> (a + 1) * of (a, r, c);
  return sum;
}

inline float level (const Shape &shape, int64_t a, int64_t r, int64_t c, float factor)
{
  double mean = 0;
  for (int64_t row = 0; row < shape.rows; row++)
    mean += source_value (a, row, c) * factor;
  return static_cast<float> (source_value (a, r, c) * factor - mean / static_cast<double> (shape.rows));
}

inline float average (const Shape &shape, int64_t r, int64_t c)
{
  double sum = 0;
  for (int64_t a = 0; a < shape.angles; a++)
    sum += source_value (a, r, c);
  return static_cast<float> (sum / static_cast<double> (shape.angles));
}

} // namespace sino::test
