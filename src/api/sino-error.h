/* SPDX-License-Identifier: LGPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * SINO_ERROR:
 *
 * The error domain of Sinograph; its codes are [error@Sino.Error].
 */
#define SINO_ERROR (sino_error_quark ())

/**
 * SinoError:
 * @SINO_ERROR_FAILED: an unexpected failure inside a task or the library
 * @SINO_ERROR_BAD_GRAPH: a graph file or launch line that is not well-formed, or nodes that do not fit together
 * @SINO_ERROR_BAD_PROPERTY: an unknown property, or a value that is not valid for it
 * @SINO_ERROR_NOT_FOUND: an unknown node, device or kernel
 * @SINO_ERROR_BAD_FORMAT: a task cannot work on the format that it is given
 * @SINO_ERROR_BAD_FILE: a file that is missing, unreadable, truncated or not what it should be
 * @SINO_ERROR_EXISTS: an output that exists and must not be overwritten
 * @SINO_ERROR_NO_SPACE: a full disk
 * @SINO_ERROR_MEMORY: the memory limit is too small, or an allocation failed
 * @SINO_ERROR_DEVICE: an OpenCL call failed, or a device is missing
 * @SINO_ERROR_LOST_FRAME: frames of a scan did not come, or came twice, or behind others
 * @SINO_ERROR_SHORT_SCAN: a scan ended before its last frame
 *
 * What went wrong; the message names the node, the property and the way out. A run that was cancelled fails with
 * %G_IO_ERROR_CANCELLED, as what a [class@Gio.Cancellable] ends does everywhere.
 */
typedef enum {
  SINO_ERROR_FAILED,
  SINO_ERROR_BAD_GRAPH,
  SINO_ERROR_BAD_PROPERTY,
  SINO_ERROR_NOT_FOUND,
  SINO_ERROR_BAD_FORMAT,
  SINO_ERROR_BAD_FILE,
  SINO_ERROR_EXISTS,
  SINO_ERROR_NO_SPACE,
  SINO_ERROR_MEMORY,
  SINO_ERROR_DEVICE,
  SINO_ERROR_LOST_FRAME,
  SINO_ERROR_SHORT_SCAN,
} SinoError;

#ifndef SINO_PUBLIC
#define SINO_PUBLIC __attribute__ ((visibility ("default")))
#endif

/**
 * sino_error_quark:
 *
 * Gives the error domain of Sinograph.
 *
 * Returns: the quark of %SINO_ERROR
 */
SINO_PUBLIC
GQuark sino_error_quark (void);

G_END_DECLS
