// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hw::importers::ifc {

/// A string of ISO 10303-21 with its quotes: quotes and backslashes doubled, what is no printable ASCII as \X2\…\X0\.
[[nodiscard]] std::string stepText(std::string_view utf8);
/// A real of ISO 10303-21: always with a point, exponent as E.
[[nodiscard]] std::string stepReal(double value);

/// The instances of a data section, numbered from 1 in the order in which they are added.
class StepWriter {
public:
    using Ref = std::uint32_t; ///< number of an instance

    /// A new instance: "IFCWALL", and its attributes as they are written.
    Ref add(std::string_view entity, std::initializer_list<std::string> attributes);
    /// The same, or an earlier one with the same attributes: for what has no identity of its own.
    Ref shared(std::string_view entity, std::initializer_list<std::string> attributes);

    [[nodiscard]] static std::string ref(Ref number) { return "#" + std::to_string(number); }
    [[nodiscard]] static std::string list(std::span<const Ref> numbers);
    [[nodiscard]] const std::string& data() const { return m_data; }

private:
    std::string m_data;
    Ref m_last = 0;
    std::unordered_map<std::string, Ref> m_known;
};

} // namespace hw::importers::ifc
