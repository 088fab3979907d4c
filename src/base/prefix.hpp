// SPDX-License-Identifier: LGPL-3.0-or-later
// What most files include, compiled once for each of the larger targets, if the build has the option `precompiled`.
// Files include what they use all the same.
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
