// SPDX-License-Identifier: LGPL-3.0-or-later
#include "api/sino-device.h"
#include "device/devices.hpp"
#include "glue/held.hpp"

namespace {
struct DeviceContents {
  std::shared_ptr<const sino::Device> device = sino::native_device ();
};
} // namespace

using DeviceObject = sino::Held<DeviceContents>;

static_assert (SINO_DEVICE_OPENCL == gint (sino::Device::Kind::opencl));

GType sino_device_get_type (void)
{
  return DeviceObject::gtype ("SinoDevice");
}

static SinoDevice *make (std::shared_ptr<const sino::Device> device)
{
  auto *self = static_cast<SinoDevice *> (g_object_new (SINO_TYPE_DEVICE, nullptr));
  DeviceObject::of (self).device = std::move (device);
  return self;
}

GPtrArray *sino_device_list (void)
{
  auto *list = g_ptr_array_new_with_free_func (g_object_unref);
  sino::guarded (nullptr, [list] {
    for (const auto &device : sino::all_devices ())
      g_ptr_array_add (list, make (device));
  });
  return list;
}

SinoDevice *sino_device_find (const gchar *id, GError **error)
{
  g_return_val_if_fail (id, nullptr);
  return sino::guarded (error, [id] {
    const auto devices = sino::find_devices (id);
    if (devices.size () != 1)
      sino::fail (SINO_ERROR_DEVICE, "'%s' means %zu devices, give one", id, devices.size ());
    return make (devices[0]);
  });
}

const gchar *sino_device_get_id (SinoDevice *self)
{
  g_return_val_if_fail (SINO_IS_DEVICE (self), nullptr);
  return DeviceObject::of (self).device->id.c_str ();
}

const gchar *sino_device_get_name (SinoDevice *self)
{
  g_return_val_if_fail (SINO_IS_DEVICE (self), nullptr);
  return DeviceObject::of (self).device->name.c_str ();
}

SinoDeviceKind sino_device_get_kind (SinoDevice *self)
{
  g_return_val_if_fail (SINO_IS_DEVICE (self), SINO_DEVICE_NATIVE);
  return SinoDeviceKind (DeviceObject::of (self).device->kind);
}
