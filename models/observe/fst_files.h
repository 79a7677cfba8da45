/* The files of GTKWave's FST writer, which looks at no result of a write: what fails is noted here. */
#ifndef BRAID_MODELS_OBSERVE_FST_FILES_H
#define BRAID_MODELS_OBSERVE_FST_FILES_H

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>
#include <zlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* errno's of the first call of this thread that failed since the last look; 0: none. */
int braid_fst_take_error(void);

/* As the functions without "braid_fst_" do. */
size_t braid_fst_fwrite(const void* bytes, size_t size, size_t count, FILE* file);
int braid_fst_fputc(int byte, FILE* file);
int braid_fst_fflush(FILE* file);
int braid_fst_fclose(FILE* file);
int braid_fst_gzclose(gzFile file);
/* What the file does not have is zeros. */
ssize_t braid_fst_read(int file, void* bytes, size_t count);

#ifdef __cplusplus
}
#endif

#endif
