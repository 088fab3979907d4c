// SPDX-License-Identifier: LGPL-3.0-or-later
// Precompiled header with the includes of most files, for the larger targets, if the build has the option
// `precompiled`. Files still include all that they use.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <functional>
#include <glib-object.h>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>
