// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/catalog/facts.h"

#include "core/foundation/base/yaml_tree.h"

namespace hw {
namespace {

/// Collects maps that state a confidence, wherever they stand.
class Walker {
public:
    explicit Walker(const std::vector<YamlNode>& documents) : m_documents(documents) {}

    void walk(const YamlNode& node, const std::string& path)
    {
        for (const YamlNode& item : node.items()) walk(item, path);
        if (const auto confidence = node["confidence"].scalar(); confidence.size() == 1 && confidence[0] >= 'A' && confidence[0] <= 'D')
            facts.push_back({path, valueOf(node, path), node["source"].scalar(), Confidence(confidence[0])});
        for (const auto& [name, value] : node.entries()) {
            const std::string& key = name.scalar();
            walk(value, path.empty() || path == "trust" ? key : path + "." + key);
        }
    }
    std::vector<StatedFact> facts;

private:
    /// Of `trust` the number stands under the same key elsewhere.
    [[nodiscard]] std::string valueOf(const YamlNode& node, const std::string& path) const
    {
        std::string value = node["value"].scalar(), unit = node["unit"].scalar();
        for (std::size_t i = 0; value.empty() && i < m_documents.size(); ++i)
            value = m_documents[i][path].scalar(), unit = value.empty() ? unit : m_documents[i][path + "_unit"].scalar();
        return value.empty() || unit.empty() ? value : value + ' ' + unit;
    }
    const std::vector<YamlNode>& m_documents;
};

} // namespace

std::vector<StatedFact> statedFacts(const Part& part)
{
    try {
        const std::vector<YamlNode> documents = readYamlDocuments(part.definition);
        Walker walker(documents);
        for (const YamlNode& document : documents) walker.walk(document, {});
        return std::move(walker.facts);
    } catch (const YamlProblem&) {
        return {};
    }
}

} // namespace hw
