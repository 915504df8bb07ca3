// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "core/foundation/base/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hw::importers::ifc {

/// An attribute of an instance as it is written.
struct StepValue {
    enum class Kind : std::uint8_t { Unset, Derived, Number, Text, Word, Reference, List } kind = Kind::Unset;
    double number = 0;              ///< of a number; finite
    std::uint64_t reference = 0;    ///< number of an instance
    std::string text{};             ///< UTF-8 of a text; a word without its points ("AREA", "T"); of a list with a type its name ("IFCLABEL")
    std::vector<StepValue> items{}; ///< of a list, and the value of one with a type
    [[nodiscard]] bool isList() const { return kind == Kind::List; }
};

/// An ISO 10303-21 file: instances by number, whose attributes are read when they are needed. Refers to the text that it was made from.
class StepFile {
public:
    struct Instance {
        std::string_view entity;     ///< as written, upper case: "IFCWALL"; empty: a complex instance
        std::string_view attributes; ///< between the outer parentheses
    };
    /// Errors: Unreadable with FILE:LINE for what is cut off or no such file.
    [[nodiscard]] static Result<StepFile> read(std::string_view text, const std::string& file, const Progress& progress);

    [[nodiscard]] const std::string& schema() const { return m_schema; } ///< "IFC4"; empty: none stated
    /// Null for a number that the file does not have.
    [[nodiscard]] const Instance* find(std::uint64_t number) const;
    /// Attributes of an instance; empty where they cannot be read.
    [[nodiscard]] std::vector<StepValue> attributesOf(std::uint64_t number) const;
    /// Numbers of the instances of an entity, ascending.
    [[nodiscard]] const std::vector<std::uint64_t>& of(std::string_view entity) const;
    [[nodiscard]] const std::map<std::string_view, std::vector<std::uint64_t>>& byEntity() const { return m_byEntity; }
    [[nodiscard]] std::size_t size() const { return m_instances.size(); }
    [[nodiscard]] std::size_t skipped() const { return m_skipped; } ///< instances that are malformed, complex or have the number of another

private:
    std::string m_schema;
    std::unordered_map<std::uint64_t, Instance> m_instances;
    std::map<std::string_view, std::vector<std::uint64_t>> m_byEntity;
    std::size_t m_skipped = 0;
};

/// The text of a string between its quotes: '' and \\ undone, \S\, \X\, \X2\ and \X4\ as UTF-8. What is malformed stays as it is.
[[nodiscard]] std::string stepTextOf(std::string_view written);

} // namespace hw::importers::ifc
