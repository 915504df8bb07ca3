// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/asbuilt/compare_output.h"
#include "importers/formats.h"
#include "tests/asbuilt/built_hall.h"

/// Captures read as the program reads them.
namespace captures {

using namespace hw;
using namespace hw::asbuilt;
using exchange::ImportSource;

inline const exchange::Importer& importer(const char* name)
{
    static const auto formats = [] {
        auto all = std::make_unique<exchange::Formats>();
        importers::registerFormats(*all);
        return all;
    }();
    return **formats->importer(name);
}

inline ImportSource sample(const char* name, std::map<std::string, std::string> options = {})
{
    auto source = exchange::readSource(std::string(HW_TEST_DATA "/asbuilt/") + name).value();
    source.options = std::move(options);
    return source;
}

/// What a file says, on a design that has nothing.
inline std::vector<Sighting> read(const char* format, const std::vector<ImportSource>& sources)
{
    const auto plan = importer(format).planTogether(sources, std::make_shared<const Snapshot>(), {});
    return sightingsOf(*plan.value().after);
}

inline Error refused(const char* format, const char* name, const std::string& content)
{
    const ImportSource source{name, content, {}};
    const auto plan = importer(format).plan(source, std::make_shared<const Snapshot>(), {});
    return plan ? Error{ErrorCode::Fault, "accepted", {}, {}} : plan.error();
}

inline Comparison compareAfter(const BuiltHall& built, const char* format, const std::vector<ImportSource>& sources)
{
    const auto plan = importer(format).planTogether(sources, built.figures->snapshot, {}).value();
    return compareStored(figuresOf(plan.after).value()).value();
}

inline std::string shown(const BuiltHall& built, const Comparison& c) { return comparisonText(*built.figures, c); }

inline const std::map<std::string, std::string> kSmall = {{"segments", "1"}, {"tor_uplinks", "4"}, {"backup_hosts", "0"}};

} // namespace captures
