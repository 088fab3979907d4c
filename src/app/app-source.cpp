// SPDX-License-Identifier: LGPL-3.0-or-later
#include "app/app-source.hpp"

namespace sino::app {

AppSource::~AppSource ()
{
  if (programs)
    shared->queue.forsake (std::make_exception_ptr (
        Error (SINO_ERROR_FAILED, "no more frames come: the program has released the object that it pushed them to")));
}

// --- the program ---

Bounds AppSource::bounds () const
{
  auto all = FrameSource::usual_bounds ();
  all.buffers = max_buffers;
  all.leaky = leaky;
  all.wait = block;
  return all;
}

FrameShape AppSource::shape () const
{
  if (rows <= 0 || columns <= 0)
    fail (SINO_ERROR_BAD_PROPERTY, "set rows and columns to the size of a frame");
  return {element, rows, columns};
}

int64_t AppSource::frames_in (size_t bytes) const
{
  return shape ().frames_in (bytes);
}

// --- signals ---

static guint need_data = 0, enough_data = 0;

void AppSource::add_signals (GType type)
{
  need_data = new_signal (type, "need-data", G_TYPE_NONE);
  enough_data = new_signal (type, "enough-data", G_TYPE_INT64);
}

void AppSource::made (GObject *object)
{
  programs.set ();
  shared->queue.watch ([post = Post (object)] (bool needs, int64_t waiting) {
    if (needs)
      post.send (need_data);
    else
      post.send (enough_data, waiting);
  });
}

SINO_REGISTER (AppSource)

} // namespace sino::app
