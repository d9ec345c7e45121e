// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Gives a secret to a program, and keeps nothing of it:
 *   hand_over SEED pipe COMMAND...			on its standard input, as a line
 *   hand_over SEED post ADDRESS PATH			as the field "password" of a form, by HTTP
 *   hand_over SEED type STEPS COMMAND...		at its terminal
 * SEED is 16 hexadecimal digits, and the secret their complement: nobody else has it. STEPS are lines by turns: a text to
 * wait for in what the terminal shows, and what to type then. There \r is Enter, \e Escape, \xC control and C, and \S the secret.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pty.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LENGTH 16
#define SHOWN_MAX (1 << 20)
#define PATIENCE 120000 /* ms */

static char secret[LENGTH];

static void fail(const char* what)
{
    perror(what);
    exit(1);
}

static void make_secret(const char* seed)
{
    static const char digits[] = "0123456789abcdef";

    for (int i = 0; i < LENGTH; i++)
        secret[i] = digits[15 - (strchr(digits, seed[i]) - digits)];
}

static void write_all(int fd, const char* text, size_t length)
{
    while (length) {
        ssize_t count = write(fd, text, length);

        if (count < 0)
            fail("write");
        text += count;
        length -= count;
    }
}

static int end_of(pid_t child)
{
    int status;

    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int by_pipe(const char* seed, char** command)
{
    int ends[2];
    pid_t child;

    if (pipe(ends))
        fail("pipe");
    child = fork();
    if (!child) {
        dup2(ends[0], 0);
        close(ends[0]);
        close(ends[1]);
        execvp(command[0], command);
        fail(command[0]);
    }
    close(ends[0]);
    /* Twice, for programs that want it repeated. */
    make_secret(seed);
    for (int i = 0; i < 2; i++) {
        write_all(ends[1], secret, LENGTH);
        write_all(ends[1], "\n", 1);
    }
    explicit_bzero(secret, LENGTH);
    close(ends[1]);
    return end_of(child);
}

static int by_post(const char* seed, const char* host, const char* path)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(80)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    char head[512], answer[4096];
    ssize_t count;

    inet_pton(AF_INET, host, &address.sin_addr);
    if (connect(fd, (struct sockaddr*)&address, sizeof(address)))
        fail("connect");
    snprintf(head, sizeof(head),
             "POST %s HTTP/1.0\r\nHost: here\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: "
             "%d\r\n\r\npassword=",
             path, LENGTH + 9);
    write_all(fd, head, strlen(head));
    make_secret(seed);
    write_all(fd, secret, LENGTH);
    explicit_bzero(secret, LENGTH);
    while ((count = read(fd, answer, sizeof(answer))) > 0)
        write_all(1, answer, count);
    return 0;
}

/* Waits until the terminal has shown the text since the last step. */
static void wait_for(int terminal, const char* text)
{
    static char shown[SHOWN_MAX];
    struct pollfd readable = {.fd = terminal, .events = POLLIN};
    size_t size = 0;

    while (!memmem(shown, size, text, strlen(text))) {
        ssize_t count = poll(&readable, 1, PATIENCE) == 1 ? read(terminal, shown + size, SHOWN_MAX - size) : -1;

        if (count <= 0) {
            fprintf(stderr, "no \"%s\" in: %.*s\n", text, (int)size, shown);
            exit(1);
        }
        size += count;
    }
}

static void type(int terminal, const char* seed, const char* keys)
{
    for (; *keys; keys++) {
        char key = *keys;

        if (key == '\\') {
            key = *++keys;
            if (key == 'S') {
                make_secret(seed);
                write_all(terminal, secret, LENGTH);
                explicit_bzero(secret, LENGTH);
                continue;
            }
            key = key == 'r' ? '\r' : key == 'e' ? '\e' : *++keys & 0x1f;
        }
        write_all(terminal, &key, 1);
    }
}

static int by_terminal(const char* seed, char* steps, char** command)
{
    struct winsize size = {.ws_row = 25, .ws_col = 80};
    char *text, *keys, byte;
    int terminal;
    pid_t child = forkpty(&terminal, NULL, NULL, &size);

    if (!child) {
        setenv("TERM", "xterm", 1);
        execvp(command[0], command);
        fail(command[0]);
    }
    while ((text = strsep(&steps, "\n")) && (keys = strsep(&steps, "\n"))) {
        wait_for(terminal, text);
        usleep(500000);
        type(terminal, seed, keys);
    }
    while (read(terminal, &byte, 1) == 1)
        ;
    return end_of(child);
}

int main(int argc, char** argv)
{
    if (argc > 3 && strlen(argv[1]) == LENGTH && !strcmp(argv[2], "pipe"))
        return by_pipe(argv[1], argv + 3);
    if (argc == 5 && strlen(argv[1]) == LENGTH && !strcmp(argv[2], "post"))
        return by_post(argv[1], argv[3], argv[4]);
    if (argc > 4 && strlen(argv[1]) == LENGTH && !strcmp(argv[2], "type"))
        return by_terminal(argv[1], argv[3], argv + 4);
    fprintf(stderr, "usage: hand_over SEED pipe|post|type ...\n");
    return 2;
}
