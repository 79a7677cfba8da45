// The files of one run, those it reads and those it writes: no output may be a file that the run reads, nor the file of
// another output. What counts is the file itself (device and inode), by whatever name, symbolic or hard link it is
// called; one that does not exist yet is known by its folder and its name there.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace braid {

/// The last of a chain of symbolic links, whether there is a file or not.
std::filesystem::path link_target(std::filesystem::path file);

class RunFiles {
 public:
  /// Readers and writers of this thread tell these files from now on; not where a Scope is open already, whose files
  /// then know those of both. Where none is open nothing is noted, and nothing refused.
  class Scope {
   public:
    explicit Scope(RunFiles& files);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    bool first_;
  };

  /// A file is going to be read. Throws InputError if an output is that file.
  static void read(const std::string& file);
  /// `what` ("--json", "log.file") is going to write the file; "-" is standard output. It may say so again, and may
  /// have several files. Throws InputError if the run reads that file or if another output is that file.
  static void write(const std::string& file, const std::string& what);
  /// Throws InputError if the run reads that file.
  static void check_not_read(const std::string& file);
  /// The file is complete, under its own name.
  static void note_written(const std::string& file);
  /// written() of what is open.
  static std::vector<std::string> written_so_far();

  /// In that order.
  const std::vector<std::string>& written() const { return written_; }

 private:
  /// A file, or with a name an entry of a folder.
  struct Place {
    dev_t device;
    ino_t inode;
    std::string name;
    bool operator==(const Place& other) const {
      return device == other.device && inode == other.inode && name == other.name;
    }
  };
  struct Entry {
    std::string file, what;  // as users call it; what: empty if it is read
    std::vector<Place> places;
  };
  static std::vector<Place> places_of(const std::string& file);
  static RunFiles* current();
  const Entry* find(const std::vector<Place>& places, bool outputs, const std::string& but = {}) const;
  void refuse_read(const std::string& file, const std::string& what) const;
  void add_standard_output();

  static thread_local RunFiles* innermost;
  std::vector<Entry> entries_;
  std::vector<std::string> written_;
};

}  // namespace braid
