#!/bin/sh
# g++ behind ccache, but for precompiled headers: g++ knows a header of #pragma once in them by its time, so that one made
# for another clone, from the same texts, would define all of it twice.
case " $* " in
  *" -x c++-header "*) exec "$@" ;;
esac
CCACHE_SLOPPINESS=pch_defines,time_macros exec ccache "$@"
