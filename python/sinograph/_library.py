# SPDX-License-Identifier: LGPL-3.0-or-later
"""The table of C functions. Those of GLib are found through the library that is linked to them."""
from __future__ import annotations

import ctypes as c
import os
from pathlib import Path

from ._errors import raise_error

NAME = "libsinograph.so.1"
P, S, I64, D = c.c_void_p, c.c_char_p, c.c_int64, c.c_double
SIZE, BOOL, UINT = c.c_size_t, c.c_int, c.c_uint


def beside():
    """The library of the prefix that has the package, as PREFIX/lib/python3/site-packages/sinograph."""
    folders = Path(__file__).absolute().parents
    if len(folders) > 4 and folders[2].name.startswith("python3"):
        for pattern in (f"lib*/{NAME}", f"lib/*-linux-*/{NAME}"):
            yield from sorted(folders[4].glob(pattern))


def candidates():
    """Where it may be: in the package, as in a wheel, where the program says, in the prefix, where the system looks."""
    here = Path(__file__).parent
    yield from here.glob("lib/libsinograph.so*")
    if os.environ.get("SINOGRAPH_LIBRARY"):
        yield os.environ["SINOGRAPH_LIBRARY"]
    yield from beside()
    yield NAME


def load():
    said = os.environ.get("SINOGRAPH_LIBRARY")
    if said and "/" in said and not os.path.exists(said):
        raise ImportError(f"SINOGRAPH_LIBRARY={said} does not exist")
    for place in candidates():
        try:
            return c.CDLL(str(place))
        except OSError as error:
            failure = error
    raise ImportError(f"{NAME} cannot be loaded: {failure}. Install Sinograph, or set SINOGRAPH_LIBRARY to its path")


handle = load()


class GError(c.Structure):
    _fields_ = [("domain", c.c_uint32), ("code", c.c_int), ("message", S)]


class GValue(c.Structure):
    _fields_ = [("type", SIZE), ("data", c.c_uint64 * 2)]


class GParamSpec(c.Structure):
    _fields_ = [("klass", P), ("name", S), ("flags", UINT), ("value_type", SIZE)]


def plain(name, result, *arguments):
    """A function that cannot fail."""
    function = getattr(handle, name)
    function.restype, function.argtypes = result, arguments
    return function


def failing(name, result, *arguments):
    """A function whose last argument is a GError, which becomes an exception."""
    function = plain(name, result, *arguments, c.POINTER(c.POINTER(GError)))

    def call(*values):
        error = c.POINTER(GError)()
        got = function(*values, c.byref(error))
        if error:
            take_error(error)
        return got
    call.__name__ = name
    return call


# --- GLib ---

free = plain("g_free", None, P)
strfreev = plain("g_strfreev", None, P)
error_free = plain("g_error_free", None, c.POINTER(GError))
ref = plain("g_object_ref", P, P)
unref = plain("g_object_unref", None, P)
get_property = plain("g_object_get_property", None, P, S, c.POINTER(GValue))
connect = plain("g_signal_connect_data", c.c_ulong, P, S, P, P, P, c.c_int)
type_name = plain("g_type_name", S, SIZE)
set_properties = plain("g_object_set", None, P, S)  # and more: a value, further names and values, None
find_property = plain("g_object_class_find_property", P, P, S)
value_init = plain("g_value_init", P, c.POINTER(GValue), SIZE)
value_unset = plain("g_value_unset", None, c.POINTER(GValue))
value_types = {name: plain(f"g_value_get_{name}", result, c.POINTER(GValue)) for name, result in {
    "boolean": BOOL, "int": c.c_int, "uint": UINT, "int64": I64, "double": D, "float": c.c_float, "enum": c.c_int,
    "string": S}.items()}
fundamental = plain("g_type_fundamental", SIZE, SIZE)
enum_class = plain("g_type_class_ref", P, SIZE)
enum_value = plain("g_enum_get_value", P, P, c.c_int)
bytes_new = plain("g_bytes_new_with_free_func", P, P, SIZE, P, P)
bytes_unref = plain("g_bytes_unref", None, P)
increase = c.cast(handle.g_atomic_int_inc, P)  # a GDestroyNotify that needs no Python
cancellable_new = plain("g_cancellable_new", P)
cancel = plain("g_cancellable_cancel", None, P)
context_new = plain("g_main_context_new", P)
context_unref = plain("g_main_context_unref", None, P)
context_iteration = plain("g_main_context_iteration", BOOL, P, BOOL)
context_push = plain("g_main_context_push_thread_default", None, P)
context_pop = plain("g_main_context_pop_thread_default", None, P)
variant_unref = plain("g_variant_unref", None, P)
variant_type = plain("g_variant_get_type_string", S, P)
variant_children = plain("g_variant_n_children", SIZE, P)
variant_child = plain("g_variant_get_child_value", P, P, SIZE)
variant_getters = {letter: plain(f"g_variant_get_{name}", result, P) for letter, name, result in (
    ("b", "boolean", BOOL), ("i", "int32", c.c_int32), ("u", "uint32", c.c_uint32), ("x", "int64", I64),
    ("t", "uint64", c.c_uint64), ("d", "double", D))}
variant_string = plain("g_variant_get_string", S, P, P)

# --- Sinograph ---

error_quark = plain("sino_error_quark", c.c_uint32)
error_node = plain("sino_error_get_node", S, c.POINTER(GError))
error_property = plain("sino_error_get_property", S, c.POINTER(GError))
version = plain("sino_version", None, *[c.POINTER(UINT)] * 3)

registry_list = plain("sino_registry_list", c.POINTER(S))
registry_find = failing("sino_registry_find", SIZE, S)
registry_describe = failing("sino_registry_describe", P, S)

graph_new = plain("sino_graph_new", P)
graph_from_launch = failing("sino_graph_new_from_launch", P, S)
graph_from_json = failing("sino_graph_new_from_json", P, S)
graph_from_file = failing("sino_graph_new_from_file", P, S)
graph_save = failing("sino_graph_save", BOOL, P, S)
graph_to_json = failing("sino_graph_to_json", P, P)
graph_add_node = failing("sino_graph_add_node", S, P, S, S)
graph_add_task = failing("sino_graph_add_task", S, P, P, S)
graph_connect = failing("sino_graph_connect", BOOL, P, S, S, UINT)
graph_set = failing("sino_graph_set", BOOL, P, S, S, S)
graph_nodes = plain("sino_graph_list_nodes", c.POINTER(S), P)
graph_edges = plain("sino_graph_list_edges", P, P)
graph_task = failing("sino_graph_get_task", P, P, S)
graph_plugin = failing("sino_graph_get_plugin", S, P, S)

runner_new = plain("sino_runner_new", P)
runner_check = failing("sino_runner_check", P, P, P)
runner_plan = failing("sino_runner_plan", P, P, P)
runner_run_async = plain("sino_runner_run_async", None, P, P, P, P, P)
runner_run_finish = failing("sino_runner_run_finish", BOOL, P, P)
runner_set_live = failing("sino_runner_set_live", BOOL, P, S, S, S)
runner_statistics = plain("sino_runner_get_statistics", P, P)

array_new = plain("sino_app_array_new", P)
array_set = failing("sino_app_array_set", BOOL, P, P, P)
array_add = {"darks": failing("sino_app_array_add_darks", BOOL, P, P, I64),
             "flats": failing("sino_app_array_add_flats", BOOL, P, P, I64)}

source_push = failing("sino_app_source_push", BOOL, P, P, SIZE)
source_try_push = failing("sino_app_source_try_push", BOOL, P, P, SIZE)
source_push_frame = failing("sino_app_source_push_frame", BOOL, P, P, SIZE, I64, D)
source_push_owned = failing("sino_app_source_push_owned", BOOL, P, P, SIZE, P, P)
source_push_owned_frame = failing("sino_app_source_push_owned_frame", BOOL, P, P, SIZE, I64, D, P, P)
source_add = {"darks": failing("sino_app_source_push_darks", BOOL, P, P, SIZE),
              "flats": failing("sino_app_source_push_flats", BOOL, P, P, SIZE)}
source_end = plain("sino_app_source_end_of_stream", None, P)
source_begin = failing("sino_app_source_begin", BOOL, P)
source_geometry = plain("sino_app_source_set_geometry", None, P, P)
source_level = plain("sino_app_source_get_current_level_bytes", I64, P)
source_buffers = plain("sino_app_source_get_current_level_buffers", I64, P)
source_pushed = plain("sino_app_source_get_frames_pushed", I64, P)
source_dropped = plain("sino_app_source_get_frames_dropped", I64, P)
source_repeated = plain("sino_app_source_get_frames_repeated", I64, P)
source_late = plain("sino_app_source_get_frames_late", I64, P)
source_missing = plain("sino_app_source_get_missing", P, P, c.POINTER(SIZE))

sink_pull = failing("sino_app_sink_try_pull", P, P, c.c_uint64)
sink_full = plain("sino_app_sink_is_full", BOOL, P)
sink_ended = plain("sino_app_sink_is_end_of_stream", BOOL, P)

live_add = failing("sino_live_add_plane", c.c_int, P, S)
live_move = failing("sino_live_move_plane", BOOL, P, c.c_int, S)
live_remove = failing("sino_live_remove_plane", BOOL, P, c.c_int)
live_list = failing("sino_live_list_planes", P, P)
live_axis = failing("sino_live_set_axis", BOOL, P, D)
live_found_axis = failing("sino_live_get_found_axis", BOOL, P, c.POINTER(D), c.POINTER(D), c.POINTER(I64), c.POINTER(BOOL))
live_pull = failing("sino_live_pull", P, P, c.c_int, I64, I64, c.POINTER(I64), c.POINTER(I64), c.POINTER(S), P)

buffer_element = plain("sino_buffer_get_element", c.c_int, P)
buffer_shape = plain("sino_buffer_get_shape", c.POINTER(I64), P, c.POINTER(SIZE))
buffer_rows = plain("sino_buffer_get_rows", c.POINTER(I64), P, c.POINTER(SIZE))
buffer_angle = plain("sino_buffer_get_first_angle", I64, P)
buffer_address = plain("sino_buffer_get_address", c.c_uint64, P)

formats = {kind: plain(f"sino_format_new_{kind}", P, c.c_int, I64, I64, I64, P)
           for kind in ("projections", "sinograms", "slices")}

geometry_new = plain("sino_geometry_new", P, P, SIZE)
geometry_axis = plain("sino_geometry_with_axis", P, P, P, SIZE)
geometry_numbers = {name: plain(f"sino_geometry_with_{name}", P, P, D) for name in (
    "pixel_size", "energy", "distance")}
geometry_cone = failing("sino_geometry_with_cone", P, P, D, D, D)
geometry_matrices = failing("sino_geometry_with_matrices", P, P, P, SIZE)
geometry_angles = plain("sino_geometry_get_angles", c.POINTER(D), P, c.POINTER(SIZE))

device_list = plain("sino_device_list", P)
device_id = plain("sino_device_get_id", S, P)
device_name = plain("sino_device_get_name", S, P)
ptr_array_unref = plain("g_ptr_array_unref", None, P)

QUARK = error_quark()


def take_error(error):
    """Frees a GError and raises it as an exception."""
    def text(word):
        return word.decode(errors="replace") if word else None

    facts = error.contents
    own = facts.domain == QUARK
    found = (text(facts.message), facts.code if own else None, text(error_node(error)), text(error_property(error)))
    error_free(error)
    raise_error(*found)


# --- values of GLib in Python ---

def words(array):
    """A list of strings, which is freed."""
    got = []
    while array and array[len(got)] is not None:
        got.append(array[len(got)].decode())
    strfreev(c.cast(array, P))
    return got


def numbers(array, count):
    """A list of integers, which is freed."""
    got = array[:count.value]
    free(c.cast(array, P))
    return got


def text(pointer):
    """A string, which is freed."""
    got = c.cast(pointer, S).value.decode()
    free(pointer)
    return got


def unpack(variant):
    """The value of a GVariant, which is freed: dictionaries, lists, numbers and text."""
    if not variant:
        return None
    try:
        kind = variant_type(variant).decode()
        if kind in variant_getters:
            value = variant_getters[kind](variant)
            return bool(value) if kind == "b" else value
        if kind == "s":
            return variant_string(variant, None).decode()
        parts = [unpack(variant_child(variant, i)) for i in range(variant_children(variant))]
        if kind == "v":
            return parts[0]
        return dict(parts) if kind.startswith("a{") else tuple(parts) if kind[0] in "({" else parts
    finally:
        variant_unref(variant)
