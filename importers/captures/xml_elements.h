// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hw::importers {

/// The elements of XML documents that follow each other, with what a terminal writes between them. Names are without namespace prefix.
struct XmlElements {
    static constexpr std::uint32_t kNone = 0xFFFF'FFFF;
    struct Element {
        std::string name, text; ///< text: its own, trimmed
        std::vector<std::pair<std::string, std::string>> attributes;
        std::uint32_t parent = kNone;
        std::vector<std::uint32_t> children;
        std::size_t line = 0;
        bool closed = false; ///< false: the document ends within it
    };
    std::vector<Element> all; ///< in their order, parents first
    bool cut = false;         ///< a document ends before its elements do

    [[nodiscard]] const Element* child(const Element& of, std::string_view name) const; ///< null: none
    [[nodiscard]] std::string textOf(const Element& of, std::string_view child) const;  ///< empty: none
    [[nodiscard]] static std::string attribute(const Element& of, std::string_view name);
};

/// Errors: Unreadable with FILE:LINE, for tags that do not fit each other. A document that ends early is none: see `cut`.
[[nodiscard]] Result<XmlElements> readXmlElements(std::string_view text, const std::string& file);

} // namespace hw::importers
