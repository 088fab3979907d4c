# SPDX-License-Identifier: LGPL-3.0-or-later
"""Modules for tests, compiled against the headers of the source tree."""
import os
import shlex
import subprocess

HEAD = """#include <sino-module.h>
typedef SinoTask MyTask;
typedef SinoTaskClass MyTaskClass;
G_DEFINE_TYPE (MyTask, my_task, SINO_TYPE_TASK)
static void my_task_class_init (MyTaskClass *klass) { (void) klass; }
static void my_task_init (MyTask *self) { (void) self; }
"""
MARK = "const char sino_module_mark[] = SINO_MODULE_MARK;\n"
FLAGS = subprocess.run(["pkg-config", "--cflags", "gio-2.0"], capture_output=True, text=True, check=True).stdout.split()


def registering(body):
    """A module that does this to add its nodes."""
    return HEAD + MARK + "void sino_module_register (SinoModuleAdd add) { (void) add; " + body + " }\n"


def adding(name):
    return registering(f'add ("{name}", my_task_get_type);')


def build(path, text, language="c", *more):
    compiler = shlex.split(os.environ["SINO_CC" if language == "c" else "SINO_CXX"])
    # An author may have nothing visible that is not said to be.
    command = compiler + ["-x", language, "-", "-shared", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror",
                          "-I" + os.environ["SINO_API"], "-I" + os.environ["SINO_BUILD"] + "/src/api", *FLAGS, "-o", str(path), *more]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
