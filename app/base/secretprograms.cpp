// SPDX-License-Identifier: GPL-3.0-or-later
#include "secretprograms.h"

#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

struct Known
{
    QLatin1StringView path;
    const char *name;
};

// As Debian installs them. What lies in /usr/bin may be a script, which runs another program.
constexpr Known known[] = {
    {"/usr/bin/gpg-agent"_L1, QT_TRANSLATE_NOOP("SecretPrograms", "GnuPG: keys and passphrases")},
    {"/usr/bin/gpg"_L1, QT_TRANSLATE_NOOP("SecretPrograms", "GnuPG: encrypting and decrypting")},
    {"/usr/bin/pinentry-qt"_L1, QT_TRANSLATE_NOOP("SecretPrograms", "GnuPG: asking for a passphrase (Qt)")},
    {"/usr/bin/pinentry-gnome3"_L1, QT_TRANSLATE_NOOP("SecretPrograms", "GnuPG: asking for a passphrase (GNOME)")},
    {"/usr/bin/pinentry-curses"_L1, QT_TRANSLATE_NOOP("SecretPrograms", "GnuPG: asking for a passphrase (terminal)")},
    {"/usr/bin/ssh-agent"_L1, QT_TRANSLATE_NOOP("SecretPrograms", "SSH: keys")},
    {"/usr/bin/ssh"_L1, QT_TRANSLATE_NOOP("SecretPrograms", "SSH: connections")},
    {"/usr/bin/gnome-keyring-daemon"_L1, QT_TRANSLATE_NOOP("SecretPrograms", "GNOME Keyring")},
    {"/usr/bin/kwalletd6"_L1, QT_TRANSLATE_NOOP("SecretPrograms", "KDE Wallet")},
    {"/usr/bin/keepassxc"_L1, QT_TRANSLATE_NOOP("SecretPrograms", "KeePassXC")},
    {"/usr/bin/sudo"_L1, QT_TRANSLATE_NOOP("SecretPrograms", "sudo")},
    {"/usr/lib/firefox-esr/firefox-esr"_L1, QT_TRANSLATE_NOOP("SecretPrograms", "Firefox")},
    {"/usr/lib/chromium/chromium"_L1, QT_TRANSLATE_NOOP("SecretPrograms", "Chromium")},
    {"/usr/lib/thunderbird/thunderbird-bin"_L1, QT_TRANSLATE_NOOP("SecretPrograms", "Thunderbird")},
};

} // namespace

QList<SecretProgram> SecretPrograms::installed()
{
    QList<SecretProgram> found;
    for (const Known &program : known) {
        if (QFileInfo(program.path).isExecutable())
            found.append({program.path, tr(program.name)});
    }
    return found;
}

QString SecretPrograms::nameOf(const QString &path)
{
    for (const Known &program : known) {
        if (program.path == path)
            return tr(program.name);
    }
    return QFileInfo(path).fileName();
}

} // namespace Tacet
