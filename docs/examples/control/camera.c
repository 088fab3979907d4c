/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "camera.h"
#include <math.h>

enum { dark_counts = 100, flat_counts = 20000 };

struct Camera {
  guint rows, columns, projections;
  gdouble rate;
  gint64 lost;
  GThread *thread;
  GMutex mutex; /* of what follows */
  GCond changed;
  gboolean held, stopped;
  CameraFrame frame;
  CameraDone done;
  gpointer data;
};

/* The sample is made of balls, whose shadows are known without an integral. Places and radii are in halves of the
 * detector's width, and a ball takes `opacity` of the beam's logarithm over the length of such a half. */
static const struct {
  gdouble x, y, z, radius, opacity;
} balls[] = {
    {0.0, 0.0, 0.0, 0.80, 1.0},
    {0.4, 0.1, 0.0, 0.20, 1.5},
    {-0.3, 0.3, 0.1, 0.15, -1.0}, /* a hole */
    {-0.1, -0.4, -0.1, 0.25, 0.7},
};

/* The logarithm of what the sample takes from a ray at column `u` and row `v` of the detector, both from its middle. */
static gdouble shadow (gdouble angle, gdouble u, gdouble v)
{
  gdouble sum = 0;
  for (gsize i = 0; i < G_N_ELEMENTS (balls); i++) {
    const gdouble du = u - (balls[i].x * cos (angle) - balls[i].y * sin (angle)), dv = v - balls[i].z;
    const gdouble half = balls[i].radius * balls[i].radius - du * du - dv * dv;
    if (half > 0)
      sum += 2 * sqrt (half) * balls[i].opacity;
  }
  return sum;
}

Camera *camera_new (guint rows, guint columns, guint projections, gdouble rate, gint64 lost)
{
  Camera *camera = g_new0 (Camera, 1);
  camera->rows = rows;
  camera->columns = columns;
  camera->projections = projections;
  camera->rate = rate;
  camera->lost = lost;
  g_mutex_init (&camera->mutex);
  g_cond_init (&camera->changed);
  return camera;
}

void camera_free (Camera *camera)
{
  if (!camera)
    return;
  camera_stop (camera);
  g_mutex_clear (&camera->mutex);
  g_cond_clear (&camera->changed);
  g_free (camera);
}

gsize camera_get_frame_bytes (const Camera *camera)
{
  return sizeof (guint16) * camera->rows * camera->columns;
}

void camera_expose (const Camera *camera, CameraShot shot, gint64 number, guint8 *frame)
{
  const gdouble half = camera->columns / 2.0, angle = G_PI * (gdouble)number / camera->projections;
  guint16 *counts = (guint16 *)(gpointer)frame;
  for (guint row = 0; row < camera->rows; row++)
    for (guint column = 0; column < camera->columns; column++) {
      const gdouble u = (column + 0.5) / half - 1, v = (row + 0.5 - camera->rows / 2.0) / half;
      const gdouble light = shot == CAMERA_DARK   ? 0
                            : shot == CAMERA_FLAT ? flat_counts
                                                  : flat_counts * exp (-shadow (angle, u, v));
      *counts++ = (guint16)(dark_counts + light + 0.5);
    }
}

/* Waits until the next frame is due and the scan is not held; says whether it goes on. */
static gboolean wait_until (Camera *camera, gint64 due)
{
  g_mutex_lock (&camera->mutex);
  while (!camera->stopped && (camera->held || g_get_monotonic_time () < due)) {
    if (camera->held)
      g_cond_wait (&camera->changed, &camera->mutex);
    else
      g_cond_wait_until (&camera->changed, &camera->mutex, due);
  }
  const gboolean goes_on = !camera->stopped;
  g_mutex_unlock (&camera->mutex);
  return goes_on;
}

static gpointer scan (gpointer data)
{
  Camera *camera = data;
  const gsize bytes = camera_get_frame_bytes (camera);
  g_autofree guint8 *frame = g_malloc (bytes);
  gint64 due = g_get_monotonic_time ();
  for (gint64 number = 0; number < camera->projections; number++) {
    if (!wait_until (camera, due))
      return NULL;
    if (number == camera->lost)
      continue;
    camera_expose (camera, CAMERA_PROJECTION, number, frame);
    if (!camera->frame (frame, bytes, number, camera->data))
      return NULL;
    if (camera->rate > 0)
      due = MAX (due, g_get_monotonic_time () - G_USEC_PER_SEC) + (gint64)(G_USEC_PER_SEC / camera->rate);
  }
  camera->done (camera->data);
  return NULL;
}

void camera_start (Camera *camera, CameraFrame frame, CameraDone done, gpointer data)
{
  camera_stop (camera);
  camera->held = camera->stopped = FALSE;
  camera->frame = frame;
  camera->done = done;
  camera->data = data;
  camera->thread = g_thread_new ("camera", scan, camera);
}

void camera_hold (Camera *camera, gboolean hold)
{
  g_mutex_lock (&camera->mutex);
  camera->held = hold;
  g_cond_broadcast (&camera->changed);
  g_mutex_unlock (&camera->mutex);
}

void camera_stop (Camera *camera)
{
  if (!camera->thread)
    return;
  g_mutex_lock (&camera->mutex);
  camera->stopped = TRUE;
  g_cond_broadcast (&camera->changed);
  g_mutex_unlock (&camera->mutex);
  g_thread_join (camera->thread);
  camera->thread = NULL;
}
