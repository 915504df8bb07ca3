// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/rules/check.h"
#include "core/output/document/report_document.h"
#include "core/output/report/report.h"

namespace hw::document {

/// What the sections are made from. Borrowed while the document is made.
struct Input {
    const Figures& figures;
    const Report& report;
    const Bom& bom;
    const CheckResult& findings;
    [[nodiscard]] const Snapshot& snapshot() const { return *figures.snapshot; }
    [[nodiscard]] const ProjectParts& parts() const { return *figures.parts; }
};

/// Racks with the same things at the same heights.
struct RackType {
    RackId first; ///< by row and place
    std::int64_t count = 0;
    std::vector<RackId> like; ///< all of them, `first` included
};
/// Every distinct rack, the most frequent first; empty racks are one type per kind of cabinet.
[[nodiscard]] std::vector<RackType> distinctRacks(const Figures& figures);

// The sections, in the order of the document.
[[nodiscard]] Tiles keyFigures(const Input& in);
[[nodiscard]] Section summarySection(const Input& in);
void addBudgets(const Input& in, std::vector<Section>& sections);
[[nodiscard]] Section yearSection(const Input& in);    ///< a part of the budgets
[[nodiscard]] Section feedersSection(const Input& in); ///< a part of the budgets
void addNetworks(const Input& in, std::vector<Section>& sections);
void addDrawings(const Input& in, std::vector<Section>& sections);
void addRacks(const Input& in, std::vector<Section>& sections);
void addFindings(const Input& in, std::vector<Section>& sections);
void addBill(const Input& in, std::vector<Section>& sections);
void addTrust(const Input& in, std::vector<Section>& sections);

} // namespace hw::document
