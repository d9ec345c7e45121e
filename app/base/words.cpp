// SPDX-License-Identifier: GPL-3.0-or-later
#include "words.h"

#include "untrusted.h"

#include <QLocale>

#include <array>

using namespace Qt::StringLiterals;

namespace Tacet {

QString Words::verdict(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Block:
        return tr("Block");
    case Verdict::Allow:
        return tr("Allow");
    case Verdict::Scrub:
        return tr("Send scrubbed copy");
    case Verdict::Takeover:
        return tr("Continue on scrubbed data");
    case Verdict::Quit:
        return tr("Quit the app");
    }
    Q_UNREACHABLE_RETURN(QString());
}

QString Words::duration(Duration duration)
{
    switch (duration) {
    case Duration::Once:
        return tr("Once");
    case Duration::Process:
        return tr("Until the app quits");
    case Duration::Minutes15:
        return tr("For 15 minutes");
    case Duration::Hour:
        return tr("For 1 hour");
    case Duration::Reboot:
        return tr("Until the computer restarts");
    case Duration::Always:
        return tr("Always");
    }
    Q_UNREACHABLE_RETURN(QString());
}

QString Words::category(const QString &code)
{
    if (code == "mail"_L1)
        return tr("Mail");
    if (code == "finance"_L1)
        return tr("Finance");
    if (code == "keys"_L1)
        return tr("Keys and passwords");
    if (code == "photos"_L1)
        return tr("Photos");
    if (code == "health"_L1)
        return tr("Health");
    if (code == "custom"_L1)
        return tr("Other sensitive data");
    return shown(code, 40);
}

QString Words::categories(const QStringList &codes)
{
    QStringList names;
    for (const QString &code : codes)
        names.append(category(code));
    return QLocale().createSeparatedList(names);
}

QString Words::bytes(quint64 count)
{
    if (count < 1024)
        return tr("%n byte(s)", nullptr, int(count));
    return QLocale().formattedDataSize(qint64(count));
}

QString Words::error(const QString &name, const QString &message)
{
    struct Known {
        QLatin1StringView name;
        const char *words;
    };
    static constexpr std::array known{
        Known{"org.tacet.Error.NoSuchQuestion"_L1, QT_TR_NOOP("This question is no longer open.")},
        Known{"org.tacet.Error.InvalidVerdict"_L1, QT_TR_NOOP("The daemon does not accept this answer.")},
        Known{"org.tacet.Error.InvalidDuration"_L1, QT_TR_NOOP("The daemon does not accept this duration.")},
        Known{"org.tacet.Error.InvalidScope"_L1, QT_TR_NOOP("The daemon does not accept what this rule applies to.")},
        Known{"org.tacet.Error.NoSuchRule"_L1, QT_TR_NOOP("This rule does not exist any more.")},
        Known{"org.tacet.Error.NoSuchSession"_L1, QT_TR_NOOP("This private session is over.")},
        Known{"org.tacet.Error.NotFound"_L1, QT_TR_NOOP("The file does not exist.")},
        Known{"org.tacet.Error.NotRegular"_L1, QT_TR_NOOP("Only regular files can be marked, no folders or devices.")},
        Known{"org.tacet.Error.NotOwner"_L1, QT_TR_NOOP("The file belongs to another user.")},
        Known{"org.tacet.Error.NotLabelled"_L1, QT_TR_NOOP("The file is not marked.")},
        Known{"org.tacet.Error.TooMany"_L1, QT_TR_NOOP("These are too many at once.")},
        Known{"org.tacet.Error.NoXattr"_L1, QT_TR_NOOP("The file system of this file cannot keep marks.")},
        Known{"org.tacet.Error.ModuleAbsent"_L1, QT_TR_NOOP("The kernel module is not loaded.")},
        Known{"org.tacet.Error.DiskFull"_L1, QT_TR_NOOP("The disk is full.")},
        Known{"org.tacet.Error.StoreDamaged"_L1, QT_TR_NOOP("The daemon's database is damaged.")},
        Known{"org.freedesktop.DBus.Error.AccessDenied"_L1, QT_TR_NOOP("You are not permitted to do this.")},
        Known{"org.freedesktop.DBus.Error.NoReply"_L1, QT_TR_NOOP("The Tacet daemon did not answer.")},
        Known{"org.freedesktop.DBus.Error.ServiceUnknown"_L1, QT_TR_NOOP("The Tacet daemon is not running.")},
        Known{"org.freedesktop.DBus.Error.Disconnected"_L1, QT_TR_NOOP("The Tacet daemon is not running.")},
    };
    for (const Known &entry : known) {
        if (entry.name == name)
            return tr(entry.words);
    }
    if (!message.isEmpty())
        return shown(message, 300);
    return tr("The Tacet daemon reported an error: %1").arg(shown(name));
}

QString Words::protection(const QString &name)
{
    struct Known {
        QLatin1StringView name;
        const char *words;
    };
    static constexpr std::array known{
        Known{"labels"_L1, QT_TR_NOOP("recognising sensitive files")},
        Known{"interposition"_L1, QT_TR_NOOP("watching programs that read them")},
        Known{"doppelgangers"_L1, QT_TR_NOOP("comparing with a scrubbed run")},
        Known{"channels"_L1, QT_TR_NOOP("following data from program to program")},
        Known{"disclosure"_L1, QT_TR_NOOP("holding back sensitive data")},
        Known{"questions"_L1, QT_TR_NOOP("asking you")},
        Known{"shadow-files"_L1, QT_TR_NOOP("scrubbed copies of sensitive files")},
        Known{"private-memory"_L1, QT_TR_NOOP("clearing and guarding the memory of private programs")},
        Known{"private-swap"_L1, QT_TR_NOOP("keeping the memory of private programs off the disk")},
        Known{"kernel-memory"_L1, QT_TR_NOOP("clearing what the kernel frees")},
        Known{"host-names"_L1, QT_TR_NOOP("naming the hosts that data would go to")},
        Known{"lasting-rules"_L1, QT_TR_NOOP("keeping rules")},
        Known{"boot"_L1, QT_TR_NOOP("starting with the computer")},
    };
    for (const Known &entry : known) {
        if (entry.name == name)
            return tr(entry.words);
    }
    return shown(name, 60);
}

QString Words::protectionDetail(const QString &code)
{
    if (code == "module-absent"_L1)
        return tr("the kernel module is not loaded");
    if (code == "module-mismatch"_L1)
        return tr("the kernel module has another version");
    if (code == "module-busy"_L1)
        return tr("another program holds the kernel module");
    if (code == "feature-off"_L1)
        return tr("this kernel module cannot do it");
    if (code == "paused"_L1)
        return tr("paused");
    if (code == "no-agent"_L1)
        return tr("no window program is registered");
    if (code == "store-damaged"_L1)
        return tr("the daemon's database is damaged");
    if (code == "not-enabled"_L1)
        return tr("not switched on");
    if (code == "not-at-boot"_L1)
        return tr("the computer was started without init_on_free=1: restart it");
    if (code == "names-not-seen"_L1)
        return tr("the answers of the name servers are not seen: only hosts in /etc/hosts have names");
    if (code == "no-swap"_L1)
        return tr("this computer does not swap");
    if (code == "not-swapped"_L1)
        return tr("the swap is not encrypted by Tacet: private programs do not use it");
    return shown(code, 80);
}

QString Words::time(const QDateTime &time)
{
    return QLocale().toString(time.toLocalTime().time(), QLocale::ShortFormat);
}

QString Words::dateAndTime(const QDateTime &time)
{
    if (!time.isValid())
        return {};
    const QDateTime local = time.toLocalTime();
    if (local.date() == QDate::currentDate())
        return Words::time(local);
    return QLocale().toString(local, QLocale::ShortFormat);
}

} // namespace Tacet
