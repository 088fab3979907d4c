/* SPDX-License-Identifier: LGPL-3.0-or-later */
#pragma once

#include "sino-app-array.h"
#include "sino-app-sink.h"
#include "sino-app-source.h"
#include "sino-buffer.h"
#include "sino-device.h"
#include "sino-enums.h"
#include "sino-error-names.h"
#include "sino-error.h"
#include "sino-format.h"
#include "sino-geometry.h"
#include "sino-graph.h"
#include "sino-registry.h"
#include "sino-runner.h"
#include "sino-task.h"
#include "sino-verify.h"
#include "sino-version.h"
