// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <yaml-cpp/yaml.h>

namespace hw {

/// One map of a YAML file that is ours: every key must be asked for, and what is wrong is refused with file, line and path. Only within
/// `readYaml`, which makes a Result of what these throw.
class YamlKeys {
public:
    struct Failure {
        Error error;
    };

    YamlKeys(std::string file, std::string path, YAML::Node node);

    [[noreturn]] void refuse(const std::string& key, const Text& what) const; ///< "" = the map itself
    [[nodiscard]] const std::string& path() const { return m_path; }

    bool has(const std::string& key);
    [[nodiscard]] bool isList(const std::string& key) const { return node(key).IsSequence(); }
    std::string text(const std::string& key); ///< must be there, and not empty
    std::string text(const std::string& key, const std::string& fallback);
    double number(const std::string& key, double least = -kAny, double most = kAny);
    double numberOr(const std::string& key, double fallback) { return has(key) ? number(key) : fallback; }
    bool flag(const std::string& key, bool fallback);
    char confidence(); ///< the key `confidence`: A to D
    std::vector<std::string> texts(const std::string& key);
    std::vector<double> numbers(const std::string& key);
    std::pair<double, double> range(const std::string& key); ///< two numbers, the smaller first
    std::vector<std::vector<double>> rows(const std::string& key);
    std::map<std::string, std::string> pairs(const std::string& key); ///< texts by name; none where it is missing
    std::vector<YamlKeys> maps(const std::string& key);               ///< a list of maps
    YamlKeys under(const std::string& key);                           ///< must be there

    [[nodiscard]] std::vector<std::string> names() const; ///< of all keys, in the order of the file
    /// Every entry of this map: its name and its own keys, each of which must be asked for.
    template <class Each>
    void entries(const Each& each)
    {
        for (const std::string& name : names()) {
            YamlKeys one = under(name);
            each(name, one);
            one.finish();
        }
    }
    /// The same of the map under a key, where there is one.
    template <class Each>
    void entries(const std::string& key, const Each& each)
    {
        if (has(key)) under(key).entries(each);
    }
    /// Refuses keys that nobody asked for.
    void finish() const;

private:
    static constexpr double kAny = std::numeric_limits<double>::max();
    [[nodiscard]] YAML::Node node(const std::string& key) const { return m_node[key]; }
    [[nodiscard]] std::string full(const std::string& key) const;
    [[nodiscard]] double number(const std::string& key, const YAML::Node& node) const;
    [[nodiscard]] std::vector<double> numbers(const std::string& key, const YAML::Node& node) const;

    std::string m_file, m_path;
    YAML::Node m_node;
    std::vector<std::string> m_asked;
};

/// Has the keys of a text read, each of which must be asked for. Error: Unreadable, with file, line and path.
[[nodiscard]] Result<void> readYaml(const std::string& text, const std::string& file, const std::function<void(YamlKeys&)>& read);
/// The same of a file; `whenMissing` says what to do where it cannot be opened.
[[nodiscard]] Result<void> readYamlFile(const std::filesystem::path& file, const Text& whenMissing, const std::function<void(YamlKeys&)>& read);

} // namespace hw
