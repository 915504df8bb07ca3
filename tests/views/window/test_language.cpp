// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/base/language.h"
#include "views/style/catalog_translator.h"
#include "views/style/format.h"

#include <QFile>
#include <QLabel>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace hw;
using namespace hw::views;

class TestLanguage : public QObject {
    Q_OBJECT
private slots:
    /// tr() of the window and a Text of the core read one catalog.
    void windowAndCoreSpeakOneLanguage()
    {
        QTemporaryDir folder;
        QFile catalog(folder.filePath("one.po"));
        QVERIFY(catalog.open(QIODevice::WriteOnly));
        catalog.write("msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\nPlural-Forms: nplurals=2; plural=n != 1;\\n\"\n"
                      "msgid \"Budgets\"\nmsgstr \"⟦Budgets⟧\"\n"
                      "msgid \"Set %1 to %2\"\nmsgstr \"⟦%2 ← %1⟧\"\n"
                      "msgid \"{:L} rack\"\nmsgid_plural \"{:L} racks\"\nmsgstr[0] \"⟦{:L} rack⟧\"\nmsgstr[1] \"⟦{:L} racks⟧\"\n");
        catalog.close();
        QCOMPARE(QProcess::execute("msgfmt", {"-o", folder.filePath("xx.mo"), catalog.fileName()}), 0);
        qputenv("HALLWRIGHT_LANGUAGE", "xx_YY.UTF-8");
        qputenv("HALLWRIGHT_CATALOGS", folder.path().toUtf8());
        QCOMPARE(tr("Budgets"), QString("Budgets"));
        installLanguage();
        QCOMPARE(language().name(), std::string("xx"));
        QLabel label(tr("Budgets"));
        QCOMPARE(label.text(), QString("⟦Budgets⟧"));
        QCOMPARE(QObject::tr("Budgets"), label.text()); // whatever the context
        QCOMPARE(text(i18n("Budgets")), label.text());
        QCOMPARE(tr("Set %1 to %2").arg("pue", "1.3"), QString("⟦1.3 ← pue⟧"));
        QCOMPARE(text(i18np(1, "{:L} rack", "{:L} racks")), QString("⟦1 rack⟧"));
        QCOMPARE(text(i18np(1200, "{:L} rack", "{:L} racks")), QString("⟦1,200 racks⟧"));
        QCOMPARE(tr("in no catalog"), QString("in no catalog"));
        setLanguage({});
        QCOMPARE(tr("Budgets"), QString("Budgets"));
        QCOMPARE(words(i18n("Budgets")), std::string("Budgets"));
    }
};

QTEST_MAIN(TestLanguage)
#include "test_language.moc"
