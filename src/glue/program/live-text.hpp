// SPDX-License-Identifier: LGPL-3.0-or-later
// A live property that is text. Copies of the task share it, as they share numbers.
#pragma once
#include "glue/property.hpp"
#include <mutex>

namespace sino {

template <> class Live<std::string>
{
public:
  Live (std::string value) : shared (std::make_shared<Shared> ()) { shared->value = std::move (value); }
  Live (const char *value) : Live (std::string (value)) {}
  operator std::string () const
  {
    const std::lock_guard guard (shared->mutex);
    return shared->value;
  }
  Live &operator= (std::string value)
  {
    const std::lock_guard guard (shared->mutex);
    shared->value = std::move (value);
    return *this;
  }

private:
  struct Shared {
    std::mutex mutex;
    std::string value;
  };
  std::shared_ptr<Shared> shared;
};

} // namespace sino
