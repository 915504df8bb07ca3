// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/template/template.h"
#include "tests/template/small_templates.h"

#include <QtTest>

#include <filesystem>

using namespace hw;

namespace {

using Given = std::map<std::string, std::string>;

/// As few units and pods as a template allows, that a test takes seconds.
Given least(const Template& design, Given given)
{
    for (const auto& p : design.spec().parameters)
        if ((p.name == "segments" || p.name == "last_segments" || p.name == "pods") && !given.contains(p.name))
            given[p.name] = std::to_string(p.minimum);
    return given;
}

/// The errors of a design that no waiver accepts.
std::string errorsOf(const SnapshotPtr& design)
{
    std::string out;
    const auto figures = computeFigures(design).value();
    const auto result = check(*figures).value();
    for (const Finding& f : result.findings)
        if (f.severity == Severity::Error && !f.waived) out += f.rule + ": " + words(f.message) + " [" + f.id + "]\n";
    return out;
}

SnapshotPtr generated(const Template& design, const Given& given)
{
    const auto values = design.complete(given);
    if (!values) qFatal("%s", values.error().text().c_str());
    auto made = instantiate(design, *values, test::catalog());
    if (!made) qFatal("%s", made.error().text().c_str());
    return *made;
}

} // namespace

/// What the templates make has no errors by their own program's rules, but what a template accepts with a reason.
class TestOwnCheck : public QObject {
    Q_OBJECT
private slots:
    void everyTemplate_data()
    {
        QTest::addColumn<QString>("name");
        for (const auto& entry : std::filesystem::directory_iterator(HW_RESOURCES "/templates"))
            if (entry.path().extension() == ".yaml")
                QTest::newRow(entry.path().stem().string().c_str()) << QString::fromStdString(entry.path().stem().string());
    }
    void everyTemplate()
    {
        QFETCH(QString, name);
        const auto design = Template::load(HW_RESOURCES "/templates/" + name.toStdString() + ".yaml").value();
        QCOMPARE(errorsOf(generated(design, least(design, {}))), std::string());
    }

    /// Servers whose hardware or power differs from the default's, other servers' coolant, plants of other kinds.
    void variants_data()
    {
        QTest::addColumn<QString>("base");
        QTest::addColumn<QString>("layout");
        QTest::addColumn<QString>("choices"); // a=b c=d
        const auto row = [](const char* label, const char* base, const char* layout, const char* choices) {
            QTest::newRow(label) << QString(base) << QString(layout) << QString(choices);
        };
        row("supplies 5 + 1", "rail-optimized-2", "", "segments=2 server=hgx-b200 networks=backend");
        row("gb300", "multi-plane", "", "segments=1 server=gb300-nvl72 switch=102t-64x1600g");
        row("water-cooled chillers", "nvl72", "chiller: chiller-water-1500kw", "segments=2");
        row("pumps of several loops", "nvl72", "facility_pump: pump-fws-100ls", "segments=4");
        row("n+1", "rail-optimized-2", "redundancy: n+1", "segments=2");
        row("block", "rail-optimized-2", "redundancy: block", "segments=2");
        row("distributed", "rail-optimized-2", "redundancy: distributed", "segments=4");
    }
    void variants()
    {
        QFETCH(QString, base);
        QFETCH(QString, layout);
        QFETCH(QString, choices);
        const std::string extra = layout.isEmpty() ? std::string() : "layout: {" + layout.toStdString() + "}\n";
        const auto design =
            Template::parse("template: t\nextends: " + base.toStdString() + "\n" + extra, "t.yaml", HW_RESOURCES "/templates").value();
        Given given;
        for (const QString& choice : choices.split(' ')) given[choice.section('=', 0, 0).toStdString()] = choice.section('=', 1).toStdString();
        QCOMPARE(errorsOf(generated(design, least(design, given))), std::string());
    }
};

QTEST_GUILESS_MAIN(TestOwnCheck)
#include "test_own_check.moc"
