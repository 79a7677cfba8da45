// How a solver of COIN-OR's is asked to stop in the midst of its work.
#pragma once

#include <CbcEventHandler.hpp>
#include <ClpEventHandler.hpp>
#include <exception>
#include <functional>
#include <utility>

namespace braid::routing {

/// Lets the solver go on or not, as it asks at every iteration; one solution may take it minutes. What is thrown to
/// break it off waits until the solver has returned, for it is not made to be left in the midst of its work; it may ask
/// once more on its way out.
class SolverEvents final : public ClpEventHandler {
 public:
  SolverEvents(std::function<void()> at_event, std::exception_ptr& thrown)
      : at_event_(std::move(at_event)), thrown_(thrown) {}
  int event(Event) override {
    constexpr int kGoOn = -1, kStop = 0;
    try {
      if (!thrown_) at_event_();
    } catch (...) {
      thrown_ = std::current_exception();
    }
    return thrown_ ? kStop : kGoOn;
  }
  ClpEventHandler* clone() const override { return new SolverEvents(*this); }  // which the solver deletes

 private:
  std::function<void()> at_event_;
  std::exception_ptr& thrown_;
};

/// As SolverEvents, between linear programs.
class SearchEvents final : public CbcEventHandler {
 public:
  SearchEvents(std::function<void()> at_event, std::exception_ptr& thrown)
      : at_event_(std::move(at_event)), thrown_(thrown) {}
  CbcAction event(CbcEvent) override {
    try {
      if (!thrown_) at_event_();
    } catch (...) {
      thrown_ = std::current_exception();
    }
    return thrown_ ? stop : noAction;
  }
  CbcEventHandler* clone() const override { return new SearchEvents(*this); }  // which the solver deletes

 private:
  std::function<void()> at_event_;
  std::exception_ptr& thrown_;
};

}  // namespace braid::routing
