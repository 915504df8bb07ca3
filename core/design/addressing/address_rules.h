// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/foundation/model/snapshot.h"

#include <map>
#include <string>
#include <vector>

namespace hw {

/// The settings `addressing.…` of a design over the built-in defaults: a tier's entry goes before its
/// network's, that before the general one (keys: resources/templates/README.md, "Addressing").
class AddressRules {
public:
    explicit AddressRules(const Snapshot& snapshot);

    struct Value {
        std::string text, name;
    }; ///< `name`: the setting that it comes from
    /// `tier` may be missing.
    [[nodiscard]] Value value(const std::string& key, NetworkId network, Maybe<TierId> tier = {}) const;
    /// The entry for all networks, else the default.
    [[nodiscard]] Value general(const std::string& key) const;

private:
    [[nodiscard]] const std::string* find(const std::string& name) const;
    const Snapshot& m_s;
    std::map<std::string, std::string> m_settings; ///< by name without "addressing."
};

/// The last parts of the settings' names: loopback4, …, asn_per.
[[nodiscard]] const std::vector<std::string>& addressKeys();
/// Whether `text` is a value of `key`; `name` stands in the error (Refused).
[[nodiscard]] Result<void> checkAddressValue(const std::string& key, const std::string& text, const std::string& name);

/// What devices share something: each alone, a whole tier, or those that agree in coordinates.
class SharedBy {
public:
    /// "device", "tier", or names of coordinates (pod, segment, rail, plane). Error: Refused.
    [[nodiscard]] static Result<SharedBy> parse(const AddressRules::Value& value, const char* alone);
    /// Equal for devices of a tier that share.
    [[nodiscard]] std::uint64_t groupOf(const Snapshot& snapshot, DeviceId device) const;

private:
    bool m_alone = false, m_pod = false, m_segment = false, m_rail = false, m_plane = false;
};

} // namespace hw
