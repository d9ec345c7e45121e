// SPDX-License-Identifier: GPL-3.0-or-later
// The scope that a person wants an answer to have, apart from its question: the same choice gives each of
// several similar questions its own scope.
#pragma once

#include "question.h"

namespace Tacet {

struct ScopeChoice
{
    // Target and Folder are for files and devices, the others for the network.
    enum class Host { HostAndPort, HostOnly, Any, Target, Folder };

    SubjectKind subjectKind = SubjectKind::File;
    QString category; // for SubjectKind::Label
    bool anyApp = false;
    Host host = Host::HostAndPort;

    RuleScope scopeFor(const Question &question) const;
};

} // namespace Tacet
