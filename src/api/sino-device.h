/* SPDX-License-Identifier: LGPL-3.0-or-later */
#pragma once

#include "sino-error.h"

G_BEGIN_DECLS

/**
 * SinoDeviceKind:
 * @SINO_DEVICE_NATIVE: the CPU through the project's own kernels; always there
 * @SINO_DEVICE_OPENCL: an OpenCL device
 *
 * How a device is driven.
 */
typedef enum {
  SINO_DEVICE_NATIVE,
  SINO_DEVICE_OPENCL,
} SinoDeviceKind;

#define SINO_TYPE_DEVICE (sino_device_get_type ())

/**
 * SinoDevice:
 *
 * Something that graphs can run on.
 */
SINO_PUBLIC
G_DECLARE_FINAL_TYPE (SinoDevice, sino_device, SINO, DEVICE, GObject)

/**
 * sino_device_list:
 *
 * Lists the devices of this machine: `native` first, then the OpenCL devices in the order of the ICD loader.
 *
 * Returns: (transfer container) (element-type SinoDevice): the devices; the array holds the references
 */
SINO_PUBLIC
GPtrArray *sino_device_list (void);

/**
 * sino_device_find:
 * @id: `native`, `cl:0`, `cl:1`, ..., or empty for the default: the first OpenCL GPU, else `native`
 * @error: return location for an error
 *
 * Finds a device by its id.
 *
 * Fails with %SINO_ERROR_DEVICE when there is none; the message lists those there are.
 *
 * Returns: (transfer full): the device
 */
SINO_PUBLIC
SinoDevice *sino_device_find (const gchar *id, GError **error);

/**
 * sino_device_get_id:
 * @self: a device
 *
 * Gives what the device is called in options: `native`, `cl:0`, `cl:1`, ...
 *
 * Returns: (transfer none): the id
 */
SINO_PUBLIC
const gchar *sino_device_get_id (SinoDevice *self);

/**
 * sino_device_get_name:
 * @self: a device
 *
 * Gives the name that the driver or the CPU reports.
 *
 * Returns: (transfer none): the name
 */
SINO_PUBLIC
const gchar *sino_device_get_name (SinoDevice *self);

/**
 * sino_device_get_kind:
 * @self: a device
 *
 * Says how the device is driven.
 *
 * Returns: the kind
 */
SINO_PUBLIC
SinoDeviceKind sino_device_get_kind (SinoDevice *self);

G_END_DECLS
