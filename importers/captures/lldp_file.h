// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "importers/captures/terminal.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace hw::importers {

struct LldpNeighbor {
    std::string localPort, name, id, port; ///< id: chassis MAC as the design writes it, empty where it is of another kind
    std::string device{};                  ///< that the row or the prompt names; empty: neither does
    bool inRow = false;                    ///< the row names it (NetQ, SuzieQ: all devices in one file)
    friend bool operator==(const LldpNeighbor&, const LldpNeighbor&) = default;
};
struct LldpFile {
    std::string localName, localId; ///< of "local-chassis", where it is there
    bool onlyChassis = false;
    bool mayGoOn = false; ///< it ends before it says that it does, or says that there are more
    std::vector<LldpNeighbor> neighbors;
    std::vector<std::string> looked; ///< devices whose neighbors were asked for, by their prompts; "": not named
    std::vector<Error> left;         ///< neighbors that could not be read, with their place
};

/// Whether a file has neighbors in any dialect: lldpd (XML, key and value, text, JSON), NX-OS, EOS, Junos (text, XML), SONiC, NVUE, NetQ, SuzieQ.
[[nodiscard]] bool isLldp(std::string_view content);
/// Reads them; dialects show in their content. What was cut off, or stands otherwise than its dialect has it, is left out and not made up.
/// Errors: Unreadable with file and line or key.
[[nodiscard]] Result<void> readLldp(std::string_view content, const std::string& file, LldpFile& out);

/// Any of the JSON dialects; which one shows in its keys. Errors: Unreadable with file and key.
[[nodiscard]] Result<void> readLldpJson(const nlohmann::json& json, const std::string& file, LldpFile& out);

/// The dialects of text and XML, one command's output each. `isLldp…`: whether the lines are such; the readers leave out what they do not know.
[[nodiscard]] bool isLldpTable(const TerminalPart& part);
void readLldpTable(const TerminalPart& part, const std::string& file, LldpFile& out);
[[nodiscard]] bool isLldpBlocks(const TerminalPart& part);
void readLldpBlocks(const TerminalPart& part, const std::string& file, LldpFile& out);
[[nodiscard]] bool isLldpXml(std::string_view text);
[[nodiscard]] Result<void> readLldpXml(std::string_view text, const std::string& file, LldpFile& out);

/// The name of a far port from its id and description: interface names stand; a MAC address, or a number that the far device gave locally, is
/// replaced by the description where there is one.
[[nodiscard]] std::string lldpPort(std::string_view type, const std::string& id, const std::string& description);
[[nodiscard]] bool sameWord(std::string_view a, std::string_view b); ///< case does not count
[[nodiscard]] std::string oneBlank(std::string_view text);           ///< with one blank where there are several
[[nodiscard]] std::string lldpKey(std::string_view text);            ///< of a field or column: "Local Port id" is local_port_id
[[nodiscard]] Error leftOut(const std::string& where, Text what);    ///< of `LldpFile::left`

} // namespace hw::importers
