// SPDX-License-Identifier: GPL-3.0-or-later
// tacet-app: reads the command line, starts at most once a session.
#include "gui/application.h"
#include "gui/singleinstance.h"
#include "gui/statusicons.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QLibraryInfo>
#include <QTranslator>

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
    parser.process(app);
    if (parser.isSet(show) && !Tacet::Application::pageNames().contains(parser.value(show))) {
        std::fprintf(stderr, "%s\n", qPrintable(QApplication::translate("main", "--show takes one of %1").arg(pages)));
        return 2;
    }

    Tacet::SingleInstance instance(QDBusConnection::sessionBus());
    if (!instance.acquire()) {
        if (!parser.isSet(background))
            instance.forward(parser.value(show));
        return 0;
    }
    Tacet::Application application(daemonBus(), QDBusConnection::sessionBus());
    QObject::connect(&instance, &Tacet::SingleInstance::activated, &application, &Tacet::Application::show);
    application.start();
    if (!parser.isSet(background))
        application.show(parser.value(show));
    return QApplication::exec();
}
