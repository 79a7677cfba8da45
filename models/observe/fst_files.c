#include "models/observe/fst_files.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static _Thread_local int fst_error;

static void note(int failed) {
  if (failed && fst_error == 0) fst_error = errno == 0 ? EIO : errno;
}

int braid_fst_take_error(void) {
  const int error = fst_error;
  fst_error = 0;
  return error;
}

size_t braid_fst_fwrite(const void* bytes, size_t size, size_t count, FILE* file) {
  const size_t written = fwrite(bytes, size, count, file);
  note(written < count && size > 0);
  return written;
}

int braid_fst_fputc(int byte, FILE* file) {
  const int result = fputc(byte, file);
  note(result == EOF);
  return result;
}

int braid_fst_fflush(FILE* file) {
  const int result = fflush(file);
  note(result != 0);
  return result;
}

/* Seeking writes, too: a failure there stands in the stream's own mark. */
int braid_fst_fclose(FILE* file) {
  errno = 0;
  note(ferror(file));
  const int result = fclose(file);
  note(result != 0);
  return result;
}

int braid_fst_gzclose(gzFile file) {
  errno = 0;
  const int result = gzclose(file);
  note(result != Z_OK);
  return result;
}

ssize_t braid_fst_read(int file, void* bytes, size_t count) {
  size_t got = 0;
  for (ssize_t now = 1; now > 0 && got < count; got += now > 0 ? (size_t)now : 0) {
    now = read(file, (char*)bytes + got, count - got);
  }
  errno = 0;
  note(got < count);
  memset((char*)bytes + got, 0, count - got);
  return (ssize_t)count;
}
