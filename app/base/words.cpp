// SPDX-License-Identifier: GPL-3.0-or-later
#include "words.h"

#include "untrusted.h"

#include <QDBusMessage>
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

QString Words::errorOf(ErrorCode code)
{
    switch (code) {
    case ErrorCode::NoSuchQuestion:
        return tr("This question is no longer open.");
    case ErrorCode::InvalidVerdict:
        return tr("The daemon does not accept this answer.");
    case ErrorCode::InvalidDuration:
        return tr("The daemon does not accept this duration.");
    case ErrorCode::InvalidScope:
        return tr("The daemon does not accept what this rule applies to.");
    case ErrorCode::NoSuchRule:
        return tr("This rule does not exist any more.");
    case ErrorCode::NoSuchSession:
        return tr("This private session is over.");
    case ErrorCode::NotFound:
        return tr("The file does not exist.");
    case ErrorCode::NotRegular:
        return tr("Only regular files can be sensitive, no folders or devices.");
    case ErrorCode::NotOwner:
        return tr("The file belongs to another user.");
    case ErrorCode::NotLabelled:
        return tr("The file is not sensitive.");
    case ErrorCode::TooMany:
        return tr("These are too many at once.");
    case ErrorCode::NoXattr:
        return tr("The file system of this file cannot store that it is sensitive.");
    case ErrorCode::ModuleAbsent:
        return tr("The kernel module is not loaded.");
    case ErrorCode::DiskFull:
        return tr("The disk is full.");
    case ErrorCode::StoreDamaged:
        return tr("The daemon's database is damaged.");
    case ErrorCode::AccessDenied:
        return tr("You are not permitted to do this.");
    default:
        return {};
    }
}

QString Words::busError(QDBusError::ErrorType type)
{
    switch (type) {
    case QDBusError::NoReply:
        return tr("The Tacet daemon did not answer.");
    case QDBusError::ServiceUnknown:
    case QDBusError::Disconnected:
        return tr("The Tacet daemon is not running.");
    default:
        return {};
    }
}

QString Words::error(const QString &name, const QString &message)
{
    const auto code = contract::parse_error(name.toStdString());
    const QString known = code ? errorOf(*code) : busError(QDBusError(QDBusMessage::createError(name, {})).type());
    if (!known.isEmpty())
        return known;
    if (!message.isEmpty())
        return shown(message, 300);
    return tr("The Tacet daemon reported an error: %1").arg(shown(name));
}

QString Words::protection(const QString &name)
{
    struct Known
    {
        QLatin1StringView name;
        const char *words;
    };
    static constexpr std::array known{
        Known{"labels"_L1, QT_TR_NOOP("recognising sensitive files")},
        Known{"label-index"_L1, QT_TR_NOOP("knowing all sensitive files")},
        Known{"interposition"_L1, QT_TR_NOOP("watching programs that read them")},
        Known{"doppelgangers"_L1, QT_TR_NOOP("comparing with a doppelganger")},
        Known{"channels"_L1, QT_TR_NOOP("following data from program to program")},
        Known{"disclosure"_L1, QT_TR_NOOP("holding back sensitive data")},
        Known{"questions"_L1, QT_TR_NOOP("asking you")},
        Known{"shadow-files"_L1, QT_TR_NOOP("scrubbed copies of sensitive files")},
        Known{"private-memory"_L1, QT_TR_NOOP("clearing and guarding the memory of private programs")},
        Known{"private-swap"_L1, QT_TR_NOOP("keeping the memory of private programs off the disk")},
        Known{"freed-memory"_L1, QT_TR_NOOP("clearing what programs free")},
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
    if (code == "being-rebuilt"_L1)
        return tr("the disks are looked through for sensitive files");
    if (code == "files-failed"_L1)
        return tr("some sensitive files could not be looked at; this is tried again");
    if (code == "not-enabled"_L1)
        return tr("not switched on");
    if (code == "not-at-boot"_L1)
        return tr("the module cannot do it with this kernel: start the computer with init_on_free=1");
    if (code == "memory-off"_L1)
        return tr("switched off: only private programs are cleared");
    if (code == "layer-off"_L1)
        return tr("switched off for some kinds of memory");
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
