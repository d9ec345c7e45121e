// SPDX-License-Identifier: GPL-3.0-or-later
#include "scopechoice.h"

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

QString folderOf(const QString &file)
{
    const QString folder = file.section(u'/', 0, -2);
    return folder.isEmpty() ? u"/"_s : folder;
}

} // namespace

RuleScope ScopeChoice::scopeFor(const Question &question) const
{
    RuleScope scope;
    scope.subjectKind = subjectKind;
    switch (subjectKind) {
    case SubjectKind::File:
        scope.subject = question.file;
        break;
    case SubjectKind::Folder:
        scope.subject = folderOf(question.file);
        break;
    case SubjectKind::Label:
        scope.subject = question.categories.contains(category) ? category : question.categories.value(0);
        break;
    case SubjectKind::Any:
        break;
    }
    if (!anyApp)
        scope.executable = question.executable;
    scope.sink = question.sink;
    switch (question.sink) {
    case Sink::Network:
        if (host != Host::Any)
            scope.host = question.host;
        if (host == Host::HostAndPort)
            scope.port = question.port;
        break;
    case Sink::File:
    case Sink::Device:
        // Never any: the person was asked about this one.
        scope.host = host == Host::Folder ? folderOf(question.target) : question.target;
        break;
    case Sink::Other:
    case Sink::Marked:
        break;
    }
    return scope;
}

} // namespace Tacet
