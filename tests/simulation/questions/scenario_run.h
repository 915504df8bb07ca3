// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/questions/run_request.h"

#include <QtGlobal>

namespace hw::sim::test {

inline Json run(const char* name, const Json& parameters = Json::object())
{
    const auto r = runKind(name, {}, parameters);
    if (!r) qFatal("%s: %s", name, r.error().text().c_str());
    return {{"results", r->results}, {"notes", r->notes}};
}

inline Result<Json> runText(const std::string& text, const RunOptions& options = {}, const Progress& progress = {}, const ScenarioDesign& given = {})
{
    const auto request = parseScenarioRequest(text, "f.json");
    if (!request) return tl::unexpected(request.error());
    const auto answer = runRequest(*request, given, options, progress);
    if (!answer) return tl::unexpected(answer.error());
    return answer->document;
}

inline std::string whereOf(const std::string& text) { return runText(text).error().where; }

} // namespace hw::sim::test
