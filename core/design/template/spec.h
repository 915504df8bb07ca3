// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/template/expression.h"
#include "core/design/template/layout_section.h"
#include "core/design/template/template.h"

namespace hw {

/// A member of another set, found by coordinates: those in `at` by expression, the others by name.
struct MemberSpec {
    std::string set;
    std::map<std::string, ExpressionText> at;
    std::string where;
};

/// A set of like things indexed by coordinates: those of its parent set, then its own.
struct SetSpec {
    std::string name, where;
    std::string parent;                                       ///< `in:`
    std::vector<std::pair<std::string, ExpressionText>> each; ///< own coordinates and how many of each
    std::map<std::string, ExpressionText> fields;             ///< expressions, names and words by key
    std::vector<ExpressionText> types;                        ///< `type:` one part slug or a list
    std::map<std::string, MemberSpec> members;                ///< `rack:` and `hall:` of a tier
    struct PortGroup {
        std::string name;
        std::map<std::string, ExpressionText> fields;
        std::string where;
    };
    std::vector<PortGroup> ports;

    [[nodiscard]] const ExpressionText* field(const std::string& key) const
    {
        const auto found = fields.find(key);
        return found == fields.end() ? nullptr : &found->second;
    }
};

/// Joins the ports of two tiers: where coordinates agree, times `each`, where `when` holds.
struct LinkSpec {
    std::string name, where;
    std::string from, fromGroup, to, toGroup;
    std::map<std::string, ExpressionText> at; ///< coordinates of the target by expression
    std::vector<std::string> free;            ///< shared coordinates that need not agree
    std::vector<std::pair<std::string, ExpressionText>> each;
    std::map<std::string, ExpressionText> fields;
    bool spread = false; ///< all ports dealt evenly over the targets
};

struct ConstraintSpec {
    ExpressionText require, message;
};

/// How a design grows with the accelerators that are wanted, and which variants are tried.
struct SizingSpec {
    std::string where;             ///< empty = the section is missing
    std::vector<std::string> grow; ///< parameters, the first one grows first
    struct Vary {
        std::string parameter;
        std::vector<std::int64_t> values;
    };
    std::vector<Vary> vary;
    std::map<std::string, std::string> split;     ///< switch tier → the parameter that breaks its uplinks out
    std::map<std::string, ExpressionText> fields; ///< everything else, by key
};

/// One entry of `addressing:`; `scope` is empty, "network.NAME" or "tier.NAME".
struct AddressingEntry {
    std::string scope, key;
    ExpressionText value;
};

/// The section `phases`: when things are installed.
struct PhasesSpec {
    std::optional<ExpressionText> number;  ///< of a device, over pod, segment, rail, plane, index; none: the section is not there
    std::vector<std::string> names, dates; ///< by number from 1; dates are ISO 8601
};

/// A template as read. Section order is that of the file.
struct TemplateSpec {
    std::string name, title, summary, source, text, file;
    std::vector<Parameter> parameters;
    std::map<std::string, std::string> limits;                                       ///< parameter → why its range ends where it does
    std::map<std::string, std::map<std::string, std::vector<ExpressionText>>> facts; ///< parameter → fact → by choice
    std::vector<std::pair<std::string, ExpressionText>> values;
    std::vector<ConstraintSpec> constraints;
    std::vector<SetSpec> networks, buildings, halls, rows, racks, trays, tiers;
    std::vector<LinkSpec> links;
    std::vector<std::pair<std::string, std::string>> settings;
    struct WaiverSpec {
        ExpressionText finding;
        std::string reason;
        std::vector<std::pair<std::string, ExpressionText>> each;
    };
    std::vector<WaiverSpec> waivers;
    std::vector<std::string> parts; ///< slugs that cabling may choose from
    LayoutSpec layout;
    SizingSpec sizing;
    PhasesSpec phases;
    std::vector<AddressingEntry> addressing;
};

/// Reads the YAML; throws TemplateFailure naming file, line and key. A template that it extends is looked
/// for in `folder`, then among the shipped ones; `text` of the result is the merged YAML.
[[nodiscard]] std::shared_ptr<const TemplateSpec> readTemplate(const std::string& yaml, const std::string& where,
                                                               const std::filesystem::path& folder = {});

} // namespace hw
