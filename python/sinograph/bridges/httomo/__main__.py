# SPDX-License-Identifier: LGPL-3.0-or-later
from . import install

print(install())
