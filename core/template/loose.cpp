// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/room.h"
#include "core/template/generator.h"
#include "core/template/layout_section.h"
#include "core/template/merge_rows.h"

namespace hw {

Result<SnapshotPtr> instantiateLoose(const Template& design, const ParameterValues& values, const Catalogue& catalogue, const Progress& progress)
{
    const auto complete = design.complete(values);
    if (!complete) return tl::unexpected(complete.error());
    try {
        const std::shared_ptr<Snapshot> made = Generator(design.spec(), *complete, catalogue, progress).run(false);
        if (auto erased = layout::erasePlaces(*made); !erased) return tl::unexpected(erased.error());
        made->putSetting("template.places", "given");
        return made;
    } catch (const TemplateFailure& failure) {
        return tl::unexpected(failure.error);
    }
}

Result<MergeReport> useTemplate(Transaction& transaction, const Template& design, const ParameterValues& values, const Catalogue& catalogue,
                                const Progress& progress)
{
    if (!(*transaction).setting("template.text").empty() && (*transaction).setting("template.places") != "given")
        return fail(ErrorCode::Refused, design.name(), i18n("this project has a template that made its rooms"),
                    i18n("start from an empty project, or change the parameters of the one that it has"));
    const auto theirs = instantiateLoose(design, values, catalogue, progress);
    if (!theirs) return tl::unexpected(theirs.error());
    layout::eraseLaidOut(*transaction);
    Settings& own = transaction->settings;
    for (const SettingId id : own.ids())
        if (own.key[id].starts_with("parameter.") || own.key[id].starts_with("choice.") || own.key[id].starts_with("addressing.")) own.erase(id);
    auto merged = merging::Merge(*transaction, **theirs, [&] { return theirs; }).run();
    if (!merged) return merged;
    (*theirs)->settings.forEach([&](SettingId id) { // what the project does not say itself
        const auto& key = (*theirs)->settings.key[id];
        if (transaction->setting(key).empty()) transaction->putSetting(key, (*theirs)->settings.value[id]);
    });
    return merged;
}

Result<layout::Options> layoutOptionsOf(const Snapshot& s)
{
    const auto design = templateOf(s);
    if (!design) return tl::unexpected(design.error());
    const auto values = design->complete(parametersOf(s));
    if (!values) return tl::unexpected(values.error());
    try {
        bound::Constants constants(design->spec());
        constants.set(*values);
        layout::Options options = layoutOptions(design->spec().layout, constants.scope());
        options.feed = true; // it has no feed of its own there
        return options;
    } catch (const TemplateFailure& failure) {
        return tl::unexpected(failure.error);
    }
}

} // namespace hw
