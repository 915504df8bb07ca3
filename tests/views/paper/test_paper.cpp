// SPDX-License-Identifier: GPL-3.0-or-later
// The report on paper: pages, contents and bookmarks of the PDF, and an HTML twin that is well formed.
#include <QObject> // before core's headers: moc cannot read <compare> as the very first one

#include "core/design/template/template.h"
#include "views/paper/figure_painter.h"
#include "views/paper/page_flow.h"
#include "views/paper/paper.h"
#include "views/paper/pdf_marks.h"
#include "views/paper/slim_svg.h"
#include "views/style/theme.h"

#include <QApplication>
#include <QHashSeed>
#include <QPrinter>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

using namespace hw;
using namespace hw::views;

namespace {

/// A German one of the longest sort, without a blank to break it at.
const std::string kLong = "Hauptstromversorgungsschaltanlagengebäudeerweiterungsbauabschnittskoordinationsbüroaußenstelle Nordnordost";

} // namespace

class TestPaper : public QObject {
    Q_OBJECT

    FiguresPtr m_small, m_empty;
    document::ReportDocument m_dossier;

    static document::ReportDocument dossierOf(const FiguresPtr& figures)
    {
        auto made = document::makeReportDocument(figures, {figures->snapshot->setting("project.name"), 12, "2023-11-14"});
        if (!made) qFatal("%s", made.error().text().c_str());
        return std::move(*made);
    }

    static int pagesOf(const QByteArray& pdf) { return int(pdf.count("/Type /Page\n")); }

    /// Texts page by page; empty where this machine has no pdftotext.
    static QStringList textsOf(const QByteArray& pdf)
    {
        const QString program = QStandardPaths::findExecutable("pdftotext");
        if (program.isEmpty()) return {};
        QProcess process;
        process.start(program, {"-layout", "-enc", "UTF-8", "-", "-"});
        process.write(pdf);
        process.closeWriteChannel();
        process.waitForFinished(60'000);
        return QString::fromUtf8(process.readAllStandardOutput()).split('\f');
    }

private slots:
    void initTestCase()
    {
        QHashSeed::setDeterministicGlobalSeed();
        applyTheme(*qobject_cast<QApplication*>(QApplication::instance()), ThemeKind::Dark); // paper is light nevertheless
        const auto catalog = Catalog::load(HW_RESOURCES "/catalog");
        const auto design = Template::load(HW_RESOURCES "/templates/hpn.yaml");
        const auto made = instantiate(*design, *design->complete(std::map<std::string, std::string>{{"segments", "1"}}), *catalog);
        auto snapshot = std::make_shared<Snapshot>(**made);
        snapshot->putSetting("project.name", kLong);
        m_small = *computeFigures(snapshot);
        m_empty = *computeFigures(std::make_shared<const Snapshot>());
        m_dossier = dossierOf(m_small);
    }

    void pdf_data()
    {
        QTest::addColumn<bool>("empty");
        QTest::addColumn<int>("size");
        QTest::newRow("small, A4") << false << int(PaperSize::A4);
        QTest::newRow("small, letter") << false << int(PaperSize::Letter);
        QTest::newRow("empty") << true << int(PaperSize::A4);
    }

    void pdf()
    {
        QFETCH(bool, empty);
        QFETCH(int, size);
        const document::ReportDocument d = empty ? dossierOf(m_empty) : m_dossier;
        const auto pdf = makePdf(d, {PaperSize(size), {}});
        QVERIFY(pdf.has_value());
        QVERIFY(pdf->startsWith("%PDF-1.") && pdf->endsWith("%%EOF\n"));
        QVERIFY(pdf->contains("D:20231114000000Z"));
        const int pages = pagesOf(*pdf);
        QVERIFY2(pages > (empty ? 8 : 20) && pages < 120, qPrintable(QString::number(pages)));
        QVERIFY(pdf->contains(size == int(PaperSize::A4) ? "/MediaBox [0 0 595" : "/MediaBox [0 0 612"));
        QCOMPARE(int(pdf->count("/Type /Outlines")), 1);
        QCOMPARE(int(pdf->count("/Parent ") - pages), int(d.sections.size()) + 1); // and the contents; pages have a parent too
        QVERIFY(int(pdf->count("/Subtype /Link")) >= int(d.sections.size()));
        QCOMPARE(*makePdf(d, {PaperSize(size), {}}), *pdf); // the same bytes
    }

    /// A printer gets the pages of the PDF, lying ones too.
    void onAPrinter()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath("printed.pdf");
        {
            QPrinter printer(QPrinter::HighResolution);
            printer.setOutputFileName(file);
            printer.setFullPage(true);
            QVERIFY(printPages(m_dossier, {PaperSize::Letter, {}}, printer).has_value());
        }
        QFile printed(file);
        QVERIFY(printed.open(QIODevice::ReadOnly));
        const QByteArray bytes = printed.readAll(), pdf = *makePdf(m_dossier, {PaperSize::Letter, {}});
        QCOMPARE(pagesOf(bytes), pagesOf(pdf));
        QVERIFY(pagesOf(pdf) > 20);
        for (const char* box : {"/MediaBox [0 0 612", "/MediaBox [0 0 792"}) QCOMPARE(bytes.count(box), pdf.count(box));
        const QStringList seen = textsOf(bytes), meant = textsOf(pdf);
        if (meant.isEmpty()) QSKIP("no pdftotext");
        QCOMPARE(seen.size(), meant.size());
        for (int i = 0; i < meant.size(); ++i) QCOMPARE(seen[i].simplified(), meant[i].simplified());

        QPrinter nowhere;
        nowhere.setOutputFileName("/nonexistent/printed.pdf");
        QCOMPARE(int(printPages(m_dossier, {}, nowhere).error().code), int(ErrorCode::Unreadable));
    }

    /// The page that the contents name is the one where the section's title stands.
    void contentsTellTheTruth()
    {
        const auto pdf = makePdf(m_dossier, {});
        const QStringList pages = textsOf(*pdf);
        if (pages.isEmpty()) QSKIP("no pdftotext");
        int found = 0;
        static const QRegularExpression entry("^\\s*(\\S.*?)\\s{2,}(\\d+)\\s*$");
        for (const QString& line : pages[1].split('\n')) {
            const auto match = entry.match(line);
            if (!match.hasMatch() || match.captured(1) == "/" || line.contains(" / ")) continue;
            const int page = match.captured(2).toInt();
            QVERIFY(page >= 3 && page < pages.size() + 1);
            QVERIFY2(pages[page - 1].contains(match.captured(1)), qPrintable(line));
            ++found;
        }
        QVERIFY2(found > 12, qPrintable(QString::number(found)));
        for (int i = 0; i + 1 < pages.size(); ++i) {
            QVERIFY2(pages[i].contains(QString("%1 / %2").arg(i + 1).arg(pages.size() - 1)), qPrintable(QString::number(i + 1)));
            QVERIFY(pages[i].contains("revision 12") && pages[i].contains("2023-11-14"));
        }
        QVERIFY(pages.join(' ').contains("Bisection"));
    }

    /// Nothing of a table stands beyond the body, however long its words, and its head is on every sheet.
    void tablesBreakOverSheets()
    {
        const PaperScope paper;
        document::Table table;
        table.columns = {{verbatim("Name")}, {verbatim("Number"), 1, true}, {verbatim("Words"), 2}};
        for (int i = 0; i < 150; ++i) table.rows.push_back({{verbatim(kLong), verbatim("1,234,567,890"), verbatim("short")}});
        paper::PageFlow flow(PaperSize::A4);
        flow.startSheet(false);
        paper::layOutTable(flow, table);
        QVERIFY(flow.sheets().size() > 2);
        QVERIFY(flow.y() <= flow.body().bottom() + 0.5);
        for (const auto& sheet : flow.sheets()) QVERIFY(sheet.marks.size() > 2);
    }

    void wrapping()
    {
        const PaperScope paper;
        const QFont font = paper::face(12);
        const auto wrapped = paper::wrap(QString::fromStdString(kLong + " " + kLong), font, 120);
        QVERIFY(wrapped.lines.size() > 4);
        for (const QString& line : wrapped.lines) QVERIFY(paper::widthOf(line, font) <= 121);
        const auto cut = paper::wrap(QString::fromStdString(kLong + " " + kLong), font, 120, 2);
        QCOMPARE(cut.lines.size(), 2);
        QVERIFY(cut.lines.back().endsWith(QChar(0x2026)));
        QCOMPARE(paper::wrap("one two", font, 500).lines, QStringList{"one two"});
    }

    void html_data()
    {
        QTest::addColumn<bool>("empty");
        QTest::newRow("small") << false;
        QTest::newRow("empty") << true;
    }

    /// One file, well formed, with every section, and nothing from elsewhere.
    void html()
    {
        QFETCH(bool, empty);
        const document::ReportDocument d = empty ? dossierOf(m_empty) : m_dossier;
        QImage twin(64, 40, QImage::Format_RGB32);
        twin.fill(Qt::blue);
        const auto html = makeHtml(d, {PaperSize::A4, twin});
        QVERIFY(html.has_value());
        QXmlStreamReader reader(*html);
        QSet<QString> ids, targets;
        int drawings = 0, images = 0;
        while (!reader.atEnd()) {
            if (reader.readNext() != QXmlStreamReader::StartElement) continue;
            const auto attributes = reader.attributes();
            if (attributes.hasAttribute("id")) {
                const QString id = attributes.value("id").toString();
                QVERIFY2(!ids.contains(id), qPrintable(id));
                ids.insert(id);
            }
            const QString target = attributes.value("href").toString();
            if (target.startsWith('#')) targets.insert(target.mid(1));
            if (const QString source = attributes.value("src").toString(); !source.isEmpty()) QVERIFY(source.startsWith("data:image/png;base64,"));
            drawings += reader.name() == u"svg";
            images += reader.name() == u"image";
        }
        QVERIFY2(!reader.hasError(), qPrintable(QString("%1 at line %2").arg(reader.errorString()).arg(reader.lineNumber())));
        QCOMPARE(images, 0); // drawings are lines
        QVERIFY(empty ? drawings == 0 : drawings > 6);
        for (const auto& section : d.sections) {
            QVERIFY(ids.contains(QString::fromStdString(section.anchor)));
            QVERIFY(targets.contains(QString::fromStdString(section.anchor)));
        }
    }

    /// Groups without content go; those that look alike share a class, whatever drawing they are of.
    void slimDrawings()
    {
        paper::SlimSvg slim;
        const QString one = slim.slim("<svg><g fill=\"#fff\" transform=\"matrix(1,0,0,1,0,0)\" font-size=\"10\"><rect/></g><g fill=\"none\"><g "
                                      "stroke=\"red\">\n</g>\n</g></svg>");
        QCOMPARE(one, QString("<svg><g class=\"q1\"><rect/></g></svg>"));
        QCOMPARE(slim.slim("<g fill=\"#fff\" font-size=\"10\" transform=\"matrix(2,0,0,2,0,0)\" clip-path=\"url(#a)\"><path d=\"M0,0\"/></g>"),
                 QString("<g class=\"q1\" transform=\"matrix(2,0,0,2,0,0)\" clip-path=\"url(#a)\"><path d=\"M0,0\"/></g>"));
        QCOMPARE(slim.rules(), QString(".q1{fill:#fff;font-size:10px;}\n"));
    }

    void stopped()
    {
        std::stop_source source;
        source.request_stop();
        for (const auto& made : {makePdf(m_dossier, {}, {source.get_token(), {}}), makeHtml(m_dossier, {}, {source.get_token(), {}})}) {
            QVERIFY(!made.has_value());
            QCOMPARE(made.error().code, ErrorCode::Canceled);
        }
    }

    /// What is no PDF of the expected form stays as it is.
    void marksOfSomethingElse()
    {
        QCOMPARE(paper::withMarks("no PDF", {{"a", 1, 0, 0}}, {}, 0), QByteArray("no PDF"));
        const auto pdf = makePdf(m_dossier, {});
        QCOMPARE(paper::withMarks(*pdf, {{"a", 1, 4000, 0}}, {}, QDate(2023, 11, 14).startOfDay(Qt::UTC).toSecsSinceEpoch()),
                 *pdf); // a page that is not there
    }
};

QTEST_MAIN(TestPaper)
#include "test_paper.moc"
