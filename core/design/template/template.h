// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/merge/merge.h"
#include "core/foundation/base/progress.h"
#include "core/foundation/base/result.h"
#include "core/foundation/catalog/catalog.h"
#include "core/foundation/model/document.h"

#include <filesystem>
#include <map>

namespace hw {

/// What the user chooses before a design is generated: a whole number, one of several texts (the value is
/// its place, from 0), or yes and no (1 and 0).
struct Parameter {
    std::string name, label, unit, unitOfOne, help; ///< unit: "pods"; of one: "pod"
    std::int64_t defaultValue = 0, minimum = 0, maximum = 0;
    std::vector<std::string> choices; ///< empty for numbers
    bool flag = false;
    /// The value that a text stands for: a choice, a number, "true" …; nothing when it stands for none. Ranges are not checked.
    [[nodiscard]] std::optional<std::int64_t> valueOf(const std::string& text) const;
    [[nodiscard]] std::string textOf(std::int64_t value) const;                                                 ///< the choice, or the number
    [[nodiscard]] const std::string& unitOf(std::int64_t value) const { return value == 1 ? unitOfOne : unit; } ///< as in "1 pod", "2 pods"
};
using ParameterValues = std::map<std::string, std::int64_t>;

struct TemplateSpec;

/// A design as data: parameters, tiers, links, racks and hall (grammar: resources/templates/README.md).
/// Immutable, cheap to copy.
class Template {
public:
    /// `where` stands in error messages, which name line and key.
    /// Templates that it extends are looked for in `folder`, then among the shipped ones.
    [[nodiscard]] static Result<Template> parse(const std::string& yaml, const std::string& where, const std::filesystem::path& folder = {});
    [[nodiscard]] static Result<Template> load(const std::filesystem::path& file);

    [[nodiscard]] const std::string& name() const;
    [[nodiscard]] const std::string& title() const;
    [[nodiscard]] const std::string& summary() const;
    [[nodiscard]] const std::string& source() const;
    [[nodiscard]] const std::vector<Parameter>& parameters() const;
    [[nodiscard]] const std::string& text() const; ///< the YAML that it was read from, with all that it extends
    [[nodiscard]] const TemplateSpec& spec() const { return *m_spec; }

    /// Checks names (ErrorCode::Usage) and ranges (ErrorCode::Refused); adds the defaults.
    [[nodiscard]] Result<ParameterValues> complete(const ParameterValues& given) const;
    /// The same from texts ("NAME" → "VALUE"), as the command line gets them.
    [[nodiscard]] Result<ParameterValues> complete(const std::map<std::string, std::string>& given) const;

private:
    std::shared_ptr<const TemplateSpec> m_spec;
};

/// The shipped templates (resources/templates/*.yaml) by name.
[[nodiscard]] Result<std::vector<Template>> loadTemplates(const std::filesystem::path& folder);

/// Generates the whole design: parts, places, devices, ports, links, cables, trays. Revision 1.
/// Refuses (ErrorCode::Refused) what cannot be built, naming the constraint.
[[nodiscard]] Result<SnapshotPtr> instantiate(const Template& design, const ParameterValues& values, const Catalog& catalog,
                                              const Progress& progress = {});

/// The same without rooms, racks, trays, power and cooling: devices that are not placed, for a room that is given (core/design/fitting).
[[nodiscard]] Result<SnapshotPtr> instantiateLoose(const Template& design, const ParameterValues& values, const Catalog& catalog,
                                                   const Progress& progress = {});

/// Generates the open design again with changed parameters and merges it by key: ids stay, what the user
/// moved, renamed or rewired by hand stays where it still exists. Nothing is committed here.
[[nodiscard]] Result<MergeReport> regenerate(Transaction& transaction, const ParameterValues& changed, const Catalog& catalog,
                                             const Progress& progress = {});
/// Brings a template's devices and networks into a project, without places: those of a template that it came from before go, and what a
/// layout made for them; rooms, walls and all that was made by hand stay. Nothing is committed here.
[[nodiscard]] Result<MergeReport> useTemplate(Transaction& transaction, const Template& design, const ParameterValues& values, const Catalog& catalog,
                                              const Progress& progress = {});
/// The parameters that a design was generated with.
[[nodiscard]] ParameterValues parametersOf(const Snapshot& snapshot);
/// The template that a design was generated from, as the project keeps it. Error: Refused (there is none).
[[nodiscard]] Result<Template> templateOf(const Snapshot& snapshot);

} // namespace hw
