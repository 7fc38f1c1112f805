/* The cut itself: what a process under `lost_writes.c` remembers of its writes, and what becomes of them. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define HERE AT_FDCWD

struct change { int truncates; off_t at, size; size_t length, had; char *before, *after; };
struct file { dev_t dev; ino_t ino; int fd; char *path; struct change *changes; size_t n, room; struct file *next; };
enum done { MADE, FOLDER_MADE, RENAMED, REMOVED };
struct entry { enum done done; dev_t dev; ino_t ino; char *path, *from, *kept; int64_t when; int lost; };

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static const char *under, *shadow, *aim, *report;
static uint64_t state;
static long cut_at, count, shadows;
static struct file *files;
static struct entry *entries;
static size_t n_entries, room_entries;

__attribute__((constructor)) static void begin(void) {
    if (!(under = getenv("LOST_UNDER")) || !(shadow = getenv("LOST_SHADOW"))) { under = NULL; return; }
    aim = getenv("LOST_AIM");
    report = getenv("LOST_REPORT");
    state = strtoull(getenv("LOST_SEED") ? getenv("LOST_SEED") : "0", NULL, 10);
    cut_at = atol(getenv("LOST_CUT_AT") ? getenv("LOST_CUT_AT") : "0");
}

static uint64_t chance(uint64_t below) { /* splitmix64 */
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % below;
}

/* --- plain calls, past the ones below ------------------------------------------------------------------------ */

static void put(int fd, const char *data, size_t n, off_t at) {
    for (ssize_t done; n; data += done, at += done, n -= (size_t)done)
        if ((done = syscall(SYS_pwrite64, fd, data, n, at)) <= 0) return;
}

static char *got(int fd, size_t n, off_t at) {
    char *data = malloc(n + 1);
    for (size_t have = 0; have < n;) {
        ssize_t more = syscall(SYS_pread64, fd, data + have, n - have, at + (off_t)have);
        if (more <= 0) { memset(data + have, 0, n - have); break; }
        have += (size_t)more;
    }
    return data;
}

static void cut_to(int fd, off_t size) { syscall(SYS_ftruncate, fd, size); }
static int link_to(const char *from, const char *to) { return (int)syscall(SYS_linkat, HERE, from, HERE, to, 0); }
static int move(const char *from, const char *to) { return (int)syscall(SYS_renameat2, HERE, from, HERE, to, 0); }
static int drop(const char *path) { return (int)syscall(SYS_unlinkat, HERE, path, 0); }

static char *aside(void) {
    char *path;
    return asprintf(&path, "%s/%d.%ld", shadow, getpid(), ++shadows) < 0 ? NULL : path;
}

static off_t size_of(int fd) { struct stat s; return fstat(fd, &s) ? 0 : s.st_size; }

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* When a folder was last synced, by whatever process under the layer. */
static int witness(ino_t folder) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/synced.%lu", shadow, (unsigned long)folder);
    return (int)syscall(SYS_openat, HERE, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
}

static int64_t last_synced(ino_t folder) {
    int64_t when = 0;
    int fd = witness(folder);
    if (syscall(SYS_pread64, fd, &when, sizeof when, 0) != sizeof when) when = 0;
    syscall(SYS_close, fd);
    return when;
}

static void say(const char *text) {
    int fd = report ? (int)syscall(SYS_openat, HERE, report, O_WRONLY | O_CREAT | O_APPEND, 0600) : 2;
    if (fd >= 0) syscall(SYS_write, fd, text, strlen(text));
}

static void unmodelled(const char *what, const char *path) {
    char line[PATH_MAX + 100];
    snprintf(line, sizeof line, "{\"unmodelled\": \"%s\", \"path\": \"%s\"}\n", what, path);
    say(line);
    syscall(SYS_exit_group, 78);
}

/* --- the cut -------------------------------------------------------------------------------------------------- */

static void undo(int fd, const struct change *c) {
    if (c->truncates || c->at + (off_t)c->length > c->size) cut_to(fd, c->size);
    put(fd, c->before, c->had, c->at);
}

static void redo(int fd, const struct change *c, int torn) {
    if (c->truncates) { cut_to(fd, c->at); return; }
    if (!torn) { put(fd, c->after, c->length, c->at); return; }
    off_t end = c->at + (off_t)c->length;
    for (off_t from = c->at, to; from < end; from = to) {
        to = (from / 512 + 1) * 512 < end ? (from / 512 + 1) * 512 : end;
        if (chance(2)) put(fd, c->after + (from - c->at), (size_t)(to - from), from);
    }
}

static void cut(const char *what, const char *path) {
    size_t writes = 0, lost = 0, torn = 0, names_lost = 0;
    uint64_t mood = chance(3); /* all of it; from some point on; one here, one there */
    for (struct file *f = files; f; f = f->next) {
        if (!f->n) continue;
        off_t size = size_of(f->fd);
        size_t kept = chance(f->n + 1), tear = chance(2) ? kept : f->n;
        for (size_t i = f->n; i-- > 0;) undo(f->fd, &f->changes[i]);
        for (size_t i = 0; i < f->n; i++) {
            int keep = mood == 1 ? i < kept : mood == 2 ? (int)chance(2) : 0, tears = i == tear;
            if (keep || tears) redo(f->fd, &f->changes[i], tears);
            torn += (size_t)tears;
            lost += (size_t)(!keep && !tears);
        }
        if (mood && !chance(4) && size_of(f->fd) < size) cut_to(f->fd, size);
        writes += f->n;
    }
    size_t left = 0;
    for (size_t i = 0; i < n_entries; i++)
        if (entries[i].when > last_synced(entries[i].ino)) entries[left++] = entries[i];
    n_entries = left;
    for (size_t i = 0; i < n_entries; i++) { /* of each folder, some at the beginning stay */
        size_t of_it = 0, stay;
        for (size_t j = 0; j < n_entries; j++) {
            if (entries[j].dev != entries[i].dev || entries[j].ino != entries[i].ino) continue;
            if (j < i) { of_it = 0; break; } /* done with its first */
            of_it++;
        }
        if (!of_it) continue;
        stay = mood ? chance(of_it + 1) : 0;
        for (size_t j = i; j < n_entries; j++)
            if (entries[j].dev == entries[i].dev && entries[j].ino == entries[i].ino && stay-- == 0) {
                entries[j].lost = 1;
                stay = 0;
            }
    }
    for (size_t i = n_entries; i-- > 0;) {
        struct entry *e = &entries[i];
        if (!e->lost) continue;
        names_lost++;
        switch (e->done) {
        case MADE: drop(e->path); break;
        case FOLDER_MADE: move(e->path, aside()); break;
        case RENAMED: move(e->path, e->from); /* fall through */
        case REMOVED: if (e->kept) link_to(e->kept, e->path);
        }
    }
    DIR *folder = opendir(under);
    for (struct dirent *one; folder && (one = readdir(folder));) {
        if (!fnmatch("*-shm", one->d_name, 0)) syscall(SYS_unlinkat, dirfd(folder), one->d_name, 0);
    }
    char line[PATH_MAX + 300];
    snprintf(line, sizeof line,
             "{\"operation\": %ld, \"before\": \"%s\", \"path\": \"%s\", \"mood\": %d, \"writes\": %zu, \"lost\": %zu, "
             "\"torn\": %zu, \"names\": %zu, \"names_lost\": %zu}\n",
             count, what, path + strlen(under), (int)mood, writes, lost, torn, n_entries, names_lost);
    say(line);
    syscall(SYS_exit_group, 77);
}

static void step(const char *what, const char *path) {
    if ((!aim || !fnmatch(aim, path, 0)) && ++count == cut_at) cut(what, path);
}
