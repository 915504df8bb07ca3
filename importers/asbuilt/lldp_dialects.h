// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace hw::importers {

struct LldpNeighbour {
    std::string localPort, name, id, port; ///< id: chassis MAC as the design writes it, empty where it is of another kind
};
struct LldpFile {
    std::string localName, localId; ///< of "local-chassis", where it is there
    bool onlyChassis = false;
    bool mayGoOn = false; ///< it ends before it says that it does, or says that there are more
    std::vector<LldpNeighbour> neighbours;
    std::vector<Error> left; ///< neighbours that could not be read, with their place
};

/// Any of the JSON dialects; which one shows in its keys. Errors: Unreadable with file and key.
[[nodiscard]] Result<void> readLldpJson(const nlohmann::json& json, const std::string& file, LldpFile& out);

/// `show lldp table` of SONiC: columns under a line of dashes.
[[nodiscard]] bool isSonicTable(std::string_view text);
[[nodiscard]] Result<void> readSonicTable(std::string_view text, const std::string& file, LldpFile& out);

} // namespace hw::importers
