#include "traffic/streams/streamit/mean_rates.h"

#include <algorithm>
#include <numeric>
#include <sstream>

#include "routing/base/input_error.h"

namespace braid::traffic::streamit {
namespace {

constexpr std::size_t kMostDigits = 6;    // before the point
constexpr std::size_t kMostDecimals = 3;  // the calls that one firing stands for: at most 1000

[[noreturn]] void wrong(const std::string& entry, const std::string& expected) {
  throw InputError("stream.mean_rates: " + one_line(entry) + ": expected " + expected);
}

bool is_digits(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// 12 or 1.25.
void read_number(const std::string& entry, MeanRate& mean) {
  const std::size_t point = mean.text.find('.');
  const std::string whole = mean.text.substr(0, point);
  const std::string decimals = point == std::string::npos ? "" : mean.text.substr(point + 1);
  const bool right = is_digits(whole) && whole.size() <= kMostDigits &&
                     (point == std::string::npos || is_digits(decimals)) && decimals.size() <= kMostDecimals;
  if (!right) wrong(entry, "a number of at most 6 digits and 3 decimals, FILTER=1.5");
  mean.numerator = std::stoull(whole + decimals);
  for (std::size_t i = 0; i < decimals.size(); ++i) mean.denominator *= 10;
  const std::uint64_t divisor = std::gcd(mean.numerator, mean.denominator);
  mean.numerator /= divisor;
  mean.denominator /= divisor;
}

MeanRate read_one(const std::string& entry) {
  MeanRate mean;
  const std::size_t sign = entry.find('=');
  if (sign == std::string::npos || sign == 0) wrong(entry, "FILTER=MEAN or FILTER.push=MEAN");
  const std::string name = entry.substr(0, sign);
  const std::size_t point = name.find('.');
  mean.filter = name.substr(0, point);
  if (point != std::string::npos) {
    mean.which = name.substr(point + 1);
    const std::vector<std::string> known{"push", "pop", "peek"};
    if (std::find(known.begin(), known.end(), mean.which) == known.end()) {
      wrong(entry, "push, pop or peek behind the point" + did_you_mean(mean.which, known));
    }
  }
  mean.text = entry.substr(sign + 1);
  read_number(entry, mean);
  return mean;
}

}  // namespace

std::vector<MeanRate> read_mean_rates(const std::string& text) {
  std::vector<MeanRate> all;
  std::istringstream words(text);
  for (std::string entry; words >> entry;) {
    MeanRate mean = read_one(entry);
    for (const MeanRate& other : all) {
      if (other.filter == mean.filter && other.which == mean.which) wrong(entry, "one mean for each rate");
    }
    all.push_back(std::move(mean));
  }
  return all;
}

void check_all_used(const std::vector<MeanRate>& means, const std::map<std::string, const Stream*>& streams) {
  for (const MeanRate& mean : means) {
    if (mean.used) continue;
    const std::string entry = "stream.mean_rates: " + one_line(mean.filter) + "=" + mean.text;
    std::vector<std::string> known;
    for (const auto& [name, stream] : streams) known.push_back(name);
    if (streams.count(mean.filter) == 0)
      throw InputError(entry + ": unknown filter" + did_you_mean(mean.filter, known));
    throw InputError(entry + ": expected a filter of the program with a " +
                     (mean.which.empty() ? "" : mean.which + " ") + "rate that changes from call to call");
  }
}

}  // namespace braid::traffic::streamit
