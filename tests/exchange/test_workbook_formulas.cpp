// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/output/exchange/bom.h"
#include "tests/money/small_design.h"

#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <cmath>

using namespace hw;

namespace {

/// A sheet as a spreadsheet program reads it: values by cell, formulas apart.
struct Sheet {
    std::map<QString, double> numbers;
    std::map<QString, QString> texts, formulas;
};

QByteArray member(const QString& file, const char* name)
{
    QProcess process;
    process.start("python3", {"-c", "import zipfile,sys;sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))", file, name});
    process.waitForFinished(-1);
    return process.readAllStandardOutput();
}

QStringList sharedTexts(const QString& file)
{
    QStringList out;
    QXmlStreamReader xml(member(file, "xl/sharedStrings.xml"));
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("t")) out << xml.readElementText();
    return out;
}

Sheet readSheet(const QString& file, const char* name, const QStringList& shared)
{
    Sheet sheet;
    QString cell, type;
    QXmlStreamReader xml(member(file, name));
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) continue;
        if (xml.name() == QLatin1String("c")) cell = xml.attributes().value("r").toString(), type = xml.attributes().value("t").toString();
        if (xml.name() == QLatin1String("f")) sheet.formulas[cell] = xml.readElementText();
        if (xml.name() == QLatin1String("t")) sheet.texts[cell] = xml.readElementText();
        if (xml.name() != QLatin1String("v")) continue;
        const QString value = xml.readElementText();
        if (type == "s")
            sheet.texts[cell] = shared.value(value.toInt());
        else if (type == "str")
            sheet.texts[cell] = value;
        else
            sheet.numbers[cell] = value.toDouble();
    }
    return sheet;
}

/// The formulas that a bill of materials is written with, worked out from the other cells.
class Evaluator {
public:
    Evaluator(const Sheet& here, const Sheet& parts) : m_here(here), m_parts(parts) {}

    double of(QString formula) const
    {
        formula = formula.trimmed();
        if (formula.startsWith('=')) formula.remove(0, 1);
        static const QRegularExpression product("^([A-Z]+\\d+)\\*([A-Z]+\\d+)$"), sum("^SUM\\(('Parts'!)?([A-Z]+)(\\d+):([A-Z]+)(\\d+)\\)$"),
            sumIf("^SUMIF\\('Parts'!([A-Z]+)(\\d+):[A-Z]+(\\d+),(\"[^\"]*\"|[A-Z]+\\d+),'Parts'!([A-Z]+)\\d+:[A-Z]+\\d+\\)$"),
            share("^IF\\((SUM\\([^)]*\\))-(SUMIF\\([^)]*\\))=0,0,(SUMIF\\([^)]*\\))/\\(\\1-\\2\\)\\)$");
        if (const auto m = product.match(formula); m.hasMatch()) return number(m_here, m.captured(1)) * number(m_here, m.captured(2));
        if (const auto m = sum.match(formula); m.hasMatch()) {
            double total = 0;
            for (int row = m.captured(3).toInt(); row <= m.captured(5).toInt(); ++row)
                total += number(m.captured(1).isEmpty() ? m_here : m_parts, m.captured(2) + QString::number(row));
            return total;
        }
        if (const auto m = sumIf.match(formula); m.hasMatch()) {
            const QString what = m.captured(4).startsWith('"') ? m.captured(4).mid(1, m.captured(4).size() - 2) : text(m_here, m.captured(4));
            double total = 0;
            for (int row = m.captured(2).toInt(); row <= m.captured(3).toInt(); ++row)
                if (text(m_parts, m.captured(1) + QString::number(row)) == what) total += number(m_parts, m.captured(5) + QString::number(row));
            return total;
        }
        if (const auto m = share.match(formula); m.hasMatch())
            return of(m.captured(1)) - of(m.captured(2)) == 0 ? 0 : of(m.captured(3)) / (of(m.captured(1)) - of(m.captured(2)));
        return std::nan("");
    }

private:
    static double number(const Sheet& sheet, const QString& cell)
    {
        const auto found = sheet.numbers.find(cell);
        return found == sheet.numbers.end() ? 0 : found->second;
    }
    static QString text(const Sheet& sheet, const QString& cell)
    {
        const auto found = sheet.texts.find(cell);
        return found == sheet.texts.end() ? QString() : found->second;
    }
    const Sheet &m_here, &m_parts;
};

} // namespace

/// A spreadsheet program that recalculates the bill finds what the file says.
class WorkbookFormulasTest : public QObject {
    Q_OBJECT
private slots:
    void formulasGiveWhatIsWritten_data()
    {
        QTest::addColumn<QString>("tax");
        QTest::newRow("goods alone") << "";
        QTest::newRow("with tax") << "19";
    }
    void formulasGiveWhatIsWritten()
    {
        QFETCH(QString, tax);
        auto s = std::make_shared<Snapshot>(*oneSegment());
        if (!tax.isEmpty()) s->putSetting("cost.tax_percent", tax.toStdString());
        const Bom bom = makeBom(*figuresFor(s));
        QTemporaryDir folder;
        const QString file = folder.filePath("bom.xlsx");
        QVERIFY(writeBom(bom, file.toStdString(), "pod").has_value());
        const QStringList shared = sharedTexts(file);
        const Sheet summary = readSheet(file, "xl/worksheets/sheet1.xml", shared), parts = readSheet(file, "xl/worksheets/sheet2.xml", shared);
        QVERIFY(summary.formulas.size() >= 9 && parts.formulas.size() == bom.lines.size() + 1);
        for (const Sheet* sheet : {&summary, &parts})
            for (const auto& [cell, formula] : sheet->formulas) {
                const double is = Evaluator(*sheet, parts).of(formula), written = sheet->numbers.at(cell);
                QVERIFY2(std::abs(is - written) <= 1e-6 * std::max(1.0, std::abs(written)),
                         qPrintable(QString("%1 %2: %3, written %4").arg(cell, formula).arg(is, 0, 'f', 6).arg(written, 0, 'f', 6)));
            }
    }
};

QTEST_GUILESS_MAIN(WorkbookFormulasTest)
#include "test_workbook_formulas.moc"
