// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/interrupt.h"
#include "core/foundation/base/progress.h"
#include "core/foundation/base/result.h"

#include <memory>
#include <string>
#include <vector>

namespace hw::cli {

/// An X display to draw on: the user's, or a private Xvfb that ends with this object.
class Display {
public:
    [[nodiscard]] static Result<Display> get(const Progress& progress);
    [[nodiscard]] const std::string& name() const { return m_name; } ///< for DISPLAY

private:
    std::string m_name;
    std::unique_ptr<interrupt::Child> m_server;
};

/// Starts a program with our environment and these additions ("NAME=VALUE"); it gets SIGTERM should
/// this process die, and no signals are blocked in it. `keepFd` stays open in it as descriptor 3. `mute`: its
/// standard error is not shown: an X server tells of every number that it finds taken.
[[nodiscard]] Result<pid_t> startProgram(const std::vector<std::string>& command, const std::vector<std::string>& environment, int keepFd = -1,
                                         bool mute = false);

} // namespace hw::cli
