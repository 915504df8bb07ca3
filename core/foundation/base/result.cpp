// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/base/result.h"

namespace hw {

Error::Error() = default;
Error::Error(ErrorCode kind, std::string place, Text wrong, Text mend)
    : code(kind), where(std::move(place)), what(std::move(wrong)), todo(std::move(mend))
{
}
Error::Error(const Error&) = default;
Error::Error(Error&&) noexcept = default;
Error& Error::operator=(const Error&) = default;
Error& Error::operator=(Error&&) noexcept = default;
Error::~Error() = default;

std::string Error::text() const { return where + ": " + words(what) + (todo.empty() ? "" : "; " + words(todo)); }

tl::unexpected<Error> fail(ErrorCode code, std::string where, Text what, Text todo)
{
    return tl::unexpected<Error>(Error(code, std::move(where), std::move(what), std::move(todo)));
}

} // namespace hw
