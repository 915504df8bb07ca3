// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/catalog.h"
#include "core/foundation/model/snapshot.h"

#include <random>

#include <nlohmann/json.hpp>

namespace hw::test {

/// Makes edits of a design as it stands, by every verb and over every kind of thing; some with arguments that nobody should give:
/// names of nothing, of the wrong kind, numbers far out of range, texts in other scripts.
class AnyEdit {
public:
    AnyEdit(const Catalog& catalog, unsigned seed);

    /// One edit of a script. `parameters` are names of the template's parameters that may be changed, with values to choose from.
    [[nodiscard]] nlohmann::json make(const Snapshot& s, const ProjectParts& parts);
    std::map<std::string, std::vector<int>> parameters{};

    [[nodiscard]] unsigned below(std::size_t n) { return n ? unsigned(m_random() % n) : 0; }

private:
    [[nodiscard]] bool oneIn(unsigned n) { return below(n) == 0; }
    [[nodiscard]] std::string oddText();
    [[nodiscard]] std::int64_t number();
    [[nodiscard]] std::int64_t count();
    [[nodiscard]] std::string named(EntityKind kind);
    [[nodiscard]] std::string anything();
    [[nodiscard]] std::string freshName();
    [[nodiscard]] std::string slug(PartKind kind);
    [[nodiscard]] nlohmann::json value(EntityKind kind, const std::string& column, EntityRef entity);
    [[nodiscard]] std::pair<std::string, std::string> ports();
    nlohmann::json add();
    nlohmann::json ownPart();
    nlohmann::json set();
    nlohmann::json wire();
    nlohmann::json cabling();
    nlohmann::json project();
    nlohmann::json shape(const std::string& verb);
    nlohmann::json arrange();

    const Catalog& m_catalog;
    std::mt19937 m_random;
    const Snapshot* m_s = nullptr;
    const ProjectParts* m_parts = nullptr;
    int m_made = 0;
};

} // namespace hw::test
