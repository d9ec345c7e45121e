// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"

#include "launchers/private_launcher.h"

#include <QCollator>
#include <QFileInfo>

#include <gio/gdesktopappinfo.h>

#include <algorithm>
#include <memory>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

struct Unref
{
    void operator()(gpointer object) const { g_object_unref(object); }
};
using Entry = std::unique_ptr<GDesktopAppInfo, Unref>;

QString textOf(const char *text)
{
    return QString::fromUtf8(text);
}

QString iconOf(GAppInfo *info)
{
    GIcon *icon = g_app_info_get_icon(info);
    if (!icon)
        return {};
    const std::unique_ptr<char, decltype(&g_free)> name(g_icon_to_string(icon), g_free);
    return textOf(name.get());
}

bool isOwn(const QString &id)
{
    return id.startsWith("org.tacet."_L1);
}

QStringList keywordsOf(GDesktopAppInfo *entry)
{
    QStringList words;
    const char *const *keywords = g_desktop_app_info_get_keywords(entry);
    for (; keywords && *keywords; ++keywords)
        words.append(textOf(*keywords));
    words.append(textOf(g_desktop_app_info_get_generic_name(entry)));
    words.append(QFileInfo(textOf(g_app_info_get_executable(G_APP_INFO(entry)))).fileName());
    words.removeAll(QString());
    return words;
}

std::optional<Program> programOf(GDesktopAppInfo *entry)
{
    GAppInfo *info = G_APP_INFO(entry);
    const std::unique_ptr<char, decltype(&g_free)> publicExec(g_desktop_app_info_get_string(entry, tacet::public_exec_key), g_free);
    const char *exec = publicExec ? publicExec.get() : g_app_info_get_commandline(info);
    if (!exec)
        return std::nullopt; // started by D-Bus alone: that would be an instance outside the session
    const std::unique_ptr<char, decltype(&g_free)> directory(g_desktop_app_info_get_string(entry, "Path"), g_free);
    return Program{.id = textOf(g_app_info_get_id(info)),
                   .file = QFile::decodeName(g_desktop_app_info_get_filename(entry)),
                   .name = textOf(g_app_info_get_display_name(info)),
                   .comment = textOf(g_app_info_get_description(info)),
                   .icon = iconOf(info),
                   .keywords = keywordsOf(entry),
                   .exec = textOf(exec),
                   .directory = textOf(directory.get()),
                   .terminal = bool(g_desktop_app_info_get_boolean(entry, "Terminal")),
                   .alwaysPrivate = bool(publicExec)};
}

} // namespace

bool Program::matches(const QString &text) const
{
    const QString searched = u"%1\n%2\n%3\n%4"_s.arg(name, comment, keywords.join(u'\n'), id);
    const QStringList words = text.split(u' ', Qt::SkipEmptyParts);
    return std::ranges::all_of(words, [&searched](const QString &word) { return searched.contains(word, Qt::CaseInsensitive); });
}

QList<Program> installedPrograms()
{
    QList<Program> programs;
    GList *all = g_app_info_get_all();
    for (GList *link = all; link; link = link->next) {
        auto *info = static_cast<GAppInfo *>(link->data);
        if (!G_IS_DESKTOP_APP_INFO(info) || !g_app_info_should_show(info))
            continue;
        const auto program = programOf(G_DESKTOP_APP_INFO(info));
        // This program belongs to the person's own session and can do nothing in another.
        if (program && !isOwn(program->id))
            programs.append(*program);
    }
    g_list_free_full(all, g_object_unref);
    QCollator collator;
    collator.setCaseSensitivity(Qt::CaseInsensitive);
    std::ranges::stable_sort(
        programs, [&collator](const Program &left, const Program &right) { return collator.compare(left.name, right.name) < 0; });
    return programs;
}

std::optional<Program> programOfEntry(const QString &file)
{
    const Entry entry(g_desktop_app_info_new_from_filename(QFile::encodeName(file).constData()));
    return entry ? programOf(entry.get()) : std::nullopt;
}

// Our own "Open privately" would open itself again, inside the session.
std::optional<Program> defaultProgram(const QString &mimeType)
{
    const std::unique_ptr<GAppInfo, Unref> info(g_app_info_get_default_for_type(mimeType.toUtf8().constData(), FALSE));
    if (!info || !G_IS_DESKTOP_APP_INFO(info.get()) || isOwn(textOf(g_app_info_get_id(info.get()))))
        return std::nullopt;
    return programOf(G_DESKTOP_APP_INFO(info.get()));
}

} // namespace Tacet
