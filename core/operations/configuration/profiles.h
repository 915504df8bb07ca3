// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/foundation/model/words.h"

#include <map>
#include <string>
#include <vector>

/// What is set on hosts and switches, and what should be.
namespace hw::configuration {

enum class Target : std::uint8_t { Host, HostPort, Switch, SwitchPort };
enum class Match : std::uint8_t {
    Equal,
    AtLeast,
    AtMost,
    Contains, ///< one of a list
    Same      ///< on all devices; the most frequent value counts
};

/// One setting that a profile states.
struct ProfileItem {
    std::string item, value, unit, set, source; ///< `set`: how it is corrected; names in braces are filled in by `expected`
    char confidence = 'C';
    Match match = Match::Equal;
};
struct Profile {
    std::string name;
    Target target = Target::Host;
    std::map<std::string, std::vector<std::string>> when; ///< condition → words of which one has to hold
    std::vector<ProfileItem> items;
};

/// Errors: Unreadable, with file and path.
[[nodiscard]] Result<std::vector<Profile>> readProfiles(const std::string& yaml, const std::string& file);
/// resources/configuration/profiles.yaml, read once.
[[nodiscard]] const Result<std::vector<Profile>>& shippedProfiles();

} // namespace hw::configuration

namespace hw {
HW_WORDS(configuration::Target, "host", "host-port", "switch", "switch-port")
HW_WORDS(configuration::Match, "equal", "at-least", "at-most", "contains", "same")
} // namespace hw
