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
    scope.changes = question.isChange();
    if (scope.changes)
        return scope;
    if (host != Host::Any)
        scope.host = question.host;
    if (host == Host::HostAndPort)
        scope.port = question.port;
    return scope;
}

} // namespace Tacet
