// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "importers/dxf/drawing.h"

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace hw::importers::dxf {

/// What the things on a layer are.
enum class Role { None, Room, Wall, Column, Door, Ramp, KeepOut };
inline constexpr Role kRoles[] = {Role::Room, Role::Wall, Role::Column, Role::Door, Role::Ramp, Role::KeepOut};
[[nodiscard]] const char* roleWord(Role role); ///< on the command line: "walls"

/// Whether a name is of a pattern in which * stands for anything; case does not count. `star`: what the first * stands for.
[[nodiscard]] bool matchesPattern(std::string_view pattern, std::string_view name, std::string* star = nullptr);

/// By the words of a name that are usual for it: "A-WALL", "S-COLS", "Türen".
[[nodiscard]] Role usualRole(const std::string& name);

/// The role of every layer of a drawing: stated, else by its name.
class Roles {
public:
    /// `stated`: "walls=A-WALL,columns=S-COLS*,doors="; a role that is named there is looked for nowhere else. `hidden`: those of the layers
    /// that have a role only where it is stated. Errors: Refused.
    [[nodiscard]] static Result<Roles> of(const std::string& stated, const std::set<std::string>& layers, const std::set<std::string>& hidden = {});
    /// Of a shape: its layer's, else that of its block's name.
    [[nodiscard]] Role of(const Shape& shape) const;
    [[nodiscard]] const std::map<std::string, Role>& layers() const { return m_layers; }
    [[nodiscard]] bool stated(const std::string& layer) const { return m_layers.contains(layer) && !m_guessed.contains(layer); }
    [[nodiscard]] bool guessed(const std::string& layer) const { return m_guessed.contains(layer); }

private:
    std::map<std::string, Role> m_layers;
    std::set<std::string> m_guessed;
    std::set<Role> m_stated;
};

} // namespace hw::importers::dxf
