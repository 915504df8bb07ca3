// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/template/spec.h"

#include <set>

#include <yaml-cpp/yaml.h>

namespace hw {

/// Reads the entries of a template's sections. Everything throws TemplateFailure (Unreadable) that names
/// file, line and key.
class SpecReader {
public:
    using Words = std::set<std::string>;

    explicit SpecReader(std::string file) : m_file(std::move(file)) {}

    [[nodiscard]] std::string place(const YAML::Node& node, const std::string& key) const;
    [[noreturn]] void refuse(const YAML::Node& node, const std::string& key, Text what, Text todo) const;

    [[nodiscard]] std::string word(const YAML::Node& node, const std::string& key) const;
    [[nodiscard]] std::string wordOr(const YAML::Node& parent, const char* field, const std::string& key, const std::string& fallback) const;
    [[nodiscard]] std::vector<std::string> words(const YAML::Node& node, const std::string& key) const; ///< a list; one word alone is a list too
    [[nodiscard]] ExpressionText expression(const YAML::Node& node, const std::string& key) const { return {word(node, key), place(node, key)}; }
    [[nodiscard]] std::int64_t number(const YAML::Node& node, const std::string& key) const;
    [[nodiscard]] std::vector<std::pair<std::string, ExpressionText>> pairs(const YAML::Node& node, const std::string& key) const;
    [[nodiscard]] std::map<std::string, ExpressionText> mapping(const YAML::Node& node, const std::string& key) const;

    void checkKeys(const YAML::Node& node, const std::string& key, const Words& known) const;
    template <class F>
    void forEachEntry(const YAML::Node& node, const std::string& key, F&& f) const
    {
        if (!node) return;
        if (!node.IsMap()) refuse(node, key, i18n("must be a mapping"), i18n("use name: … lines"));
        for (const auto& entry : node) f(entry.first.Scalar(), entry.second, key + "." + entry.first.Scalar());
    }
    template <class F>
    void forEachElement(const YAML::Node& node, const std::string& key, F&& f) const
    {
        if (!node) return;
        if (!node.IsSequence()) refuse(node, key, i18n("must be a list"), i18n("use [a, b, …], or lines starting with '-'"));
        for (const auto& entry : node) f(entry);
    }

    [[nodiscard]] std::vector<SetSpec> sets(const YAML::Node& root, const std::string& section, const Words& fields) const;
    [[nodiscard]] LinkSpec link(const std::string& name, const YAML::Node& node, const std::string& key) const;
    /// A parameter as it stands there, with the facts of its choices, by fact and then in the order of the choices.
    struct ReadParameter {
        Parameter parameter;
        std::string limit;
        std::map<std::string, std::vector<ExpressionText>> facts;
        std::optional<ExpressionText> fixed; ///< the value that it always has
    };
    [[nodiscard]] ReadParameter parameter(const std::string& name, const YAML::Node& node, const std::string& key) const;
    void add(ReadParameter&& read, TemplateSpec& spec) const;
    void expandTypes(SetSpec& set, const TemplateSpec& spec) const;
    [[nodiscard]] LayoutSpec layout(const YAML::Node& node) const;
    [[nodiscard]] SizingSpec sizing(const YAML::Node& node, const TemplateSpec& spec) const;
    [[nodiscard]] std::vector<AddressingEntry> addressing(const YAML::Node& node) const;

private:
    [[nodiscard]] SetSpec set(const std::string& name, const YAML::Node& node, const std::string& key, Words fields) const;
    [[nodiscard]] MemberSpec member(const YAML::Node& node, const std::string& key) const;
    void readFields(const YAML::Node& node, const std::string& key, const Words& fields, SetSpec& set) const;
    void readChoices(const YAML::Node& node, const std::string& key, ReadParameter& read) const;
    void readFacts(const YAML::Node& choices, const std::string& key, ReadParameter& read) const;
    void readRange(const YAML::Node& node, const std::string& key, Parameter& p) const;
    [[nodiscard]] std::int64_t valueOf(const Parameter& p, const YAML::Node& node, const std::string& key) const;
    void appendAddressing(const YAML::Node& node, const std::string& key, const std::string& scope, std::vector<AddressingEntry>& out) const;

    std::string m_file;
};

} // namespace hw
