// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

#include <yaml-cpp/yaml.h>

namespace hw {

/// A template file as YAML, with everything that it extends merged in.
struct YamlSource {
    YAML::Node root;
    std::string text; ///< that gives `root` again: as it was read, or the merged YAML
};

/// Reads a template and what it extends (grammar: resources/templates/README.md, "One template from another").
/// Throws TemplateFailure.
[[nodiscard]] YamlSource readYaml(const std::string& yaml, const std::string& where, const std::filesystem::path& folder);

/// The file that a node came from; empty for the file that was read first.
[[nodiscard]] std::string fileOf(const YAML::Node& node);

} // namespace hw
