// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/text.h"

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace hw {

/// What kind of failure this is; the command line turns it into its exit code.
enum class ErrorCode {
    Fault = 1,      ///< a fault of the program
    Usage = 2,      ///< unknown command, option, template or parameter name
    Refused = 3,    ///< understood, and the answer is "no": bad value, violated constraint
    Unreadable = 4, ///< an input cannot be read or understood, or an output cannot be written
    Canceled = 130  ///< stopped by the user
};

/// A failure that a user, file, disk or network can cause: where it is (file with line or key, or an
/// option), what is wrong, and what to do. Printed as `error: WHERE: WHAT; WHAT TO DO`.
struct Error {
    ErrorCode code = ErrorCode::Fault;
    std::string where;
    Text what;
    Text todo;

    Error();
    Error(ErrorCode code, std::string where, Text what, Text todo);
    Error(const Error&);
    Error(Error&&) noexcept;
    Error& operator=(const Error&);
    Error& operator=(Error&&) noexcept;
    ~Error();
    [[nodiscard]] std::string text() const;
};

template <class T>
using Result = tl::expected<T, Error>;

[[nodiscard]] tl::unexpected<Error> fail(ErrorCode code, std::string where, Text what, Text todo = {});

} // namespace hw
