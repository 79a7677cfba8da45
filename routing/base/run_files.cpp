#include "routing/base/run_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "routing/base/input_error.h"

namespace braid {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStandardOutput = "standard output";

}  // namespace

fs::path link_target(fs::path file) {
  constexpr int kMostLinks = 40;  // as the kernel has it
  std::error_code error;
  for (int i = 0; i < kMostLinks && fs::is_symlink(fs::symlink_status(file, error)); ++i) {
    const fs::path read = fs::read_symlink(file, error), next = read.is_absolute() ? read : file.parent_path() / read;
    if (fs::exists(file, error) && !fs::exists(next, error)) break;  // /proc/self/fd/1 of a pipe: no path leads there
    file = next;
  }
  return file;
}

thread_local RunFiles* RunFiles::innermost = nullptr;

RunFiles* RunFiles::current() { return innermost; }

RunFiles::Scope::Scope(RunFiles& files) : first_(innermost == nullptr) {
  if (!first_) return;
  innermost = &files;
  if (files.entries_.empty()) files.add_standard_output();
}

RunFiles::Scope::~Scope() {
  if (first_) innermost = nullptr;
}

/// What is printed would be lost with the file that an output replaces.
void RunFiles::add_standard_output() {
  struct stat status = {};
  if (fstat(STDOUT_FILENO, &status) != 0 || !S_ISREG(status.st_mode)) return;
  entries_.push_back({kStandardOutput, kStandardOutput, {{status.st_dev, status.st_ino, ""}}});
}

/// None for a device: it holds nothing that could be lost.
std::vector<RunFiles::Place> RunFiles::places_of(const std::string& file) {
  std::vector<Place> places;
  struct stat status = {};
  if (stat(file.c_str(), &status) == 0) {
    if (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode)) return {};
    places.push_back({status.st_dev, status.st_ino, ""});
  }
  const fs::path target = link_target(file);
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (stat(folder.c_str(), &status) == 0) places.push_back({status.st_dev, status.st_ino, target.filename().string()});
  return places;
}

const RunFiles::Entry* RunFiles::find(const std::vector<Place>& places, bool outputs, const std::string& but) const {
  const auto same = [&](const Entry& e) {
    if (e.what.empty() == outputs || (outputs && e.what == but)) return false;
    return std::find_first_of(e.places.begin(), e.places.end(), places.begin(), places.end()) != e.places.end();
  };
  const auto found = std::find_if(entries_.begin(), entries_.end(), same);
  return found == entries_.end() ? nullptr : &*found;
}

void RunFiles::refuse_read(const std::string& file, const std::string& what) const {
  const Entry* input = find(places_of(file), false);
  if (input == nullptr) return;
  const std::string as = input->file == file ? "" : ", as " + input->file;
  throw InputError({file, 0, 0}, "cannot be written: this run reads it" + as + "; expected another file" +
                                     (what.empty() ? "" : " for " + what));
}

void RunFiles::read(const std::string& file) {
  RunFiles* files = current();
  if (files == nullptr) return;
  const std::vector<Place> places = places_of(file);
  if (places.empty()) return;
  if (const Entry* output = files->find(places, true)) {
    if (output->what == kStandardOutput) {
      throw InputError({file, 0, 0}, "cannot be read: standard output goes to this file");
    }
    throw InputError({output->file, 0, 0}, "cannot be written: this run reads it" +
                                               (output->file == file ? "" : ", as " + file) +
                                               "; expected another file for " + output->what);
  }
  files->entries_.push_back({file, "", places});
}

void RunFiles::write(const std::string& file, const std::string& what) {
  RunFiles* files = current();
  if (files == nullptr) return;
  // No folder has an entry of that name, so that no file is taken for it.
  const std::vector<Place> places = file == "-" ? std::vector<Place>{{0, 0, "/standard output"}} : places_of(file);
  files->refuse_read(file, what);
  if (const Entry* other = files->find(places, true, what)) {
    if (other->what == kStandardOutput) {
      throw InputError({file, 0, 0},
                       "cannot be written: standard output goes to this file; expected another file for " + what);
    }
    const std::string both = other->what + " and " + what;
    if (file == "-") throw InputError(both + " both go to standard output: expected a file for each");
    throw InputError({file, 0, 0}, both + " would write the same file" +
                                       (other->file == file ? "" : ", " + other->file) + ": expected a file for each");
  }
  files->entries_.push_back({file, what, places});
}

void RunFiles::check_not_read(const std::string& file) {
  if (current() != nullptr) current()->refuse_read(file, "");
}

void RunFiles::note_written(const std::string& file) {
  if (current() != nullptr) current()->written_.push_back(file);
}

std::vector<std::string> RunFiles::written_so_far() {
  const RunFiles* files = current();
  return files == nullptr ? std::vector<std::string>{} : files->written_;
}

}  // namespace braid
