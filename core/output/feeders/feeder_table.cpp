// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/feeders/feeder_study.h"

#include "core/foundation/catalog/entity.h"

#include <cmath>

namespace hw {

PlainTable feederTable(const FeederStudy& study, const Figures& figures)
{
    PlainTable table;
    table.sheet = "feeders";
    for (const char* name : {"from", "to", "side", "kind", "conductor", "runs", "length_m", "volts", "load_kw", "worst_kw", "worst_a", "design_a",
                             "ampacity_a", "loss_w", "drop_percent", "drop_total_percent", "drop_path_percent"}) {
        const std::string_view column = name;
        table.columns.push_back({name, column == "from" || column == "to" || column == "conductor" ? 24.0 : 12.0});
    }
    table.rows = study.feeders.size();
    table.each = [&study, &figures](const PlainTable::Take& take) -> Result<void> {
        const Snapshot& s = *figures.snapshot;
        const auto fine = [](double value, double steps) { return PlainTable::Cell(std::round(value * steps) / steps); };
        for (const Feeder& f : study.feeders) {
            const std::vector<PlainTable::Cell> row{entityName(s, *figures.parts, ref(f.supplier)),
                                                    entityName(s, *figures.parts, ref(f.consumer)),
                                                    f.side ? std::string(1, f.side) : std::string(),
                                                    std::string(wordOf(f.size.kind)),
                                                    f.size.type ? s.partTypes.slug[*f.size.type] : std::string(),
                                                    double(f.size.runs),
                                                    f.meters,
                                                    fine(f.size.volts, 10),
                                                    fine(f.loadW / 1000, 1e3),
                                                    fine(f.worstW / 1000, 1e3),
                                                    fine(f.worstAmps, 10),
                                                    fine(double(f.size.needMa) / 1000, 10),
                                                    fine(double(f.size.carriesMa) / 1000, 10),
                                                    f.known ? fine(f.lossW, 10) : PlainTable::Cell(),
                                                    f.known ? fine(100 * f.dropShare, 1e3) : PlainTable::Cell(),
                                                    fine(100 * f.regulatedShare, 1e3),
                                                    fine(100 * f.pathShare, 1e3)};
            if (const auto taken = take(row); !taken) return taken;
        }
        return {};
    };
    return table;
}

} // namespace hw
