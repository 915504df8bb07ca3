// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/layout/erase.h"
#include "core/design/template/template.h"

namespace hw {

Result<MergeReport> regenerate(Transaction& transaction, const ParameterValues& changed, const Catalog& catalog, const Progress& progress)
{
    const Snapshot& base = *transaction;
    const auto design = templateOf(base);
    if (!design) return tl::unexpected(design.error());
    const auto before = parametersOf(base);
    ParameterValues values = before;
    for (const auto& [name, value] : changed) values[name] = value;
    const bool given = base.setting("template.places") == "given";
    const auto make = [&](const ParameterValues& with) {
        return given ? instantiateLoose(*design, with, catalog, progress) : instantiate(*design, with, catalog, progress);
    };
    auto theirs = make(values);
    if (!theirs) return tl::unexpected(theirs.error());
    return mergeDesign(*transaction, **theirs, [&] { return make(before); });
}

Result<MergeReport> useTemplate(Transaction& transaction, const Template& design, const ParameterValues& values, const Catalog& catalog,
                                const Progress& progress)
{
    if (!(*transaction).setting("template.text").empty() && (*transaction).setting("template.places") != "given")
        return fail(ErrorCode::Refused, design.name(), i18n("this project already has a template that created its rooms"),
                    i18n("start with an empty project, or change the parameters of the existing template"));
    const auto theirs = instantiateLoose(design, values, catalog, progress);
    if (!theirs) return tl::unexpected(theirs.error());
    layout::eraseLaidOut(*transaction);
    Settings& own = transaction->settings;
    for (const SettingId id : own.ids())
        if (own.key[id].starts_with("parameter.") || own.key[id].starts_with("choice.") || own.key[id].starts_with("addressing.")) own.erase(id);
    auto merged = mergeDesign(*transaction, **theirs, [&] { return theirs; });
    if (!merged) return merged;
    (*theirs)->settings.forEach([&](SettingId id) { // what the project does not say itself
        const auto& key = (*theirs)->settings.key[id];
        if (transaction->setting(key).empty()) transaction->putSetting(key, (*theirs)->settings.value[id]);
    });
    return merged;
}

} // namespace hw
