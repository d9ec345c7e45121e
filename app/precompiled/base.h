// SPDX-License-Identifier: GPL-3.0-or-later
// Parsed once for all files. Each still includes what it uses.
#pragma once

#include <QByteArray>
#include <QCoreApplication>
#include <QDBusArgument>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusObjectPath>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QHash>
#include <QList>
#include <QLocale>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <QVariantMap>
#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
