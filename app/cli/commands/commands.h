// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

/// One function per command, each in a file of its own.
namespace hw::cli {

void addTemplates(Session& session);
void addNew(Session& session);
void addEdit(Session& session);
void addReport(Session& session);
void addCheck(Session& session);
void addBom(Session& session);
void addCables(Session& session);
void addList(Session& session);
void addSize(Session& session);
void addCompare(Session& session);
void addCost(Session& session);
void addYear(Session& session);
void addFeeders(Session& session);
void addLifeCycle(Session& session);
void addDemand(Session& session);
void addSolve(Session& session);
void addSimulate(Session& session);
void addScenarios(Session& session);
void addResults(Session& session);
void addRules(Session& session);
void addRender(Session& session);
void addLayout(Session& session);
void addImpact(Session& session);
void addHydraulics(Session& session);
void addCoolant(Session& session);
void addLive(Session& session);
void addReplay(Session& session);
void addImport(Session& session);
void addExplore(Session& session);
void addExport(Session& session);
void addBindings(Session& session);
void addEmulate(Session& session);
void addSettings(Session& session);
void addAsBuilt(Session& session);
void addAcceptance(Session& session);
void addAir(Session& session);
void addHandover(Session& session);
void addInterconnects(Session& session);
void addIsolate(Session& session);
void addJobs(Session& session);
void addPredict(Session& session);
void addTickets(Session& session);

} // namespace hw::cli
