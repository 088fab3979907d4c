// SPDX-License-Identifier: LGPL-3.0-or-later
// The C++ description behind the GObject that the user sees.
#pragma once
#include "api/sino-task.h"
#include "base/pointers.hpp"
#include "glue/task.hpp"

namespace sino {

// The C++ description of a node as it is now; changes of properties after this do not reach it. A task written in C or
// Python gets an adapter.
SINO_VISIBLE std::unique_ptr<Task> snapshot (SinoTask *task);

// A copy of `task`; for a task written in C or Python, another reference to the same object.
SINO_VISIBLE ObjectPtr<SinoTask> copy (SinoTask *task);

// Ports and output of a task. Throws if properties that decide them are wrong.
SINO_VISIBLE std::vector<Port> input_ports (SinoTask *task);
SINO_VISIBLE bool has_output (SinoTask *task);

} // namespace sino
