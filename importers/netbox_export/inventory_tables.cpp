// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/catalog/slugs.h"
#include "importers/netbox_export/inventory.h"

#include <fmt/format.h>

namespace hw::netbox {

namespace {

std::vector<TableInfo> madeTables()
{
    const auto templates = [](const char* name, TextId what) { return TableInfo{name, what, "device_type_id", {"device_type", "name"}, true}; };
    return {
        {"extras/tags", TextId("tags"), "slug", {"slug"}, true},
        {"extras/custom-fields", TextId("custom fields"), "name", {"name"}, true, true},
        {"dcim/sites", TextId("sites"), "slug", {"slug"}, true},
        {"dcim/locations", TextId("locations"), "site_id", {"site", "parent", "name"}},
        {"dcim/manufacturers", TextId("manufacturers"), "slug", {"slug"}, true},
        {"dcim/device-roles", TextId("device roles"), "slug", {"slug"}, true},
        {"dcim/rack-types", TextId("rack types"), "slug", {"slug"}, true},
        {"dcim/device-types", TextId("device types"), "slug", {"manufacturer", "slug"}, true},
        templates("dcim/interface-templates", TextId("interface templates")),
        templates("dcim/power-port-templates", TextId("power port templates")),
        templates("dcim/power-outlet-templates", TextId("power outlet templates")),
        templates("dcim/rear-port-templates", TextId("rear port templates")),
        templates("dcim/front-port-templates", TextId("front port templates")),
        {"dcim/racks", TextId("racks"), "site_id", {"location", "name"}},
        {"dcim/power-panels", TextId("power panels"), "site_id", {"site", "name"}},
        {"dcim/power-feeds", TextId("power feeds"), "power_panel_id", {"power_panel", "name"}},
        {"dcim/cooling-sources", TextId("cooling sources"), "site_id", {"site", "name"}, false, false, 7},
        {"dcim/cooling-feeds", TextId("cooling feeds"), "cooling_source_id", {"cooling_source", "name"}, false, false, 7},
        {"dcim/devices", TextId("devices"), "site_id", {"site", "name"}},
        {"dcim/interfaces", TextId("interfaces"), "device_id", {"device", "name"}},
        {"dcim/power-ports", TextId("power ports"), "device_id", {"device", "name"}},
        {"dcim/power-outlets", TextId("power outlets"), "device_id", {"device", "name"}},
        {"dcim/rear-ports", TextId("rear ports"), "device_id", {"device", "name"}},
        {"dcim/front-ports", TextId("front ports"), "device_id", {"device", "name"}},
        {"dcim/cooling-outflows", TextId("coolant outflows"), "device_id", {"device", "name"}, false, false, 7},
        {"dcim/cooling-intakes", TextId("coolant intakes"), "device_id", {"device", "name"}, false, false, 7},
        {"dcim/cable-bundles", TextId("cable bundles"), "name", {"name"}, false, false, 6},
        {"dcim/cables", TextId("cables"), "site_id", {"label"}, false, false, 4, 200},
    };
}

} // namespace

std::span<const TableInfo> tableList()
{
    static const auto all = madeTables();
    return all;
}

std::size_t tableIndex(std::string_view name)
{
    const auto all = tableList();
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].name == name) return i;
    return 0;
}

std::string objectType(std::string_view table)
{
    std::string type(table);
    std::ranges::replace(type, '/', '.');
    std::erase(type, '-');
    if (type.ends_with('s')) type.pop_back();
    return type;
}

std::string slugOf(std::string_view name)
{
    std::string slug;
    bool lost = false;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        lost = lost || byte > 127;
        if (byte < 128 && std::isalnum(byte))
            slug += char(std::tolower(byte));
        else if (c == '_')
            slug += c;
        else if (!slug.empty() && slug.back() != '-')
            slug += '-';
    }
    while (slug.ends_with('-')) slug.pop_back();
    if (lost || slug.empty() || slug.size() > 100) { // letters of other scripts are left out: a number keeps it apart
        std::uint32_t hash = 2166136261U;
        for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
        slug = fmt::format("{}{}{:08x}", slug.substr(0, 80), slug.empty() ? "x" : "-", hash);
    }
    return slug;
}

std::string interfaceType(const Interface& interface, int minor)
{
    const auto known = [&](const std::string& slug) {
        if (minor == 7 && slug == "100gbase-x-sfp112") return false; // missing in 4.7.0-beta1
        return catalog::isInterfaceSlug(slug) || catalog::isUncabled(slug);
    };
    std::string slug = interface.slug;
    if (known(slug)) return slug;
    if (slug.ends_with("-rhs")) { // the flat-top cage of 800G: the same without
        slug.resize(slug.size() - 4);
        if (known(slug)) return slug;
    }
    switch (interface.rate.count()) {
    case 100: return "100gbase-x-qsfp28";
    case 200: return "200gbase-x-qsfp56";
    case 400: return "400gbase-x-qsfp112";
    case 800: return "800gbase-x-osfp";
    case 1600: return "1.6tbase-x-osfp1600";
    default: return "other";
    }
}

} // namespace hw::netbox
