// Which pin of wormhole.sv is which of Braid's: links READY/VALID, coordinates as straps.
#include <Vwormhole.h>  // made by Verilator

#include "models/rtl/ready_valid_router.h"
#include "models/rtl/router_library.h"

namespace {

using namespace braid::models::hybrid;

constexpr std::uint32_t kPorts = 5, kDepth = 4;  // as in CMakeLists.txt

class Pins final : public ReadyValidRouter {
 public:
  Pins() : ReadyValidRouter(kPorts, kDepth) {}

 private:
  void reset_pins(const RouterSite& site) override {
    top_.my_x = static_cast<CData>(site.x);
    top_.my_y = static_cast<CData>(site.y);
    top_.rst = 1;
    settle({}, 0);
    clock_pins();
    top_.rst = 0;
  }
  void settle(const Offers& rx, std::uint32_t tx_ready) override {
    top_.rx_valid = top_.rx_last = 0;
    for (std::uint32_t p = 0; p < kPorts; ++p) {
      top_.rx_valid = static_cast<CData>(top_.rx_valid | (rx[p].valid ? 1U : 0U) << p);
      top_.rx_last = static_cast<CData>(top_.rx_last | (rx[p].last ? 1U : 0U) << p);
      top_.rx_data[2 * p] = static_cast<EData>(rx[p].data[0]);
      top_.rx_data[2 * p + 1] = static_cast<EData>(rx[p].data[0] >> 32);
    }
    top_.tx_ready = static_cast<CData>(tx_ready);
    top_.clk = 0;
    top_.eval();
  }
  std::uint32_t rx_ready() const override { return top_.rx_ready; }
  Offers tx() const override {
    Offers offers;
    for (std::uint32_t p = 0; p < kPorts; ++p) {
      const std::uint64_t data = std::uint64_t{top_.tx_data[2 * p + 1]} << 32 | top_.tx_data[2 * p];
      offers[p] = {(top_.tx_valid >> p & 1) != 0, (top_.tx_last >> p & 1) != 0, {data}};
    }
    return offers;
  }
  void clock_pins() override {
    top_.clk = 1;
    top_.eval();
  }

  VerilatedContext context_;
  Vwormhole top_{&context_};
};

}  // namespace

extern "C" BRAID_ROUTER_EXPORT WiredRouter* braid_make_router(bool /*assertions*/) { return new Pins; }
