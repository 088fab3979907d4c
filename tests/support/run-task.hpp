// SPDX-License-Identifier: LGPL-3.0-or-later
// Runs one task by itself, without graph and scheduler: whole arrays in, a whole array out. The work is cut into the
// blocks that the caller asks for, so that a test can see that the result does not depend on it.
#pragma once
#include "glue/binding.hpp"
#include "glue/wants.hpp"
#include <glib.h>
#include <string>
#include <vector>

namespace sino::test {

// A dense array in the axis order of its format (never lanes), `format.bytes ()` long.
struct Array {
  Format format;
  std::vector<std::byte> bytes;

  template <class T> T *as () { return reinterpret_cast<T *> (bytes.data ()); }
  template <class T> const T *as () const { return reinterpret_cast<const T *> (bytes.data ()); }
};

inline void same_bytes (const Array &a, const Array &b)
{
  g_assert_cmpmem (a.bytes.data (), a.bytes.size (), b.bytes.data (), b.bytes.size ());
}

struct Cut {
  int64_t rows = 0;   // rows per work item; 0: all
  int64_t angles = 0; // angles per block of projections; 0: all
  int threads = 2;
  int lanes = 0;                  // lanes of sinograms that come in; 0: as the task wants
  const Device *device = nullptr; // null: native
};

// Sets a property from text.
void set_text (GObject *object, const std::string &name, const std::string &word);

// A node by name with properties set from text, e.g. make_task ("ramp-filter", {{"window", "hann"}}).
std::unique_ptr<Task> make_task (const std::string &node,
                                 const std::vector<std::pair<std::string, std::string>> &properties = {});

// Null entries are unconnected inputs. The result of a sink is empty. `counters` gets what the task counted.
// `wanted_lanes`: what an imagined consumer of the output wants.
Array run_task (Task &task, const std::vector<const Array *> &inputs, Cut cut = {}, int wanted_lanes = 1,
                std::map<std::string, int64_t> *counters = nullptr);

} // namespace sino::test
