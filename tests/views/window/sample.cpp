// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample.h"

#include <QTemporaryDir>

#include <stdexcept>

namespace hw::test {

void keepSettingsApart()
{
    if (!qEnvironmentVariableIsEmpty("HALLWRIGHT_SETTINGS")) return;
    static const QTemporaryDir folder;
    qputenv("HALLWRIGHT_SETTINGS", folder.path().toUtf8());
}

Sample makeSample(std::int64_t segments)
{
    keepSettingsApart();
    const auto need = [](auto result) {
        if (!result) throw std::runtime_error(result.error().text());
        return std::move(*result);
    };
    Sample sample;
    sample.library = need(app::Library::load());
    const Template& design = *sample.library.find("hpn");
    sample.snapshot = need(instantiate(design, need(design.complete(ParameterValues{{"segments", segments}})), *sample.library.catalog));
    sample.figures = need(computeFigures(sample.snapshot));
    return sample;
}

} // namespace hw::test
