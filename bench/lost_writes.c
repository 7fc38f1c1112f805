/* A power cut for one process: what it wrote under one folder and had not synced is partly lost.

       cc -O2 -shared -fPIC -o lost_writes.so lost_writes.c
       LD_PRELOAD=…/lost_writes.so LOST_UNDER=FOLDER LOST_SHADOW=FOLDER2 LOST_SEED=7 LOST_CUT_AT=400 program …

   Every write, truncation, creation, rename and removal under LOST_UNDER is done and remembered with what was there
   before, until fsync or fdatasync of that file, or fsync of that folder. The LOST_CUT_AT-th such operation (a sync
   is one, too) does not happen: the power fails. Of what is remembered then a part, chosen by LOST_SEED, is undone
   on the disk; one write may be torn at 512 bytes; SQLite's -shm files, which are memory, vanish; the process ends
   at once with status 77. A LOST_CUT_AT of -1 is the moment the process ends by itself. With LOST_AIM, a pattern,
   only operations on paths that fit it are counted. A line about the cut goes to LOST_REPORT. LOST_SHADOW, on the
   same file system and not under LOST_UNDER, keeps what was removed or replaced.

   The disk this models:
   - Content of a file lasts when the file was synced. Before that each write is lost or kept by itself, in any order,
     and a file may also keep its length and lose its bytes (they read as zeros).
   - Names in a folder last when the folder was synced; syncing a file says nothing of its name. What was done to the
     names of one folder since is lost from some point on (a journal keeps their order); folders are independent of
     each other. A rename between two folders belongs to the one it goes to.
   - Each process is cut alone, of what it did itself. That another has synced the folder since is known.
   Sockets are left alone, and so are modes and times. What is not modelled (writev, sendfile, links, a shared mapping
   that can be written, …) ends the process with status 78 when it is done to a file under LOST_UNDER. */
#define _GNU_SOURCE
#include "power_cut.h"

/* --- what is remembered --------------------------------------------------------------------------------------- */

/* Where a path really is, if that is under the folder. */
static int place(int at, const char *path, char *full) {
    char named[PATH_MAX], folder[PATH_MAX];
    if (!under || !path || !*path) return 0;
    if (path[0] == '/' || at == HERE) snprintf(named, sizeof named, "%s", path);
    else snprintf(named, sizeof named, "/proc/self/fd/%d/%s", at, path);
    int before = errno;
    char *slash = strrchr(named, '/'), *name = slash ? slash + 1 : named;
    char last[PATH_MAX];
    strcpy(last, name);
    if (slash) slash[slash == named] = 0;
    char *real = realpath(slash ? named : ".", folder);
    errno = before;
    size_t n = strlen(under);
    if (!real || strncmp(folder, under, n) || (folder[n] && folder[n] != '/')) return 0;
    return snprintf(full, PATH_MAX, "%s/%s", folder, last) < PATH_MAX && fnmatch("*-shm", full, 0);
}

static struct file *known(const struct stat *s) {
    for (struct file *f = files; f; f = f->next)
        if (f->dev == s->st_dev && f->ino == s->st_ino) return f;
    return NULL;
}

/* The file behind a descriptor, and the turn taken; NULL without the turn for what is not ours. The file is held open
   by a descriptor of our own that is never closed: closing one would drop SQLite's locks, and the inode's number
   would be given to another. */
static struct file *ours(int fd) {
    struct stat s;
    int before = errno;
    if (!under || fstat(fd, &s) || !S_ISREG(s.st_mode)) { errno = before; return NULL; }
    pthread_mutex_lock(&turn);
    struct file *f = known(&s);
    if (!f) pthread_mutex_unlock(&turn);
    errno = before;
    return f;
}

static struct file *held(int fd, const char *path) {
    struct stat s;
    char link[64];
    if (fstat(fd, &s) || !S_ISREG(s.st_mode)) return NULL;
    struct file *f = known(&s);
    if (f) return f;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    int own = (int)syscall(SYS_openat, HERE, link, O_RDWR | O_CLOEXEC, 0);
    if (own < 0) unmodelled("open", path);
    f = calloc(1, sizeof *f);
    *f = (struct file){.dev = s.st_dev, .ino = s.st_ino, .fd = own, .path = strdup(path), .next = files};
    return files = f;
}

static struct change *more(struct file *f) {
    if (f->n == f->room) f->changes = realloc(f->changes, (f->room = f->room * 2 + 8) * sizeof *f->changes);
    return &f->changes[f->n];
}

static void forget(struct file *f) {
    for (size_t i = 0; i < f->n; i++) { free(f->changes[i].before); free(f->changes[i].after); }
    f->n = 0;
}

static void entered(enum done done, const char *path, const char *from, char *kept) {
    char folder[PATH_MAX];
    struct stat s;
    snprintf(folder, sizeof folder, "%s", path);
    *strrchr(folder, '/') = 0;
    if (stat(folder, &s)) return;
    if (n_entries == room_entries) entries = realloc(entries, (room_entries = room_entries * 2 + 64) * sizeof *entries);
    entries[n_entries++] = (struct entry){done, s.st_dev, s.st_ino, strdup(path), from ? strdup(from) : NULL, kept,
                                           now(), 0};
}

static void folder_synced(const struct stat *s) {
    size_t left = 0;
    for (size_t i = 0; i < n_entries; i++) {
        struct entry *e = &entries[i];
        if (e->dev != s->st_dev || e->ino != s->st_ino) { entries[left++] = *e; continue; }
        if (e->kept) drop(e->kept);
        free(e->path); free(e->from); free(e->kept);
    }
    n_entries = left;
}

static char *kept(const char *path) {
    char *copy = aside();
    if (!link_to(path, copy)) return copy;
    free(copy);
    return NULL;
}

static int is_file_or_folder(const char *path) {
    struct stat s;
    return !lstat(path, &s) && (S_ISREG(s.st_mode) || S_ISDIR(s.st_mode));
}

/* --- the calls ------------------------------------------------------------------------------------------------ */

static int opened(int at, const char *path, int flags, mode_t mode) {
    char full[PATH_MAX];
    int writes = (flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC);
    if (!writes || !place(at, path, full)) return (int)syscall(SYS_openat, at, path, flags, mode);
    pthread_mutex_lock(&turn);
    struct stat s;
    int before = errno, there = !lstat(full, &s), empties = there && flags & O_TRUNC && S_ISREG(s.st_mode) && s.st_size;
    errno = before;
    if (there ? empties : flags & O_CREAT) step("open", full);
    char *old = NULL;
    if (empties) {
        int fd = (int)syscall(SYS_openat, HERE, full, O_RDWR | O_CLOEXEC, 0);
        if (fd < 0) unmodelled("truncating open", full);
        old = got(fd, (size_t)s.st_size, 0); /* and it stays open: see `ours` */
    }
    int fd = (int)syscall(SYS_openat, at, path, flags, mode);
    before = errno;
    struct file *f = fd < 0 ? NULL : held(fd, full);
    if (f && empties) {
        *more(f) = (struct change){.truncates = 1, .size = s.st_size, .had = (size_t)s.st_size, .before = old};
        f->n++;
    }
    if (f && !there) entered(MADE, full, NULL, NULL);
    errno = before;
    pthread_mutex_unlock(&turn);
    return fd;
}

static ssize_t written(int fd, const void *data, size_t n, off_t at, int placed) {
    struct file *f = ours(fd);
    if (!f) return placed ? syscall(SYS_pwrite64, fd, data, n, at) : syscall(SYS_write, fd, data, n);
    step("write", f->path);
    off_t size = size_of(f->fd);
    if (!placed) at = fcntl(fd, F_GETFL) & O_APPEND ? size : lseek(fd, 0, SEEK_CUR);
    size_t had = at >= size ? 0 : (off_t)n < size - at ? n : (size_t)(size - at);
    char *before = got(f->fd, had, at);
    ssize_t done = placed ? syscall(SYS_pwrite64, fd, data, n, at) : syscall(SYS_write, fd, data, n);
    int error = errno;
    if (done > 0) {
        char *after = malloc((size_t)done);
        memcpy(after, data, (size_t)done);
        *more(f) = (struct change){.at = at, .size = size, .length = (size_t)done, .before = before, .after = after,
                                   .had = had < (size_t)done ? had : (size_t)done};
        f->n++;
    } else free(before);
    pthread_mutex_unlock(&turn);
    errno = error;
    return done;
}

static int truncated(int fd, off_t to) {
    struct file *f = ours(fd);
    if (!f) return (int)syscall(SYS_ftruncate, fd, to);
    step("truncate", f->path);
    off_t size = size_of(f->fd);
    size_t had = size > to ? (size_t)(size - to) : 0;
    char *before = got(f->fd, had, to);
    int done = (int)syscall(SYS_ftruncate, fd, to), error = errno;
    *more(f) = (struct change){.truncates = 1, .at = to, .size = size, .had = had, .before = before};
    if (!done) f->n++;
    pthread_mutex_unlock(&turn);
    errno = error;
    return done;
}

static int synced(int fd, long number) {
    struct stat s;
    if (under && !fstat(fd, &s) && S_ISDIR(s.st_mode)) {
        char link[64], path[PATH_MAX];
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        ssize_t n = readlink(link, path, sizeof path - 1);
        path[n < 0 ? 0 : n] = 0;
        if (strncmp(path, under, strlen(under))) return (int)syscall(number, fd);
        pthread_mutex_lock(&turn);
        step("sync", path);
        int64_t when = now();
        int done = (int)syscall(number, fd), own = witness(s.st_ino);
        folder_synced(&s);
        put(own, (const char *)&when, sizeof when, 0);
        syscall(SYS_close, own);
        pthread_mutex_unlock(&turn);
        return done;
    }
    struct file *f = ours(fd);
    if (!f) return (int)syscall(number, fd);
    step("sync", f->path);
    int done = (int)syscall(number, fd), error = errno;
    if (!done) forget(f);
    pthread_mutex_unlock(&turn);
    errno = error;
    return done;
}

static int renamed(int at, const char *from, int to_at, const char *to) {
    char a[PATH_MAX], b[PATH_MAX];
    int in = place(at, from, a), out = place(to_at, to, b);
    if ((!in && !out) || (in && !is_file_or_folder(a))) return (int)syscall(SYS_renameat2, at, from, to_at, to, 0);
    if (!in || !out) unmodelled("rename", in ? a : b);
    pthread_mutex_lock(&turn);
    step("rename", b);
    char *old = is_file_or_folder(b) ? kept(b) : NULL;
    int done = move(a, b), error = errno;
    if (!done) entered(RENAMED, b, a, old);
    pthread_mutex_unlock(&turn);
    errno = error;
    return done;
}

static int removed(int at, const char *path, int flags) {
    char full[PATH_MAX];
    if (!place(at, path, full) || !is_file_or_folder(full)) return (int)syscall(SYS_unlinkat, at, path, flags);
    if (flags & AT_REMOVEDIR) unmodelled("rmdir", full);
    pthread_mutex_lock(&turn);
    step("remove", full);
    char *old = kept(full);
    int done = drop(full), error = errno;
    if (!done) entered(REMOVED, full, NULL, old);
    pthread_mutex_unlock(&turn);
    errno = error;
    return done;
}

static int folder_made(int at, const char *path, mode_t mode) {
    char full[PATH_MAX];
    struct stat s;
    if (!place(at, path, full) || !lstat(full, &s)) return (int)syscall(SYS_mkdirat, at, path, mode);
    pthread_mutex_lock(&turn);
    step("mkdir", full);
    int done = (int)syscall(SYS_mkdirat, HERE, full, mode), error = errno;
    if (!done) entered(FOLDER_MADE, full, NULL, NULL);
    pthread_mutex_unlock(&turn);
    errno = error;
    return done;
}

#define MODE mode_t mode = 0; if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) \
    { va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); }
int open(const char *path, int flags, ...) { MODE return opened(HERE, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE return opened(HERE, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE return opened(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE return opened(at, path, flags, mode); }
int __open_2(const char *path, int flags) { return opened(HERE, path, flags, 0); }
int __open64_2(const char *path, int flags) { return opened(HERE, path, flags, 0); }
int creat(const char *path, mode_t mode) { return opened(HERE, path, O_WRONLY | O_CREAT | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return opened(HERE, path, O_WRONLY | O_CREAT | O_TRUNC, mode); }
ssize_t write(int fd, const void *data, size_t n) { return written(fd, data, n, 0, 0); }
ssize_t pwrite(int fd, const void *data, size_t n, off_t at) { return written(fd, data, n, at, 1); }
ssize_t pwrite64(int fd, const void *data, size_t n, off64_t at) { return written(fd, data, n, at, 1); }
int ftruncate(int fd, off_t to) { return truncated(fd, to); }
int ftruncate64(int fd, off64_t to) { return truncated(fd, to); }
int fsync(int fd) { return synced(fd, SYS_fsync); }
int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }
int rename(const char *from, const char *to) { return renamed(HERE, from, HERE, to); }
int renameat(int at, const char *from, int to_at, const char *to) { return renamed(at, from, to_at, to); }
int unlink(const char *path) { return removed(HERE, path, 0); }
int unlinkat(int at, const char *path, int flags) { return removed(at, path, flags); }
int remove(const char *path) { return removed(HERE, path, 0); }
int rmdir(const char *path) { return removed(HERE, path, AT_REMOVEDIR); }
int mkdir(const char *path, mode_t mode) { return folder_made(HERE, path, mode); }
int mkdirat(int at, const char *path, mode_t mode) { return folder_made(at, path, mode); }

void _exit(int status) {
    if (under && cut_at < 0) cut("end", under);
    for (;;) syscall(SYS_exit_group, status);
}
__attribute__((destructor)) static void end(void) { if (under && cut_at < 0) cut("end", under); }

static int alien(int fd, const char *what) {
    struct file *f = ours(fd);
    if (f) unmodelled(what, f->path);
    return fd;
}
static const char *strange(const char *path, const char *what) {
    char full[PATH_MAX];
    if (place(HERE, path, full)) unmodelled(what, full);
    return path;
}
ssize_t writev(int fd, const struct iovec *v, int n) { return syscall(SYS_writev, alien(fd, "writev"), v, n); }
ssize_t sendfile(int fd, int in, off_t *at, size_t n) {
    return syscall(SYS_sendfile, alien(fd, "sendfile"), in, at, n);
}
ssize_t sendfile64(int fd, int in, off64_t *at, size_t n) { return sendfile(fd, in, at, n); }
int fallocate(int fd, int mode, off_t at, off_t n) {
    return (int)syscall(SYS_fallocate, alien(fd, "fallocate"), mode, at, n);
}
int posix_fallocate(int fd, off_t at, off_t n) { return fallocate(fd, 0, at, n) ? errno : 0; }
int link(const char *from, const char *to) { return link_to(from, strange(to, "link")); }
int symlink(const char *target, const char *path) {
    return (int)syscall(SYS_symlinkat, target, HERE, strange(path, "symlink"));
}
void *mmap64(void *at, size_t n, int can, int flags, int fd, off64_t from) {
    if (fd >= 0 && flags & MAP_SHARED && can & PROT_WRITE) alien(fd, "mmap");
    return (void *)syscall(SYS_mmap, at, n, can, flags, fd, from);
}
void *mmap(void *at, size_t n, int can, int flags, int fd, off_t from) { return mmap64(at, n, can, flags, fd, from); }
