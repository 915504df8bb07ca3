// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/addressing/pool.h"

#include "core/foundation/model/text_values.h"

#include <fmt/format.h>

namespace hw {

namespace {

tl::unexpected<Error> wrong(const std::string& name, const std::string& text, const Text& what, const Text& example)
{
    return fail(ErrorCode::Refused, name, i18n("'{}' is not {}", text, what), i18n("use the form {}", example));
}

tl::unexpected<Error> overlap(const std::string& name, const std::string& text, const std::string& other, const std::string& otherText)
{
    return fail(ErrorCode::Refused, name, i18n("{} overlaps {} of {}", text, otherText, other),
                i18n("use the same pool for both, or pools that do not overlap"));
}

} // namespace

Result<Prefix> AddressPool::take(int length)
{
    const auto full = [&] {
        return fail(ErrorCode::Refused, m_name, i18n("pool {} is exhausted: no /{} block is left", prefixText(m_prefix), length),
                    i18n("use a shorter prefix"));
    };
    if (m_full || length < m_prefix.length) return full();
    Prefix block{m_next, length, m_prefix.family};
    const AddressNumber mask = Prefix{0, length, m_prefix.family}.last();
    if (m_next & mask) block.first = (m_next | mask) + 1;
    if (block.first < m_next || block.first > m_prefix.last()) return full();
    m_full = block.last() == m_prefix.last();
    m_next = block.last() + 1;
    return block;
}

Result<AddressNumber> AddressPool::takeOne()
{
    const bool network = m_next == m_prefix.first && m_prefix.length < bits(m_prefix.family) - 1;
    if (network) ++m_next;
    return take(bits(m_prefix.family)).map([](const Prefix& block) { return block.first; });
}

Result<std::uint32_t> AsnPool::take()
{
    if (m_next > m_last)
        return fail(ErrorCode::Refused, m_name, i18n("the range {}-{} does not contain enough AS numbers", m_first, m_last),
                    i18n("extend it, or let more devices share one: asn_per"));
    return std::uint32_t(m_next++);
}

Result<AddressPool*> Pools::addresses(const std::string& text, const std::string& name, IpFamily family)
{
    if (const auto known = m_addresses.find(text); known != m_addresses.end()) return known->second.get();
    const auto prefix = parsePrefix(text);
    if (!prefix || prefix->family != family)
        return wrong(name, text, family == IpFamily::V4 ? i18n("an IPv4 prefix") : i18n("an IPv6 prefix"),
                     family == IpFamily::V4 ? i18n("10.0.0.0/8, with no host bits set") : i18n("fd00:1::/48, with no host bits set"));
    for (const auto& [otherText, pool] : m_addresses)
        if (pool->prefix().family == family && prefix->first <= pool->prefix().last() && pool->prefix().first <= prefix->last())
            return overlap(name, text, pool->name(), otherText);
    return m_addresses.emplace(text, std::make_unique<AddressPool>(*prefix, name)).first->second.get();
}

Result<AsnPool*> Pools::asns(const std::string& text, const std::string& name)
{
    if (const auto known = m_asns.find(text); known != m_asns.end()) return known->second.get();
    std::uint32_t first = 0, last = 0;
    const auto dash = text.find('-');
    if (dash == std::string::npos || !text::fromText(std::string_view(text).substr(0, dash), first) ||
        !text::fromText(std::string_view(text).substr(dash + 1), last) || first > last)
        return wrong(name, text, i18n("an AS number range"), verbatim("4200000000-4294967294"));
    for (const auto& [otherText, pool] : m_asns)
        if (first <= pool->last() && pool->first() <= last) return overlap(name, text, pool->name(), otherText);
    return m_asns.emplace(text, std::make_unique<AsnPool>(first, last, name)).first->second.get();
}

} // namespace hw
