// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/formats.h"

namespace hw::exchange {

/// A format that can go to a server instead of a file: where the choice `kServerOption` is given, `send` takes the place of `write`.
class RemoteExporter : public Exporter {
public:
    static constexpr const char* kServerOption = "url";
    struct Outcome {
        Text report;
        bool done = true; ///< false: something was refused or conflicts; the report says what
    };
    [[nodiscard]] virtual Result<Outcome> send(const ExportJob& job, const Progress& progress) const = 0;
};

} // namespace hw::exchange
