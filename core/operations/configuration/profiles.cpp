// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/configuration/profiles.h"

#include "core/foundation/base/resources.h"
#include "core/foundation/base/yaml_keys.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

namespace hw::configuration {

namespace {

constexpr std::array<std::string_view, 5> kConditions{"nic", "network", "business", "architecture", "library"};

ProfileItem readItem(const std::string& name, YamlKeys& keys)
{
    ProfileItem item;
    item.item = name;
    const std::string match = keys.text("match", "equal");
    const auto known = fromWord<Match>(match);
    if (!known) keys.refuse("match", i18n("'{}' is not one of {}", match, "equal, at-least, at-most, contains, same")); // no text
    item.match = *known;
    if (item.match != Match::Same) item.value = keys.text("value");
    item.unit = keys.text("unit", ""), item.set = keys.text("set"), item.source = keys.text("source"), item.confidence = keys.confidence();
    return item;
}

Profile readProfile(const std::string& name, YamlKeys& keys)
{
    Profile profile;
    profile.name = name;
    const std::string target = keys.text("for");
    const auto known = fromWord<Target>(target);
    if (!known) keys.refuse("for", i18n("'{}' is not one of {}", target, "host, host-port, switch, switch-port")); // no text
    profile.target = *known;
    if (keys.has("when")) {
        YamlKeys when = keys.under("when");
        for (const std::string_view condition : kConditions)
            if (const std::string key(condition); when.has(key)) profile.when[key] = when.texts(key);
        when.finish();
    }
    keys.entries("items", [&](const std::string& item, YamlKeys& one) { profile.items.push_back(readItem(item, one)); });
    if (profile.items.empty()) keys.refuse("items", i18n("missing"));
    return profile;
}

} // namespace

Result<std::vector<Profile>> readProfiles(const std::string& yaml, const std::string& file)
{
    std::vector<Profile> out;
    const auto read = readYaml(yaml, file, [&](YamlKeys& all) {
        all.entries("profiles", [&](const std::string& name, YamlKeys& one) { out.push_back(readProfile(name, one)); });
    });
    if (!read) return tl::unexpected(read.error());
    if (out.empty()) return fail(ErrorCode::Unreadable, file + ": profiles", i18n("missing"), i18n("specify at least one profile"));
    return out;
}

const Result<std::vector<Profile>>& shippedProfiles()
{
    static const auto loaded = [] {
        const auto path = resourceFolder() / "configuration" / "profiles.yaml";
        std::ifstream in(path);
        std::ostringstream text;
        text << in.rdbuf();
        return readProfiles(text.str(), path.string());
    }();
    return loaded;
}

} // namespace hw::configuration
