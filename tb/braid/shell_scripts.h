// The shells' sides of completion: each asks `braid complete-words` and knows nothing else of braid.
#pragma once

namespace braid::tb {

constexpr const char* kBash = R"shell(# bash completion of braid: source <(braid completion bash)
_braid() {
  local line=${COMP_LINE:0:COMP_POINT} candidate text word cut="" ending file
  local -a words
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  word=${words[-1]}
  COMPREPLY=()
  # bash takes a = for the end of a word, where it is among COMP_WORDBREAKS
  [[ $word == *=* && $COMP_WORDBREAKS == *=* ]] && cut=${word%"${word##*=}"}
  while IFS=$'\t' read -r candidate text; do
    if [[ $candidate != :files ]]; then
      COMPREPLY+=("${candidate#"$cut"}")
      continue
    fi
    while IFS= read -r file; do
      [[ -d $file ]] && COMPREPLY+=("$file/") && continue
      for ending in $text; do
        [[ $ending == any || $file == *"$ending" ]] && COMPREPLY+=("$file") && break
      done
    done < <(compgen -f -- "$word")
  done < <("${words[0]}" complete-words "${words[@]:1}" 2>/dev/null)
  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[=/] ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -F _braid braid
)shell";

constexpr const char* kZsh = R"shell(#compdef braid
# zsh completion of braid: source <(braid completion zsh) behind compinit, or a file _braid in a folder of fpath
_braid() {
  local candidate text
  local -a described keys
  while IFS=$'\t' read -r candidate text; do
    if [[ $candidate == :files && $text == / ]]; then _files -/
    elif [[ $candidate == :files && $text == any ]]; then _files
    elif [[ $candidate == :files ]]; then _files -g "*(${text// /|})"
    elif [[ $candidate == *= ]]; then keys+=("${candidate//:/\\:}:$text")
    else described+=("${candidate//:/\\:}:$text")
    fi
  done < <("${words[1]}" complete-words "${(@)words[2,CURRENT]}" 2>/dev/null)
  (( $#described )) && _describe braid described
  (( $#keys )) && _describe braid keys -S ''
  return 0
}
(( $+functions[compdef] )) && compdef _braid braid
)shell";

constexpr const char* kFish = R"shell(# fish completion of braid: braid completion fish | source
function __braid_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    for line in ($words[1] complete-words $words[2..-1] "$word" 2>/dev/null)
        set -l parts (string split -m 1 \t -- $line)
        if test "$parts[1]" != ":files"
            echo $line
            continue
        end
        for file in (__fish_complete_path "$word")
            set -l name (string split -m 1 \t -- $file)[1]
            for ending in (string split ' ' -- $parts[2])
                if test "$ending" = any; or string match -q -- "*/" $name; or string match -q -- "*$ending" $name
                    echo $file
                    break
                end
            end
        end
    end
end
complete -c braid -f -a '(__braid_complete)'
)shell";

}  // namespace braid::tb
