// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/captures/json_text.h"

#include "importers/captures/prompts.h"

#include <algorithm>

namespace hw::importers {

Result<nlohmann::json> parseJson(std::string_view text, const std::string& file)
{
    try {
        return nlohmann::json::parse(withoutPrompts(text));
    } catch (const nlohmann::json::parse_error& e) {
        const auto line = 1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(std::min(e.byte, text.size())), '\n');
        std::string what = e.what();
        if (const auto start = what.find("syntax error"); start != std::string::npos) what.erase(0, start); // no text
        return fail(ErrorCode::Unreadable, file + ":" + std::to_string(line), i18n("invalid JSON: {}", what),
                    i18n("repeat the capture and save the complete output"));
    } catch (const nlohmann::json::exception& e) {
        return fail(ErrorCode::Unreadable, file, verbatim(e.what()), i18n("correct the value"));
    }
}

} // namespace hw::importers
