// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * An example: a program gives a part of its work to a helper that runs in a private session of its own.
 *
 * usage: private_helper COMMAND [ARGUMENT...] <INPUT >OUTPUT
 * build: cc -o private_helper private_helper.c $(pkg-config --cflags --libs libsystemd)
 *
 * The helper reads the person's files, and nothing that it writes outlives it but its output. See
 * docs/developer/private-helper.md.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <systemd/sd-bus.h>

#define MESSAGE_MAX (32 * 1024)

enum { NOT_STARTED = 125 }; /* as env(1) and timeout(1) have it */

/* Returns 0, or a negative errno. */
static int append_bytes(sd_bus_message* call, const char* text)
{
    return sd_bus_message_append_array(call, 'y', text, strlen(text));
}

static int append_environment(sd_bus_message* call)
{
    static const char* const names[] = {"HOME", "PATH", "LANG"};
    char* word;
    int error = sd_bus_message_open_container(call, 'a', "ay");

    for (size_t i = 0; error >= 0 && i < sizeof(names) / sizeof(*names); i++) {
        if (!getenv(names[i]))
            continue;
        if (asprintf(&word, "%s=%s", names[i], getenv(names[i])) < 0)
            return -ENOMEM;
        error = append_bytes(call, word);
        free(word);
    }
    return error < 0 ? error : sd_bus_message_close_container(call);
}

/* A file that is no terminal and not /dev/null is replaced by a pipe of the session's. The pipe `unused` asks for that. */
static int append_call(sd_bus_message* call, char** command, const int unused[2], int null, int own)
{
    char* directory = getcwd(NULL, 0);
    int error = directory ? sd_bus_message_open_container(call, 'a', "ay") : -errno;

    for (; error >= 0 && *command; command++)
        error = append_bytes(call, *command);
    if (error >= 0)
        error = sd_bus_message_close_container(call);
    if (error >= 0)
        error = append_environment(call);
    if (error >= 0)
        error = append_bytes(call, directory);
    if (error >= 0)
        error = sd_bus_message_append(call, "aha{sv}", 4, unused[0], unused[1], null, own, 2, "name", "s", "Example", "network",
                                      "b", 0);
    free(directory);
    return error;
}

/* Has tacetd start the command; `own` is the socket that the session gets. Returns 0, or a negative errno. */
static int ask_for_session(char** command, int own)
{
    sd_bus_error why = SD_BUS_ERROR_NULL;
    sd_bus_message* call = NULL;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    int unused[2] = {-1, -1};
    sd_bus* bus = NULL;
    int error = null < 0 || pipe2(unused, O_CLOEXEC) < 0 ? -errno : sd_bus_open_system(&bus);

    if (error >= 0)
        error = sd_bus_message_new_method_call(bus, &call, "org.tacet.Tacet1", "/org/tacet/Tacet1", "org.tacet.Tacet1.Sessions",
                                               "Start");
    if (error >= 0)
        error = append_call(call, command, unused, null, own);
    if (error >= 0)
        error = sd_bus_call(bus, call, 0, &why, NULL);
    if (error < 0)
        fprintf(stderr, "no session: %s\n", why.message ? why.message : strerror(-error));
    sd_bus_error_free(&why);
    sd_bus_message_unref(call);
    sd_bus_flush_close_unref(bus);
    close(null);
    close(unused[0]);
    close(unused[1]);
    return error < 0 ? error : 0;
}

/* A process of its own copies `from` to `to`, so that neither side waits for the other. Returns its number. */
static pid_t copy_beside(int from, int to)
{
    char block[16 * 1024];
    pid_t child = fork();
    ssize_t size;

    if (child != 0)
        return child;
    /* A pipe ends for its reader when nobody has its other end open any more, so only these two files stay. */
    if (dup2(from, STDIN_FILENO) < 0 || dup2(to, STDOUT_FILENO) < 0 || close_range(3, ~0U, 0) < 0)
        _exit(1);
    while ((size = read(STDIN_FILENO, block, sizeof(block))) > 0)
        for (ssize_t done = 0, now; done < size; done += now)
            if ((now = write(STDOUT_FILENO, block + done, size - done)) <= 0)
                _exit(1);
    _exit(0);
}

/* Takes a message. Returns its length, 0 when the session is over; *file is the file that came with it, or -1. */
static ssize_t take_message(int channel, char text[MESSAGE_MAX + 1], int* file)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec data = {text, MESSAGE_MAX};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control)};
    ssize_t size = recvmsg(channel, &message, MSG_CMSG_CLOEXEC);
    struct cmsghdr* found = size > 0 ? CMSG_FIRSTHDR(&message) : NULL;

    *file = -1;
    if (found && found->cmsg_type == SCM_RIGHTS)
        memcpy(file, CMSG_DATA(found), sizeof(*file));
    text[size > 0 ? size : 0] = '\0';
    return size;
}

/* Returns the helper's exit status, when the session is over. */
static int follow(int channel)
{
    static char text[MESSAGE_MAX + 1];
    int status = NOT_STARTED;
    pid_t giver = -1, taker = -1;
    int file;

    while (take_message(channel, text, &file) > 0) {
        if (!strcmp(text, "input"))
            giver = copy_beside(STDIN_FILENO, file);
        else if (!strcmp(text, "output"))
            taker = copy_beside(file, STDOUT_FILENO);
        else if (!strncmp(text, "exit ", 5))
            status = atoi(text + 5);
        else if (!strncmp(text, "failed ", 7))
            fprintf(stderr, "%s\n", text + 7);
        if (file >= 0)
            close(file);
    }
    /* All of the output arrives; input that nobody takes any more is left alone. */
    if (taker > 0)
        waitpid(taker, NULL, 0);
    if (giver > 0)
        kill(giver, SIGTERM);
    return status;
}

int main(int argc, char** argv)
{
    int ends[2];

    if (argc < 2) {
        fprintf(stderr, "usage: %s COMMAND [ARGUMENT...] <INPUT >OUTPUT\n", argv[0]);
        return NOT_STARTED;
    }
    signal(SIGPIPE, SIG_IGN);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        perror("socketpair");
        return NOT_STARTED;
    }
    if (ask_for_session(argv + 1, ends[1]) != 0)
        return NOT_STARTED;
    close(ends[1]);
    return follow(ends[0]);
}
