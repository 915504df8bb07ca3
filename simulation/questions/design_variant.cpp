// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/design_variant.h"

#include "core/design/template/template.h"
#include "core/foundation/base/resources.h"
#include "core/foundation/base/spelling.h"

#include <algorithm>

namespace hw::sim {
inline namespace questions {

namespace {

std::map<std::string, std::string> valueTexts(const std::map<std::string, Json>& set)
{
    std::map<std::string, std::string> result;
    for (const auto& [name, value] : set) result[name] = value.is_string() ? value.get<std::string>() : value.dump();
    return result;
}

/// What the template refuses, told with the scenario's key: that of the parameter at fault where the error names one of those set.
tl::unexpected<Error> inDesign(Error error, const std::map<std::string, Json>& set)
{
    const std::string name = error.where.substr(0, error.where.find('='));
    if (set.contains(name))
        error.where = "design.set." + name;
    else {
        if (!error.where.empty()) error.what = i18n("{}: {}", error.where, error.what);
        error.where = "design.set";
    }
    if (error.code == ErrorCode::Usage) error.code = ErrorCode::Unreadable; // an unknown name in a file is the file's fault
    return tl::unexpected(std::move(error));
}

/// Read once: the program's own parts stay as they are while it runs.
const Result<Catalog>& shippedParts()
{
    static const Result<Catalog> parts = Catalog::load(resourceFolder() / "catalog");
    return parts;
}

Result<Template> findTemplate(const std::string& nameOrPath)
{
    if (std::filesystem::is_regular_file(nameOrPath)) return Template::load(nameOrPath);
    const auto shipped = inEitherSpelling(nameOrPath, [](std::string_view one) {
        const auto path = resourceFolder() / "templates" / (std::string(one) + ".yaml");
        return one.find('/') == one.npos && std::filesystem::is_regular_file(path) ? std::optional(path) : std::nullopt;
    });
    if (shipped) return Template::load(*shipped);
    return fail(ErrorCode::Unreadable, "design.template", i18n("template '{}' not found", nameOrPath),
                i18n("see the list: hallwright-cli templates"));
}

Result<ScenarioDesign> withParts(SnapshotPtr snapshot)
{
    auto parts = ProjectParts::of(snapshot->partTypes);
    if (!parts) return tl::unexpected(parts.error());
    return ScenarioDesign{std::move(snapshot), std::move(*parts)};
}

} // namespace

Result<ScenarioDesign> generatedDesign(const std::string& nameOrPath, const std::map<std::string, Json>& set, const Progress& progress)
{
    const auto design = findTemplate(nameOrPath);
    if (!design) return tl::unexpected(design.error());
    const auto values = design->complete(valueTexts(set));
    if (!values) return inDesign(values.error(), set);
    const auto& catalog = shippedParts();
    if (!catalog) return tl::unexpected(catalog.error());
    auto snapshot = instantiate(*design, *values, *catalog, progress);
    if (!snapshot) return inDesign(snapshot.error(), set);
    return withParts(std::move(*snapshot));
}

Result<ScenarioDesign> variantOf(const ScenarioDesign& base, const std::map<std::string, Json>& set, const Progress& progress)
{
    if (set.empty()) return base;
    const auto text = base.snapshot->setting("template.text");
    if (text.empty()) return fail(ErrorCode::Refused, "design.set", i18n("the design was not created from a template"), i18n("omit design.set"));
    const auto design = Template::parse(text, "template");
    if (!design) return tl::unexpected(design.error());
    auto given = valueTexts(set);
    const auto known = design->complete(given); // names and ranges; choices become numbers
    if (!known) return inDesign(known.error(), set);
    ParameterValues changed;
    for (const auto& [name, value] : set) changed[name] = known->at(name);
    const auto& catalog = shippedParts();
    if (!catalog) return tl::unexpected(catalog.error());
    Document document(base.snapshot);
    auto transaction = document.begin("Scenario");
    if (const auto merged = regenerate(transaction, changed, *catalog, progress); !merged) return inDesign(merged.error(), set);
    transaction.commit();
    auto copy = std::make_shared<Snapshot>(*document.snapshot());
    copy->revision = base.snapshot->revision;
    return withParts(std::move(copy));
}

} // namespace questions
} // namespace hw::sim
