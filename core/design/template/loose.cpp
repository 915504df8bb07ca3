// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/layout/erase.h"
#include "core/design/template/generator.h"
#include "core/design/template/layout_section.h"

namespace hw {

Result<SnapshotPtr> instantiateLoose(const Template& design, const ParameterValues& values, const Catalog& catalog, const Progress& progress)
{
    const auto complete = design.complete(values);
    if (!complete) return tl::unexpected(complete.error());
    try {
        const std::shared_ptr<Snapshot> made = Generator(design.spec(), *complete, catalog, progress).run(false);
        if (auto erased = layout::erasePlaces(*made); !erased) return tl::unexpected(erased.error());
        made->putSetting("template.places", "given");
        return made;
    } catch (const TemplateFailure& failure) {
        return tl::unexpected(failure.error);
    }
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
