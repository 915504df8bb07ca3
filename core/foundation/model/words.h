// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace hw {

/// The words of an enum, one for each value from 0; empty for an enum that has none. HW_WORDS gives it some.
template <class E>
inline constexpr std::array<std::string_view, 0> kWords{};
#define HW_WORDS(E, ...)                                                                                                                             \
    template <>                                                                                                                                      \
    inline constexpr auto kWords<E> = std::to_array<std::string_view>({__VA_ARGS__});

template <class E>
concept Worded = std::is_enum_v<E> &&(kWords<E>.size() > 0);

/// Of a value past the end (a damaged file): empty.
template <Worded E>
constexpr std::string_view wordOf(E value)
{
    return std::size_t(value) < kWords<E>.size() ? kWords<E>[std::size_t(value)] : std::string_view();
}

template <Worded E>
constexpr std::optional<E> fromWord(std::string_view word)
{
    for (std::size_t i = 0; i < kWords<E>.size(); ++i)
        if (kWords<E>[i] == word) return E(i);
    return std::nullopt;
}

} // namespace hw
