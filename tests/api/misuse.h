/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Wrong uses of the C interface, a row for each, and what they have to give. */
#pragma once
#include <sinograph.h>
#include <string.h>

/* As g_clear_object (), whose macro clang-tidy takes for a mistake. */
static inline void clear_object (gpointer place)
{
  gpointer object = NULL;
  memcpy (&object, place, sizeof (gpointer));
  memset (place, 0, sizeof (gpointer));
  if (object)
    g_object_unref (object);
}

/* What a row works with: a runner, and a graph from a source of 3 frames of 4 x 8 u16 to a sink. A row may set any of
 * these to NULL when it has dropped its reference. */
typedef struct {
  SinoGraph *graph;
  SinoAppSource *source;
  SinoAppSink *sink;
  SinoRunner *runner;
  GCancellable *cancellable;
  GAsyncResult *result; /* of a run in the background that has ended */
} Fixture;

/* How a row has to end. Criticals and warnings are messages of the log, one in a row; a row that is fine gives neither
 * an error nor a message. */
typedef enum { FINE, SINO, GIO, CRITICAL, WARNING } End;

typedef struct {
  const gchar *what;
  void (*call) (Fixture *fixture, GError **error);
  End end;
  gint code;          /* of the error */
  const gchar *words; /* in the error or message */
} Misuse;

#define ROW(name) static void name (Fixture *f G_GNUC_UNUSED, GError **error G_GNUC_UNUSED)

enum { frame_rows = 4, frame_columns = 8, frame_bytes = 2 * frame_rows * frame_columns, frame_count = 3 };

extern const guint8 frame[4 * frame_bytes];

/* Pushes all frames of the scan. */
void push_scan (Fixture *fixture);
/* Runs the graph in the background. */
void begin_run (Fixture *fixture);
/* Waits for that run, and says how it ended. */
gboolean end_run (Fixture *fixture, GError **error);
/* Waits until the run takes frames. */
void wait_for_need (Fixture *fixture);
/* A scan that went well, a block of which is returned. */
SinoBuffer *run_scan (Fixture *fixture);

void add_misuses (const gchar *of, const Misuse *rows, gsize n);
void add_misuses_of_values (void);
void add_misuses_of_graphs (void);
void add_misuses_of_runs (void);
void add_misuses_of_ends (void);
void add_misuses_of_planes (void);
