#!/bin/sh
# g++ behind ccache, but for precompiled headers: g++ knows a header of #pragma once in them by its time, so that one made
# for another clone, from the same texts, would define all of it twice. An object is looked up by the texts behind the
# precompiled header that it takes (FILE.gch.sum), not by the header's bytes, which are different in each clone. Clones
# share what they have compiled: names of their own files are looked up relative to them, and an object says of which of
# them it is only to a debugger.
texts_of() {  # the command in "$@", which makes a precompiled header: what the preprocessor makes of it, its macros included
  for word; do
    shift
    case $word in
      *.gch | *.gch.d) ;;
      -o | -c | -M*) ;;
      *) set -- "$@" "$word" ;;
    esac
  done
  "$@" -E -P -dD -o -
}
case " $* " in
  *" -x c++-header "*)
    "$@" || exit
    [ -z "$CCACHE_DISABLE" ] || exit 0
    for word; do
      case $word in *.gch) texts_of "$@" 2>/dev/null | sha256sum >"$word.sum" ;; esac
    done
    exit 0
    ;;
esac
CCACHE_BASEDIR=$(cd "$(dirname "$0")/../.." && pwd) CCACHE_NOHASHDIR=true CCACHE_PCH_EXTSUM=true \
  CCACHE_SLOPPINESS=pch_defines,time_macros exec ccache "$@"
