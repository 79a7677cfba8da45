#pragma once

namespace braid::models::icnt {

/// How far `place` is from the turn, past the last place from the first again: the nearest has the turn.
inline unsigned distance(unsigned place, unsigned turn, unsigned places) {
  return place >= turn ? place - turn : place + places - turn;
}

}  // namespace braid::models::icnt
