// Text that fits the terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace braid::tb {

/// Columns of standard output: COLUMNS if the environment has it, else the terminal's, else 80.
std::size_t output_columns();
/// Is standard output a terminal, or are its columns given? Lists are a line a name elsewhere, for grep.
bool output_has_columns();

/// The words of a text.
std::vector<std::string> words_of(const std::string& text);

/// `first`, then the words with blanks between; a new line, begun by `indent` blanks, where one would pass `columns`. A
/// word that is longer than a line stands alone. Without blanks or a newline at a line's end.
std::string wrapped(const std::string& first, const std::vector<std::string>& words, std::size_t indent,
                    std::size_t columns = output_columns());

/// Characters that a text takes on the screen: UTF-8's continuation bytes take none.
std::size_t columns_of(const std::string& text);

}  // namespace braid::tb
