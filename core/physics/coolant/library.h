// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/physics/coolant/cold_plate.h"
#include "core/physics/coolant/fluid.h"

#include <filesystem>
#include <string_view>

namespace hw {
class YamlKeys;
}

namespace hw::coolant {

/// Fluids, coolants with a name, cold plates: the shipped `resources/coolants` and what is added to it.
class Library {
public:
    struct Named {
        std::string slug, title, fluid;
        double fraction = 0;
    };

    /// Adds what a file says; an entry of the same name replaces the earlier one. All or nothing. Error: Unreadable, with
    /// file, line and key.
    [[nodiscard]] Result<void> add(const std::string& yaml, const std::string& file);
    [[nodiscard]] Result<void> addFile(const std::filesystem::path& file);

    [[nodiscard]] const std::vector<Fluid>& fluids() const { return m_fluids; }
    [[nodiscard]] const std::vector<Named>& coolants() const { return m_coolants; }
    [[nodiscard]] const Fluid* fluid(std::string_view slug) const;         ///< nullptr when there is none
    [[nodiscard]] const ColdPlate* coldPlate(std::string_view slug) const; ///< nullptr when there is none

    /// A coolant by its one word. Error: Refused, with the names that there are.
    [[nodiscard]] Result<Coolant> coolant(std::string_view slug) const;
    /// Any fraction of a mixture. Errors: Refused for an unknown fluid; as Coolant::of.
    [[nodiscard]] Result<Coolant> mixture(std::string_view fluid, double fraction) const;

private:
    void read(YamlKeys& all);

    std::vector<Fluid> m_fluids;
    std::vector<Named> m_coolants;
    std::vector<ColdPlate> m_plates;
};

/// The file of this installation, read once. Errors: as Library::addFile.
[[nodiscard]] const Result<Library>& shippedLibrary();

/// A shipped coolant at one temperature. Errors: as above, and outside the range of the data.
[[nodiscard]] Result<Properties> shippedProperties(std::string_view coolant, double celsius);

} // namespace hw::coolant
