// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/foundation/catalog/part.h"
#include "core/foundation/model/snapshot.h"

#include <filesystem>
#include <memory>

namespace hw {

/// A doubt that loading found in a definition: unknown key, supplies too weak for the draw …
struct LintIssue {
    std::string where;
    Text what;
};

[[nodiscard]] PartKind kindOf(const Part& part);

/// A set of part types by slug: the shipped library, or the types that one project holds. A definition of the library is parsed when it is
/// first asked for; one that cannot be read affects only what uses it. Any thread; copies share what is parsed.
class Catalog {
public:
    /// Reads every *.yaml below `folder`. Errors: a folder or file that cannot be opened, a slug that two files have, a file without
    /// a readable slug.
    [[nodiscard]] static Result<Catalog> load(const std::filesystem::path& folder);
    /// Parses one definition; `where` stands in error messages. A definition is one or two YAML documents:
    /// a NetBox device or rack type, our sidecar (known by its key `kind`), or both in this order.
    [[nodiscard]] static Result<Part> parse(const std::string& yaml, const std::string& where, std::vector<LintIssue>* lint = nullptr);

    [[nodiscard]] const Part* find(const std::string& slug) const { return share(slug).get(); } ///< null: unknown, or unreadable (`errorOf`)
    [[nodiscard]] std::shared_ptr<const Part> share(const std::string& slug) const;
    [[nodiscard]] std::optional<Error> errorOf(const std::string& slug) const; ///< why a definition cannot be read; names file, line and key
    [[nodiscard]] std::vector<std::string> slugs() const;                      ///< of all definitions, readable or not
    /// Those that can be read, of one kind or all.
    [[nodiscard]] std::map<std::string, std::shared_ptr<const Part>> parts(std::optional<PartKind> kind = std::nullopt) const;
    [[nodiscard]] std::vector<LintIssue> lint() const; ///< doubts about all definitions, and those that cannot be read
    void add(Part part);

private:
    struct Definition;
    [[nodiscard]] static Result<std::shared_ptr<Definition>> peek(std::string yaml, std::filesystem::path file);

    std::map<std::string, std::shared_ptr<Definition>> m_definitions;
};

/// The part types of a project, parsed once per change of the table and indexed by id.
class ProjectParts {
public:
    /// Fails where a stored definition cannot be read (a damaged or foreign file).
    [[nodiscard]] static Result<std::shared_ptr<const ProjectParts>> of(const PartTypes& table);

    [[nodiscard]] const Part& operator[](PartTypeId id) const { return *m_parts[id.value]; }
    [[nodiscard]] const DeviceSpec& device(PartTypeId id) const { return std::get<DeviceSpec>(m_parts[id.value]->spec); }
    [[nodiscard]] const RackSpec& rack(PartTypeId id) const { return std::get<RackSpec>(m_parts[id.value]->spec); }
    [[nodiscard]] const TransceiverSpec& transceiver(PartTypeId id) const { return std::get<TransceiverSpec>(m_parts[id.value]->spec); }
    [[nodiscard]] const CableSpec& cable(PartTypeId id) const { return std::get<CableSpec>(m_parts[id.value]->spec); }
    [[nodiscard]] const TraySpec& tray(PartTypeId id) const { return std::get<TraySpec>(m_parts[id.value]->spec); }
    [[nodiscard]] std::optional<PartTypeId> find(const std::string& slug) const;
    [[nodiscard]] std::size_t size() const { return m_parts.size(); }

private:
    std::vector<std::shared_ptr<const Part>> m_parts; ///< by id, null where no row lives
};

} // namespace hw
