// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace hw::storage {

/// Appends little-endian integers and length-prefixed bytes.
template <class T>
requires std::is_integral_v<T>
void put(std::string& out, T value) { out.append(reinterpret_cast<const char*>(&value), sizeof value); }

inline void putBytes(std::string& out, std::string_view bytes)
{
    put(out, std::uint32_t(bytes.size()));
    out.append(bytes);
}

/// Reads what `put` wrote; past the end it gives zeros and `ok()` becomes false.
class ByteReader {
public:
    explicit ByteReader(std::string_view bytes) : m_rest(bytes) {}
    template <class T>
    T take()
    {
        T value{};
        const auto bytes = takeBytes(sizeof value);
        if (m_ok) std::memcpy(&value, bytes.data(), sizeof value);
        return value;
    }
    std::string_view takeBytes(std::size_t count)
    {
        if (count > m_rest.size()) {
            m_ok = false;
            m_rest = {};
            return {};
        }
        const auto bytes = m_rest.substr(0, count);
        m_rest.remove_prefix(count);
        return bytes;
    }
    std::string_view takeSized() { return takeBytes(take<std::uint32_t>()); }
    [[nodiscard]] bool ok() const { return m_ok; }
    [[nodiscard]] bool atEnd() const { return m_rest.empty(); }

private:
    std::string_view m_rest;
    bool m_ok = true;
};

} // namespace hw::storage
