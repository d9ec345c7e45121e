// SPDX-License-Identifier: GPL-3.0-or-later
// tacet-app: reads the command line, starts at most once a session.
#include "gui/application.h"
#include "gui/common/statusicons.h"
#include "gui/singleinstance.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QLibraryInfo>
#include <QTranslator>
#include <QUrl>

#include <cstdio>

using namespace Qt::StringLiterals;

namespace {

void loadTranslations(QApplication &app)
{
    auto *qt = new QTranslator(&app);
    if (qt->load(QLocale(), u"qtbase"_s, u"_"_s, QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        app.installTranslator(qt);
    // English too is loaded: its file holds the plurals.
    auto *own = new QTranslator(&app);
    if (own->load(QLocale(), u"tacet"_s, u"_"_s, u":/translations"_s) || own->load(u":/translations/tacet_en.qm"_s))
        app.installTranslator(own);
}

QDBusConnection daemonBus()
{
    // Tests put the daemon on a private bus.
    return qEnvironmentVariable("TACET_BUS") == "session"_L1 ? QDBusConnection::sessionBus() : QDBusConnection::systemBus();
}

// File managers give paths or URLs; relative ones mean the folder of this process, not of the one that runs already.
QStringList absolutePaths(const QStringList &arguments)
{
    QStringList paths;
    for (const QString &argument : arguments) {
        const QUrl url(argument);
        paths.append(url.isLocalFile() ? url.toLocalFile() : QFileInfo(argument).absoluteFilePath());
    }
    return paths;
}

} // namespace

int main(int argc, char *argv[])
{
    QApplication app(argc, argv);
    QApplication::setOrganizationName(u"tacet"_s);
    QApplication::setApplicationName(u"tacet-app"_s);
    QApplication::setApplicationVersion(QStringLiteral(TACET_VERSION));
    QApplication::setDesktopFileName(u"org.tacet.App"_s);
    QApplication::setQuitOnLastWindowClosed(false);
    QApplication::setWindowIcon(Tacet::appIcon());
    loadTranslations(app);

    QCommandLineParser parser;
    parser.setApplicationDescription(QApplication::translate("main", "The window program of Tacet."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QString pages = Tacet::Application::pageNames().join(u'|');
    const QCommandLineOption show(u"show"_s, QApplication::translate("main", "Show a page: %1.").arg(pages), pages);
    const QCommandLineOption background(u"background"_s, QApplication::translate("main", "Start without a window."));
    parser.addOption(show);
    parser.addOption(background);
    const QCommandLineOption privately(
        u"run-privately"_s,
        QApplication::translate("main", "Open the files, or run the programs, in private sessions; without any, choose one."));
    parser.addOption(privately);
    parser.addPositionalArgument(u"files"_s, QApplication::translate("main", "What to open privately."), u"[FILE...]"_s);
    parser.process(app);
    const QStringList files = absolutePaths(parser.positionalArguments());
    if (!files.isEmpty() && !parser.isSet(privately)) {
        std::fprintf(stderr, "%s\n", qPrintable(QApplication::translate("main", "files are for --run-privately only")));
        return 2;
    }
    if (parser.isSet(show) && !Tacet::Application::pageNames().contains(parser.value(show))) {
        std::fprintf(stderr, "%s\n", qPrintable(QApplication::translate("main", "--show takes one of %1").arg(pages)));
        return 2;
    }

    Tacet::SingleInstance instance(QDBusConnection::sessionBus());
    if (!instance.acquire()) {
        if (parser.isSet(privately))
            instance.forwardPrivate(files);
        else if (!parser.isSet(background))
            instance.forward(parser.value(show));
        return 0;
    }
    Tacet::Application application(daemonBus(), QDBusConnection::sessionBus());
    QObject::connect(&instance, &Tacet::SingleInstance::activated, &application, &Tacet::Application::show);
    QObject::connect(&instance, &Tacet::SingleInstance::privateRequested, &application, &Tacet::Application::runPrivately);
    application.start();
    if (parser.isSet(privately))
        application.runPrivately(files);
    else if (!parser.isSet(background))
        application.show(parser.value(show));
    return QApplication::exec();
}
