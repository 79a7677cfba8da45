// Texts in short, for golden files: a checksum, and of what a program has written a line with the number of its lines,
// without what differs from run to run.
#pragma once

#include <boost/crc.hpp>
#include <iomanip>
#include <regex>
#include <sstream>
#include <string>

namespace braid::test {

inline std::string without(std::string text, const std::string& place) {
  for (std::size_t at; (at = text.find(place)) != std::string::npos;) text.erase(at, place.size());
  return text;
}

inline std::string checksum(const std::string& text) {
  boost::crc_32_type crc;
  crc.process_bytes(text.data(), text.size());
  std::ostringstream out;
  out << std::hex << std::setw(8) << std::setfill('0') << crc.checksum();
  return out.str();
}

/// Lines that say when, where or how fast, and which build.
inline bool differs_elsewhere(const std::string& line) {
  static const std::regex words(
      "wall_seconds|cpu_seconds|cycles_per_second|packets_per_second|per "
      "second|\\$date|\\$version|dumpfile|savefile|\\[\\*\\]|\\^|memory|"
      "[0-9.]+ s\\b|MB\\b");
  return std::regex_search(line, words);
}

/// The last column of what `circuits` prints, the last two of `styles`.
inline const std::regex kCpuSeconds(R"( +[0-9]+\.[0-9]{4}$| +[0-9.e+]+ +[0-9.]+x$)");

/// A line of the golden file.
inline std::string summary(const std::string& what, const std::string& text, const std::string& folder) {
  std::istringstream in(text);
  boost::crc_32_type checksum;
  std::size_t lines = 0;
  for (std::string line; std::getline(in, line);) {
    if (differs_elsewhere(line)) continue;
    line = std::regex_replace(without(line, folder), kCpuSeconds, "") + '\n';
    checksum.process_bytes(line.data(), line.size());
    ++lines;
  }
  std::ostringstream out;
  out << what << ": " << lines << " lines, " << std::hex << checksum.checksum() << '\n';
  return out.str();
}

}  // namespace braid::test
