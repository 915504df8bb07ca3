// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/template/expression.h"
#include "core/template/template.h"

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
    std::string parent;                                         ///< `in:`
    std::vector<std::pair<std::string, ExpressionText>> each;   ///< own coordinates and how many of each
    std::map<std::string, ExpressionText> fields;               ///< expressions, names and words by key
    std::vector<ExpressionText> types;                          ///< `type:` one part slug or a list
    std::map<std::string, MemberSpec> members;                  ///< `rack:` and `hall:` of a tier
    struct PortGroup { std::string name; std::map<std::string, ExpressionText> fields; std::string where; };
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
    std::map<std::string, ExpressionText> at;  ///< coordinates of the target by expression
    std::vector<std::string> free;             ///< shared coordinates that need not agree
    std::vector<std::pair<std::string, ExpressionText>> each;
    std::map<std::string, ExpressionText> fields;
};

struct ConstraintSpec { ExpressionText require, message; };

/// A template as read. Section order is that of the file.
struct TemplateSpec {
    std::string name, title, summary, source, text, file;
    std::vector<Parameter> parameters;
    std::map<std::string, std::string> limits; ///< parameter → why its range ends where it does
    std::vector<std::pair<std::string, ExpressionText>> values;
    std::vector<ConstraintSpec> constraints;
    std::vector<SetSpec> networks, buildings, halls, rows, racks, trays, tiers;
    std::vector<LinkSpec> links;
    std::vector<std::pair<std::string, std::string>> settings;
    struct WaiverSpec { ExpressionText finding; std::string reason; std::vector<std::pair<std::string, ExpressionText>> each; };
    std::vector<WaiverSpec> waivers;
    std::vector<std::string> parts; ///< slugs that cabling may choose from
};

/// Reads the YAML; throws TemplateFailure naming file, line and key.
[[nodiscard]] std::shared_ptr<const TemplateSpec> readTemplate(const std::string& yaml, const std::string& where);

} // namespace hw
