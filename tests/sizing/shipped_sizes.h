// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/sizing/parts_of_size.h"

#include "core/design/template/template.h"
#include "tests/catalog/shipped.h"

#include <QtGlobal>

#include <algorithm>
#include <set>

/// Questions of the tests of sizes, asked of what is shipped.
namespace hw::test {

/// What one template is at given parameters: as the search describes each of its candidates.
inline Result<sizing::SizedDesign> sizeOne(const Template& design, const ParameterValues& values, const Catalog& catalog)
{
    const auto complete = design.complete(values);
    if (!complete) return tl::unexpected(complete.error());
    auto counter = TemplateCounter::bind(design, catalog);
    if (!counter) return tl::unexpected(counter.error());
    const auto counted = counter->count(*complete);
    if (!counted) return tl::unexpected(counted.error());
    const auto library = sizing::readCableLibrary(catalog);
    if (!library) return tl::unexpected(library.error());
    return sizing::describe(design, *counter, *counted, catalog, sizing::CableParts(*library, design.spec().parts));
}

inline const std::vector<Template>& shipped()
{
    static const auto loaded = loadTemplates(HW_RESOURCES "/templates");
    if (!loaded) qFatal("%s", loaded.error().text().c_str());
    return *loaded;
}

inline sizing::SizeAnswer ask(const sizing::SizeRequest& request)
{
    auto answer = sizing::size(request, shipped(), catalog());
    if (!answer) qFatal("%s", answer.error().text().c_str());
    return *answer;
}

inline sizing::SizeRequest wanted(std::int64_t accelerators, std::vector<std::string> templates = {})
{
    sizing::SizeRequest request;
    request.accelerators = accelerators;
    request.templates = std::move(templates);
    return request;
}

inline const sizing::SizedDesign* find(const sizing::SizeAnswer& answer, const std::string& name)
{
    const auto found = std::find_if(answer.designs.begin(), answer.designs.end(), [&](const auto& d) { return d.templateName == name; });
    return found == answer.designs.end() ? nullptr : &*found;
}

inline const sizing::RefusedDesign* refusedAs(const sizing::SizeAnswer& answer, const std::string& name)
{
    const auto found = std::find_if(answer.refused.begin(), answer.refused.end(), [&](const auto& d) { return d.templateName == name; });
    return found == answer.refused.end() ? nullptr : &*found;
}

inline std::size_t levels(const sizing::SizedDesign& design)
{
    std::set<int> seen;
    for (const auto& tier : design.tiers) seen.insert(tier.level);
    return seen.size();
}

} // namespace hw::test
