// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/script_gate.h"

#include "core/operations/asbuilt/segment.h"

namespace hw::edit {

Result<Text> acceptGate(Transaction& t, const nlohmann::json& edit, const std::string& author, const std::string& date)
{
    const auto text = [&](const char* key) { return edit.value(key, std::string()); };
    const auto key = asbuilt::findSegment(*t, text("segment"), text("network"));
    if (!key) return tl::unexpected(key.error());
    const auto result = fromWord<GateResult>(text("result"));
    if (!result)
        return fail(ErrorCode::Refused, "result", i18n("'{}' is not a valid value", text("result")),
                    i18n("choose from {}", listedNames(kWords<GateResult>)));
    const auto gate = edit.at("gate").get<std::int64_t>();
    t.setName(words(i18n("Gate {} of {}: {}", gate, asbuilt::segmentTitle(*t, *key), text("result"))));
    const auto opened = asbuilt::setGate(*t, *key, gate < 0 || gate > 100 ? 0 : int(gate), {*result, text("evidence"), author, date});
    if (!opened) return tl::unexpected(opened.error());
    return *opened > 0 ? i18np(*opened, "{} later gate reopened", "{} later gates reopened") : Text();
}

} // namespace hw::edit
