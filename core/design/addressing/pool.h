// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/addressing/address.h"
#include "core/foundation/base/result.h"

#include <map>
#include <memory>
#include <vector>

namespace hw {

/// Hands out the blocks of one prefix from its start on, each once.
class AddressPool {
public:
    AddressPool(const Prefix& prefix, std::string name) : m_prefix(prefix), m_name(std::move(name)), m_next(prefix.first) {}
    /// The next block of 2^(bits - length) addresses that starts at a multiple of its size.
    /// Error: Refused (the pool is used up), naming it.
    [[nodiscard]] Result<Prefix> take(int length);
    /// The next single address; never the first of a pool of more than two, which names the network.
    [[nodiscard]] Result<AddressNumber> takeOne();
    [[nodiscard]] const Prefix& prefix() const { return m_prefix; }
    [[nodiscard]] const std::string& name() const { return m_name; }

private:
    Prefix m_prefix;
    std::string m_name; ///< the setting that it comes from
    AddressNumber m_next;
    bool m_full = false;
};

/// Hands out AS numbers from `first` to `last`.
class AsnPool {
public:
    AsnPool(std::uint32_t first, std::uint32_t last, std::string name) : m_first(first), m_last(last), m_next(first), m_name(std::move(name)) {}
    [[nodiscard]] Result<std::uint32_t> take();
    [[nodiscard]] std::uint32_t first() const { return m_first; }
    [[nodiscard]] std::uint32_t last() const { return m_last; }
    [[nodiscard]] const std::string& name() const { return m_name; }

private:
    std::uint32_t m_first, m_last;
    std::uint64_t m_next;
    std::string m_name;
};

/// The pools of a design: entries with the same text share one; texts that overlap otherwise are refused.
class Pools {
public:
    [[nodiscard]] Result<AddressPool*> addresses(const std::string& text, const std::string& name, IpFamily family);
    [[nodiscard]] Result<AsnPool*> asns(const std::string& text, const std::string& name);

private:
    std::map<std::string, std::unique_ptr<AddressPool>> m_addresses;
    std::map<std::string, std::unique_ptr<AsnPool>> m_asns;
};

} // namespace hw
