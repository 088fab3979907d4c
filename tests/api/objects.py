#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Formats, geometries, blocks, devices and the registry."""
import ctypes

import gi

gi.require_version("Sino", "1.0")
import numpy
from gi.repository import GObject, Sino

import tap
from tap import raises, same


def scan():
    geometry = Sino.Geometry.new([0, 45, 90, 135, 180]).with_axis([3.5]).with_pixel_size(0.25)
    return Sino.Format.new_projections(Sino.Element.U16, 5, 4, 6, geometry)


def test_geometry():
    angles = [-12.5, 0.1, 30.0]
    geometry = Sino.Geometry.new(angles)
    same(geometry.get_angles(), angles)
    same(geometry.get_axis(), [])
    same(geometry.get_pixel_size(), 0.0)
    changed = geometry.with_axis([1, 2, 3]).with_pixel_size(2)
    same((changed.get_angles(), changed.get_axis(), changed.get_pixel_size()), (angles, [1.0, 2.0, 3.0], 2.0))
    same(geometry.get_axis(), [])  # unchanged
    beam = geometry.with_energy(20).with_distance(0.5).with_pixel_size(2)
    same((beam.get_energy(), beam.get_distance(), beam.get_pixel_size()), (20.0, 0.5, 2.0))
    same((geometry.get_energy(), geometry.get_distance()), (0.0, 0.0))


def test_cone():
    """A point of the object is seen where the ray through it meets the detector."""
    geometry = Sino.Geometry.new([0, 30, 100]).with_axis([8.25]).with_pixel_size(0.5)
    same((geometry.is_parallel(), geometry.get_matrices()), (True, []))
    cone = geometry.with_cone(100, 50, 4.5)
    same((cone.is_parallel(), cone.get_angles(), cone.get_axis()), (False, [0.0, 30.0, 100.0], [8.25]))
    matrices = numpy.reshape(cone.get_matrices(), (3, 3, 4))
    x, y, z = point = [3.0, -7.0, 2.0]
    for angle, matrix in zip(numpy.radians([0, 30, 100]), matrices):
        depth = 100 + x * numpy.sin(angle) + y * numpy.cos(angle)
        across = x * numpy.cos(angle) - y * numpy.sin(angle)
        wanted = [8.25 + across * 150 / depth / 0.5, 4.5 + z * 150 / depth / 0.5]
        column, row, w = matrix @ [*point, 1]
        tap.check(numpy.allclose([column / w, row / w, w], [*wanted, depth / 150], rtol=0, atol=1e-12), (column, row, w))
    again = Sino.Geometry.new([]).with_pixel_size(0.5).with_matrices((-3 * matrices).ravel())
    tap.check(numpy.allclose(numpy.reshape(again.get_matrices(), (3, 3, 4)), matrices, rtol=1e-12, atol=1e-12), again)
    tap.check(numpy.allclose(again.get_angles(), [0, 30, 100], rtol=0, atol=1e-10), again.get_angles())
    same((again.get_axis(), again.is_parallel()), ([], False))
    cut = Sino.Format.new_projections(Sino.Element.F32, 3, 9, 16, cone).with_range("angle", 1, 2, 1)
    part = cut.with_range("column", 3, 4, 2).with_range("row", 1, 8, 1).get_geometry().get_matrices()
    for whole, matrix in zip(matrices[1:], numpy.reshape(part, (2, 3, 4))):
        (u, v, w), (c, r, k) = whole @ [*point, 1], matrix @ [*point, 1]
        tap.check(numpy.allclose([(u / w - 3.5) / 2 + 0.5, v / w - 1], [c / k, r / k], atol=1e-12), (c / k, r / k))


def test_cone_errors():
    bad = Sino.Error.BAD_PROPERTY
    geometry = Sino.Geometry.new([0, 30])
    raises(bad, "the angles or the axis are unknown", geometry.with_cone, 100, 50, 4.5)
    known = geometry.with_axis([8])
    for distances in [(0, 50, 1), (-1, 50, 1), (100, -1, 1), (float("nan"), 50, 1), (float("inf"), 50, 1)]:
        raises(bad, "distances must be at most 1e9", known.with_cone, *distances)
    raises(bad, "nan is not a detector row", known.with_cone, 100, 50, float("nan"))
    raises(bad, "12 numbers for 2 projections: 12 are needed for each", geometry.with_matrices, [1] * 12)
    raises(bad, "0 numbers for 0 projections", Sino.Geometry.new([]).with_matrices, [])
    raises(bad, "projection 0: a matrix cannot have a last line of zeros", geometry.with_matrices, [0] * 24)
    raises(bad, "projection 0: ", geometry.with_matrices, [1] * 24)
    raises(bad, "not finite", geometry.with_matrices, [float("nan")] * 24)


def test_format():
    f = scan()
    same(f.to_string(), "u16 projections (angle 5, row 4, column 6)")
    same(f.get_kind(), Sino.Kind.PROJECTIONS)
    same(f.get_element(), Sino.Element.U16)
    same(f.get_axes(), ["angle", "row", "column"])
    same(f.get_shape(), [5, 4, 6])
    same((f.get_extent("row"), f.get_extent("z")), (4, 1))
    same(f.get_size(), 5 * 4 * 6 * 2)
    s = Sino.Format.new_sinograms(Sino.Element.F32, 4, 5, 6, None)
    same((s.get_kind(), s.get_axes(), s.get_shape()), (Sino.Kind.SINOGRAMS, ["row", "angle", "column"], [4, 5, 6]))
    same(s.get_geometry(), None)
    v = Sino.Format.new_slices(Sino.Element.F16, 2, 3, 4, None)
    same((v.get_kind(), v.get_axes(), v.get_size()), (Sino.Kind.SLICES, ["z", "y", "x"], 48))


def test_format_changes():
    f = scan().with_element(Sino.Element.F32).with_extent("column", 3)
    same(f.to_string(), "f32 projections (angle 5, row 4, column 3)")
    cut = f.with_range("angle", 1, 2, 2).with_range("row", 2, 2, 1)
    same(cut.get_shape(), [2, 2, 3])
    tap.check(numpy.allclose(cut.get_geometry().get_angles(), [45, 135], rtol=1e-15), "angles do not follow the cut")
    same([cut.get_number("angle", i) for i in range(2)], [1, 3])
    same(cut.with_range("angle", 1, 1, 1).get_number("angle", 0), 3)  # cuts add up
    same(cut.get_number("row", 1), 3)
    same(f.with_geometry(None).get_geometry(), None)


def test_format_errors():
    bad = Sino.Error.BAD_FORMAT
    f = scan()
    raises(bad, "a stream with a 'z' axis is needed, not u16 projections (angle 5, row 4, column 6)",
           f.with_extent, "z", 1)
    raises(bad, "no axis is named 'depth': there are angle, row", f.with_extent, "depth", 1)
    raises(bad, "an extent of 0 is below 1", f.with_extent, "row", 0)
    for first, extent, step in [(-1, 1, 1), (0, 6, 1), (0, 3, 3), (5, 1, 1), (0, 0, 1), (0, 1, 0), (0, 2**62, 2**62)]:
        raises(bad, "axis 'angle' has 5 indices", f.with_range, "angle", first, extent, step)


def test_buffer():
    f = scan()
    block = Sino.Buffer.new(f)
    same(block.get_shape(), [5, 4, 6])
    same((block.get_first_row(), block.get_first_angle(), block.get_rows()), (0, 0, [0, 1, 2, 3]))
    same((block.get_element(), block.is_writable()), (Sino.Element.U16, True))
    same(block.get_format(), f)
    same(block.get_data(), bytes(240))
    values = numpy.arange(120, dtype=numpy.uint16).reshape(5, 4, 6)
    block.set_data(values.tobytes())
    tap.check((numpy.frombuffer(block.get_data(), numpy.uint16).reshape(block.get_shape()) == values).all(), "values")
    raises(Sino.Error.FAILED, "2 bytes were given for a block of 240", block.set_data, b"12")


def test_objects_without_a_constructor():
    """What the language itself can make is small and valid."""
    f = Sino.Format()
    same((f.to_string(), f.get_geometry()), ("f32 projections (angle 1, row 1, column 1)", None))
    g = Sino.Geometry()
    same((g.get_angles(), g.get_axis(), g.get_pixel_size()), ([], [], 0.0))
    same(g.with_axis([2.5]).get_axis(), [2.5])
    same((Sino.Device().get_id(), Sino.Device().get_kind()), ("native", Sino.DeviceKind.NATIVE))
    same(Sino.Device().get_name(), Sino.Device.find("native").get_name())
    block = Sino.Buffer()
    same((block.get_shape(), block.get_rows(), block.get_first_angle(), block.get_data()), ([1, 1, 1], [0], 0, bytes(4)))
    same((block.get_format().to_string(), block.is_writable(), block.get_pointer()), (f.to_string(), False, 0))
    raises(Sino.Error.FAILED, "it can only be read", block.set_data, bytes(4))
    same((Sino.Graph().list_nodes(), Sino.Runner().get_statistics()), ([], None))


def test_buffer_in_place():
    block = Sino.Buffer.new(scan())
    array = numpy.ctypeslib.as_array((ctypes.c_uint16 * 120).from_address(block.get_pointer()))
    array[:] = 7
    same(block.get_data(), b"\x07\x00" * 120)


def test_buffer_too_large():
    f = Sino.Format.new_projections(Sino.Element.F32, 2**20, 2**20, 2**20, None)
    raises(Sino.Error.MEMORY, "no memory for 4096 PiB", Sino.Buffer.new, f)
    huge = Sino.Format.new_projections(Sino.Element.F32, 2**62, 2**62, 2**62, None)  # the product is 0 in 64 bits
    raises(Sino.Error.MEMORY, "no memory for ", Sino.Buffer.new, huge)
    same((f.get_size(), huge.get_size()), (2**62, 2**64 - 1))


def test_devices():
    devices = Sino.Device.list()
    same((devices[0].get_id(), devices[0].get_kind()), ("native", Sino.DeviceKind.NATIVE))
    for number, device in enumerate(devices[1:]):
        same((device.get_id(), device.get_kind()), (f"cl:{number}", Sino.DeviceKind.OPENCL))
    native = Sino.Device.find("native")
    same((native.get_id(), native.get_name()), ("native", devices[0].get_name()))
    raises(Sino.Error.DEVICE, "no device 'cl:99'; the devices are native (", Sino.Device.find, "cl:99")


class ApiTestNode(Sino.Task):
    pass


def test_registry():
    same(Sino.Registry.list_refused(), [])
    names = Sino.Registry.list()
    same(names, sorted(names))
    tap.check("interleave" in names, "the modules were not loaded")
    same(Sino.Registry.find("interleave").name, "SinoInterleave")
    tap.check(Sino.Registry.get_summary("interleave"), "no summary")
    raises(Sino.Error.NOT_FOUND, "no node 'interleav': did you mean 'interleave'?", Sino.Registry.find, "interleav")
    tap.check(Sino.Registry.register("api-test", ApiTestNode), "not registered")
    tap.check(Sino.Registry.register("api-test", ApiTestNode), "registering again is harmless")
    same(Sino.Registry.find("api-test"), ApiTestNode.__gtype__)
    same(Sino.Registry.get_summary("api-test"), "")
    raises(Sino.Error.EXISTS, "a node 'interleave' exists already", Sino.Registry.register, "interleave", ApiTestNode)
    raises(Sino.Error.FAILED, "is not a SinoTask", Sino.Registry.register, "other", Sino.Format)
    for name in ("a b!", "Upper", "a--b", "-a", "a-", "2a", "\u00e4", "a_b"):
        raises(Sino.Error.FAILED, f"'{name}' cannot be the name of a node: it must be lower-case words joined by '-'",
               Sino.Registry.register, name, ApiTestNode)
    tap.check(Sino.Registry.register("a2-3b", ApiTestNode), "digits may follow")


def test_enumerations_have_types():
    for kind in (Sino.Error, Sino.Element, Sino.Kind, Sino.Flow, Sino.DeviceKind):
        same(kind.__gtype__.name, "Sino" + kind.__name__)  # bindings make types of their own where there are none
    same(scan().get_element().value_nick, "u16")
    # The words of a node's property, too.
    graph = Sino.Graph.new_from_launch("simulate ! ramp-filter window=hann ! null")
    task = graph.get_task("ramp-filter")
    tap.check(task.find_property("window").value_type.is_a(GObject.TYPE_ENUM), "no type")
    same(task.props.window.value_nick, "hann")


def test_version():
    version = Sino.version()
    same((version.major, version.minor, version.micro),
         (Sino.MAJOR_VERSION, Sino.MINOR_VERSION, Sino.MICRO_VERSION))
    same(".".join(map(str, version)), Sino.VERSION)


def test_task_made_by_itself():
    task = ApiTestNode()
    same(task.get_flow(), Sino.Flow.POINT)
    task.set_flow(Sino.Flow.SINK)
    same(task.get_flow(), Sino.Flow.SINK)


if __name__ == "__main__":
    tap.main(globals())
