/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* A simulated camera before a rotating sample. A control system has the interface of its camera's vendor in its place,
 * which as a rule is like this one: frames come in a thread of the camera. */
#pragma once
#include <glib.h>

G_BEGIN_DECLS

typedef struct Camera Camera;

typedef enum {
  CAMERA_DARK,      /* the beam is off */
  CAMERA_FLAT,      /* the sample is out of the beam */
  CAMERA_PROJECTION /* the sample is in the beam, and turns */
} CameraShot;

/* Called with each frame of a scan in the camera's thread, which waits for it; the memory is the camera's. `number` is
 * the camera's own count, which shows when a frame was lost. The scan ends when this returns FALSE. */
typedef gboolean (*CameraFrame) (const guint8 *frame, gsize bytes, gint64 number, gpointer data);

/* Called in the camera's thread after the last frame of a scan; not when the scan was ended before. */
typedef void (*CameraDone) (gpointer data);

/* `rate`: frames per second, 0 for as many as can be. `lost`: number of a frame that the camera loses, or -1. */
Camera *camera_new (guint rows, guint columns, guint projections, gdouble rate, gint64 lost);
void camera_free (Camera *camera);
gsize camera_get_frame_bytes (const Camera *camera);

/* Takes a single frame now, in this thread; `frame` has room for it. */
void camera_expose (const Camera *camera, CameraShot shot, gint64 number, guint8 *frame);

/* Begins a scan over half a turn. */
void camera_start (Camera *camera, CameraFrame frame, CameraDone done, gpointer data);

/* Holds the scan after the frame that is being taken, or lets it go on. */
void camera_hold (Camera *camera, gboolean hold);

/* Ends the scan, if one goes on, and waits for its thread. */
void camera_stop (Camera *camera);

G_END_DECLS
