// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <optional>
#include <string>
#include <utility>

namespace hw {

/// Does `work` and catches every exception that leaves it, so that a thread or a callback of a C library outlives a fault.
/// Gives what the exception says; none: the work was done.
template <class Work>
[[nodiscard]] std::optional<std::string> faultIn(Work&& work)
{
    try {
        std::forward<Work>(work)();
        return std::nullopt;
    } catch (const std::exception& fault) {
        return fault.what();
    } catch (...) {
        return "an exception of an unknown type"; // no text: as what() is
    }
}

} // namespace hw
