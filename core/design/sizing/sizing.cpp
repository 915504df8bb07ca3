// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/sizing.h"

#include "core/design/sizing/part_names.h"
#include "core/design/sizing/template_search.h"
#include "core/design/template/spec.h"
#include "core/foundation/base/parallel.h"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

namespace hw::sizing {

namespace {

bool contains(const std::vector<std::string>& list, const std::string& word) { return std::find(list.begin(), list.end(), word) != list.end(); }

Result<void> checkLimits(const SizeLimits& limits)
{
    if (limits.megawatts && !(*limits.megawatts > 0))
        return fail(ErrorCode::Refused, fmt::format("limit {} MW", *limits.megawatts), i18n("not a valid power value"),
                    i18n("specify more than 0 MW"));
    if (limits.racks && *limits.racks < 1)
        return fail(ErrorCode::Refused, fmt::format("limit {} racks", *limits.racks), i18n("invalid rack count"), i18n("specify 1 or more"));
    if (limits.hall && !(limits.hall->lengthM >= 5 && limits.hall->widthM >= 5 && limits.hall->lengthM <= 2000 && limits.hall->widthM <= 2000))
        return fail(ErrorCode::Refused, fmt::format("hall {} x {} m", limits.hall->lengthM, limits.hall->widthM), i18n("invalid hall dimensions"),
                    i18n("length and width must be 5 to 2000 m"));
    return {};
}

Result<void> checkClass(const std::string& wanted, const Catalog& catalog)
{
    std::set<std::string> known;
    for (const auto& [slug, part] : catalog.parts(PartKind::Device))
        if (const auto* device = std::get_if<DeviceSpec>(&part->spec); device && device->accelerators > 0) known.insert(device->acceleratorClass);
    if (wanted.empty() || known.contains(wanted)) return {};
    return fail(ErrorCode::Usage, "class " + wanted, i18n("no server in the catalog has accelerators of this class"),
                i18n("specify one of {}", listedNames(known)));
}

/// The request with names of parts as the catalog has them.
Result<SizeRequest> withSlugs(SizeRequest request, const std::vector<Template>& templates, const Catalog& catalog)
{
    if (!request.server.empty()) {
        auto slug = deviceByName(request.server, true, templates, catalog);
        if (!slug) return tl::unexpected(slug.error());
        request.server = std::move(*slug);
    }
    for (auto& name : request.switches) {
        auto slug = deviceByName(name, false, templates, catalog);
        if (!slug) return tl::unexpected(slug.error());
        name = std::move(*slug);
    }
    return request;
}

Result<void> checkRequest(const SizeRequest& request, const std::vector<Template>& templates, const Catalog& catalog)
{
    if (const auto limits = checkLimits(request.limits); !limits) return limits;
    if (const auto known = checkClass(request.acceleratorClass, catalog); !known) return known;
    if (request.accelerators == 0 && request.limits.any() && request.growTo)
        return fail(ErrorCode::Refused, "growth", i18n("cannot be combined with sizing for the maximum accelerator count"),
                    i18n("omit it, or specify an accelerator count"));
    if (request.accelerators < 1 && !(request.accelerators == 0 && request.limits.any()))
        return fail(ErrorCode::Refused, fmt::format("accelerators {}", request.accelerators), i18n("not a valid number of accelerators"),
                    i18n("specify 1 or more"));
    if (request.accelerators > 10'000'000)
        return fail(ErrorCode::Refused, fmt::format("accelerators {}", request.accelerators), i18n("exceeds 10,000,000"), i18n("specify fewer"));
    if (request.maxOversubscription && !(*request.maxOversubscription >= 1))
        return fail(ErrorCode::Refused, fmt::format("oversubscription {}", *request.maxOversubscription), i18n("must be at least 1"),
                    i18n("1 = full bisection bandwidth"));
    for (const auto& [name, value] : {std::pair{"planes", request.planes}, {"tiers", request.tiers}})
        if (value && *value < 1)
            return fail(ErrorCode::Refused, fmt::format("{} {}", name, *value), i18n("must be at least 1"), i18n("omit it to allow any number"));
    for (const auto& [tier, ports] : request.split)
        if (ports < 1)
            return fail(ErrorCode::Refused, fmt::format("split {}", ports), i18n("must be at least 1"),
                        i18n("1 = no breakout, 2 = two ports per uplink cage"));
    if (request.growTo && *request.growTo < request.accelerators)
        return fail(ErrorCode::Refused, fmt::format("growth {}", *request.growTo), i18n("is below the requested accelerator count"),
                    i18n("specify a larger number"));
    for (const auto& name : request.templates)
        if (std::none_of(templates.begin(), templates.end(), [&](const Template& t) { return t.name() == name; }))
            return fail(ErrorCode::Usage, "template " + name, i18n("unknown template"), i18n("see 'templates'"));
    return {};
}

/// One template after the other for each thread; results stand in the templates' order.
std::vector<Findings> searchAll(const SizeRequest& request, const std::vector<const Template*>& templates, const Catalog& catalog,
                                const std::shared_ptr<const CableLibrary>& library, const Progress& progress)
{
    (void)namesUsed({"1 + 0.5", "size"}); // the expression parser's locale fills its caches before threads share it
    std::vector<Findings> found(templates.size());
    parallelFor(templates.size(), {.threads = request.threads, .stop = progress.stop}, [&](std::size_t i) {
        found[i] = searchTemplate(request, *templates[i], catalog, CableParts(library, templates[i]->spec().parts), progress);
    });
    return found;
}

void keepLargest(std::vector<TierLimit>& limits, const TierLimit& reach)
{
    const auto same = std::find_if(limits.begin(), limits.end(), [&](const TierLimit& l) { return l.tiers == reach.tiers; });
    if (same == limits.end())
        limits.push_back(reach);
    else if (reach.reach > same->reach)
        *same = reach;
}

} // namespace

Text className(const std::string& acceleratorClass)
{
    std::string name;
    for (const char c : acceleratorClass) name += char(std::toupper(static_cast<unsigned char>(c)));
    return i18n("{}s", name);
}

Result<SizeAnswer> size(const SizeRequest& given, const std::vector<Template>& templates, const Catalog& catalog, const Progress& progress)
{
    if (const auto fine = checkRequest(given, templates, catalog); !fine) return tl::unexpected(fine.error());
    const auto named = withSlugs(given, templates, catalog);
    if (!named) return tl::unexpected(named.error());
    const SizeRequest& request = *named;
    std::vector<const Template*> chosen;
    for (const auto& design : templates)
        if (request.templates.empty() || contains(request.templates, design.name())) chosen.push_back(&design);
    const auto library = readCableLibrary(catalog);
    if (!library) return tl::unexpected(library.error());
    auto found = searchAll(request, chosen, catalog, *library, progress);
    if (progress.stopRequested()) return fail(ErrorCode::Canceled, "size", i18n("canceled"));
    SizeAnswer answer;
    answer.request = request;
    for (auto& findings : found) {
        std::move(findings.designs.begin(), findings.designs.end(), std::back_inserter(answer.designs));
        std::move(findings.refused.begin(), findings.refused.end(), std::back_inserter(answer.refused));
        for (const auto& reach : findings.reaches) keepLargest(answer.tierLimits, reach);
    }
    std::sort(answer.tierLimits.begin(), answer.tierLimits.end(), [](const TierLimit& a, const TierLimit& b) { return a.tiers < b.tiers; });
    rank(answer.designs);
    return answer;
}

} // namespace hw::sizing
