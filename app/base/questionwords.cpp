// SPDX-License-Identifier: GPL-3.0-or-later
#include "questionwords.h"

#include "untrusted.h"
#include "words.h"

#include <QLocale>

using namespace Qt::StringLiterals;

namespace Tacet {

QString QuestionWords::destination(const Question &question)
{
    if (question.sink != Sink::Network)
        return question.target.isEmpty() ? question.host : question.target;
    if (question.host.isEmpty())
        return tr("an unknown host");
    const QString host = question.host.contains(u':') ? u'[' + question.host + u']' : question.host;
    return question.port == 0 ? host : u"%1:%2"_s.arg(host, QString::number(question.port));
}

QString QuestionWords::app(const Question &question)
{
    if (question.parent.isEmpty())
        return shownBold(question.appName());
    //: %1: an app; %2: the name of the program that started it
    return tr("%1 (started by <i>%2</i>)").arg(shownBold(question.appName()), shown(question.parent, 40).toHtmlEscaped());
}

QString QuestionWords::data(const Question &question)
{
    if (question.file.isEmpty())
        return u"<b>%1</b>"_s.arg(tr("sensitive data"));
    return shownPathBold(question.file);
}

QString QuestionWords::title(const Question &question)
{
    return question.isChange() ? tr("A sensitive file is about to change") : tr("Sensitive data is about to be sent");
}

QString QuestionWords::lateTitle(const Question &question)
{
    return question.isChange() ? tr("Nobody answered in time: the file was not changed") : tr("Nobody answered in time: nothing was sent");
}

QString QuestionWords::changeSentence(const QString &app, const QString &file, bool removes)
{
    //: %1: an app; %2: a file
    return removes ? tr("%1 is about to remove or replace %2.").arg(app, file) : tr("%1 is about to change %2.").arg(app, file);
}

QString QuestionWords::sentence(const Question &question)
{
    if (question.isChange())
        return changeSentence(app(question), data(question), question.removes);
    const QString where = shownBold(destination(question));
    if (question.tainted) {
        //: %1: an app; %2: a file; %3: a host and port, or a device
        return tr("%1 is about to send data that may be derived from %2 to %3.").arg(app(question), data(question), where);
    }
    //: %1: an app; %2: a file; %3: a host and port, or a device
    return tr("%1 is about to send data derived from %2 to %3.").arg(app(question), data(question), where);
}

QString QuestionWords::shortSentence(const Question &question)
{
    const QString file = question.file.isEmpty() ? data(question) : shownBold(question.file.section(u'/', -1), 60);
    const QString name = shownBold(question.appName(), 40);
    if (question.isChange())
        return changeSentence(name, file, question.removes);
    const QString where = shownBold(destination(question), 60);
    if (question.tainted) {
        //: %1: an app; %2: a file; %3: a host and port, or a device
        return tr("%1 is about to send data that may be derived from %2 to %3.").arg(name, file, where);
    }
    //: %1: an app; %2: a file; %3: a host and port, or a device
    return tr("%1 is about to send data derived from %2 to %3.").arg(name, file, where);
}

QString QuestionWords::lateSentence(const Question &question)
{
    if (question.isChange()) {
        //: %1: an app; %2: a file
        return tr("%1 was kept from changing %2, because nobody answered in time.").arg(app(question), data(question));
    }
    //: %1: an app; %2: a file; %3: a host and port, or a device
    return tr("%1 was blocked from sending data derived from %2 to %3, because nobody answered in time.")
        .arg(app(question), data(question), shownBold(destination(question)));
}

QString QuestionWords::sentenceWithoutFile(const Question &question)
{
    if (question.isChange())
        return tr("%1 is about to change a sensitive file.").arg(shown(question.appName(), 60));
    //: %1: an app; %2: a host and port, or a device
    return tr("%1 is about to send sensitive data to %2.").arg(shown(question.appName(), 60), shown(destination(question), 60));
}

QString QuestionWords::chain(const Question &question)
{
    QStringList names;
    for (const QString &name : question.chain)
        names.append(shown(name, 20));
    const QString own = shown(question.comm, 20);
    names.removeIf([&](const QString &name) { return name == own; });
    names.removeDuplicates();
    if (names.isEmpty())
        return {};
    const QString reader = names.takeFirst();
    if (names.isEmpty())
        return tr("The file was read by %1.").arg(reader);
    //: %1: an app; %2: one or more apps
    return tr("The file was read by %1; its data came through %2.").arg(reader, names.join(tr(", ")));
}

QString QuestionWords::likeness(const Question &question)
{
    if (question.tainted)
        return tr("Not sure: there is no doppelganger to compare with, so the data may be unrelated.");
    if (question.callsTotal == 0)
        return tr("The two runs could not be compared.");
    // The last one is the call in question, which differs by what it sends.
    if (question.callsEqual + 1 >= question.callsTotal)
        return tr("Very sure: both runs were alike up to here.");
    const quint64 total = question.callsTotal - 1;
    const double share = double(question.callsEqual) / double(total);
    const QLocale locale;
    QString counts = tr("%1 of %2 system calls were alike in both runs").arg(locale.toString(question.callsEqual), locale.toString(total));
    if (question.callsRealigned != 0)
        counts = tr("%1, and they came together again after %2").arg(counts, locale.toString(question.callsRealigned));
    // A run that went another way differs in its output for reasons of its own.
    if (share >= 0.95)
        return tr("Very sure: %1.").arg(counts);
    if (share >= 0.7)
        return tr("Fairly sure: %1.").arg(counts);
    return tr("Not sure: only %1.").arg(counts);
}

QString QuestionWords::amounts(const Question &question)
{
    if (question.tainted)
        return tr("%1 would be sent.").arg(Words::bytes(question.length));
    return tr("%1 would be sent; the scrubbed copy has %2.").arg(Words::bytes(question.length), Words::bytes(question.scrubbedLength));
}

} // namespace Tacet
