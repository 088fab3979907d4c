// SPDX-License-Identifier: LGPL-3.0-or-later
#include "sino-device.h"
#include "device/devices.hpp"
#include "glue/boundary.hpp"
#include <new>

using Pointer = std::shared_ptr<const sino::Device>;

struct _SinoDevice {
  GObject parent;
  Pointer device;
};

G_DEFINE_FINAL_TYPE (SinoDevice, sino_device, G_TYPE_OBJECT)

static_assert (SINO_DEVICE_OPENCL == gint (sino::Device::Kind::opencl));

static void sino_device_init (SinoDevice *self)
{
  new (&self->device) Pointer (sino::native_device ());
}

static void sino_device_class_init (SinoDeviceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = [] (GObject *object) {
    SINO_DEVICE (object)->device.~Pointer ();
    G_OBJECT_CLASS (sino_device_parent_class)->finalize (object);
  };
}

static SinoDevice *make (Pointer device)
{
  auto *self = static_cast<SinoDevice *> (g_object_new (SINO_TYPE_DEVICE, nullptr));
  self->device = std::move (device);
  return self;
}

GPtrArray *sino_device_list (void)
{
  auto *list = g_ptr_array_new_with_free_func (g_object_unref);
  return sino::guarded (nullptr, list, [list] {
    for (const auto &device : sino::all_devices ())
      g_ptr_array_add (list, make (device));
    return list;
  });
}

SinoDevice *sino_device_find (const gchar *id, GError **error)
{
  g_return_val_if_fail (id, nullptr);
  return sino::guarded (error, static_cast<SinoDevice *> (nullptr), [id] {
    const auto devices = sino::find_devices (id);
    if (devices.size () != 1)
      sino::fail (SINO_ERROR_DEVICE, "'%s' stands for %zu devices, one is wanted", id, devices.size ());
    return make (devices[0]);
  });
}

const gchar *sino_device_get_id (SinoDevice *self)
{
  g_return_val_if_fail (SINO_IS_DEVICE (self), nullptr);
  return self->device->id.c_str ();
}

const gchar *sino_device_get_name (SinoDevice *self)
{
  g_return_val_if_fail (SINO_IS_DEVICE (self), nullptr);
  return self->device->name.c_str ();
}

SinoDeviceKind sino_device_get_kind (SinoDevice *self)
{
  g_return_val_if_fail (SINO_IS_DEVICE (self), SINO_DEVICE_NATIVE);
  return SinoDeviceKind (self->device->kind);
}
