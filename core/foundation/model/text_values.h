// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/column.h"
#include "core/foundation/model/words.h"

#include <charconv>

namespace hw {

/// Text form of stored values, for the diffable export. `fromText` gives nothing for malformed text.
namespace text {
inline std::string toText(const std::string& v) { return v; }
template <class T>
requires std::is_integral_v<T> std::string toText(T v) { return std::to_string(v); }
template <Worded T>
std::string toText(T v)
{
    return std::string(wordOf(v));
}
template <class Tag>
std::string toText(Id<Tag> v)
{
    return std::to_string(v.value);
}
template <class IdT>
std::string toText(Maybe<IdT> v)
{
    return v ? std::to_string((*v).value) : "-";
}
template <class U, class R>
std::string toText(Quantity<U, R> v)
{
    return std::to_string(v.count());
}

template <class T>
requires std::is_integral_v<T>
bool fromText(std::string_view s, T& v)
{
    auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), v);
    return error == std::errc() && end == s.data() + s.size();
}
inline bool fromText(std::string_view s, std::string& v)
{
    v = s;
    return true;
}
/// A word, or its number as text of version 1 and 2 has it.
template <Worded T>
bool fromText(std::string_view s, T& v)
{
    if (const auto value = fromWord<T>(s)) {
        v = *value;
        return true;
    }
    std::underlying_type_t<T> raw{};
    if (!fromText(s, raw)) return false;
    v = T(raw);
    return true;
}
template <class Tag>
bool fromText(std::string_view s, Id<Tag>& v)
{
    return fromText(s, v.value);
}
template <class IdT>
bool fromText(std::string_view s, Maybe<IdT>& v)
{
    if (s == "-") {
        v = Maybe<IdT>();
        return true;
    }
    IdT id;
    if (!fromText(s, id)) return false;
    v = id;
    return true;
}
template <class U, class R>
bool fromText(std::string_view s, Quantity<U, R>& v)
{
    R raw{};
    if (!fromText(s, raw)) return false;
    v = Quantity<U, R>(raw);
    return true;
}
} // namespace text

} // namespace hw
