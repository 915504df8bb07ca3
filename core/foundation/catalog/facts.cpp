// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/catalog/facts.h"

#include <yaml-cpp/yaml.h>

namespace hw {
namespace {

std::string scalar(const YAML::Node& node) { return node && node.IsScalar() ? node.Scalar() : std::string(); }

/// Collects maps that state a confidence, wherever they stand.
class Walker {
public:
    explicit Walker(const std::vector<YAML::Node>& documents) : m_documents(documents) {}

    void walk(const YAML::Node& node, const std::string& path)
    {
        if (node.IsSequence())
            for (const auto& entry : node) walk(entry, path);
        if (!node.IsMap()) return;
        if (const auto confidence = scalar(node["confidence"]); confidence.size() == 1 && confidence[0] >= 'A' && confidence[0] <= 'D')
            facts.push_back({path, valueOf(node, path), scalar(node["source"]), Confidence(confidence[0])});
        for (const auto& entry : node) {
            const std::string key = scalar(entry.first);
            walk(entry.second, path.empty() || path == "trust" ? key : path + "." + key);
        }
    }
    std::vector<StatedFact> facts;

private:
    /// Of `trust` the number stands under the same key elsewhere.
    [[nodiscard]] std::string valueOf(const YAML::Node& node, const std::string& path) const
    {
        std::string value = scalar(node["value"]), unit = scalar(node["unit"]);
        for (std::size_t i = 0; value.empty() && i < m_documents.size(); ++i)
            if (m_documents[i].IsMap()) value = scalar(m_documents[i][path]), unit = value.empty() ? unit : scalar(m_documents[i][path + "_unit"]);
        return value.empty() || unit.empty() ? value : value + ' ' + unit;
    }
    const std::vector<YAML::Node>& m_documents;
};

} // namespace

std::vector<StatedFact> statedFacts(const Part& part)
{
    try {
        const std::vector<YAML::Node> documents = YAML::LoadAll(part.definition);
        Walker walker(documents);
        for (const YAML::Node& document : documents) walker.walk(document, {});
        return std::move(walker.facts);
    } catch (const YAML::Exception&) {
        return {};
    }
}

} // namespace hw
