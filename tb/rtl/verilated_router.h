// The Verilated hybrid router behind the pins of models/rtl/pin_router.h, for any parameter point: `Top` is a class
// that Verilator made of hw/hybrid_router_probe.sv, with assertions or without, `Point` its parameters. Included only
// by the points' own files, since Verilator's headers and SystemC's do not mix.
#pragma once

#include <verilated.h>
#if VM_COVERAGE
#include <verilated_cov.h>
#endif

#include <cstdlib>
#include <memory>
#include <string>

#include "models/rtl/pin_router.h"
#include "tb/rtl/pin_bits.h"
#include "tb/rtl/probe.h"
#include "tb/rtl/router_words.h"

namespace braid::rtl {

template <class Top, class Point>
class VerilatedRouter final : public models::hybrid::PinRouter {
 public:
  VerilatedRouter() : context_(std::make_unique<VerilatedContext>()) {
    context_->fatalOnError(false);
    top_ = std::make_unique<Top>(context_.get());
  }
  ~VerilatedRouter() override {
    Verilated::threadContextp(
        context_.get());  // what `Top` takes its scopes from, and not from another router's, gone already
    top_->final();
#if VM_COVERAGE
    if (const char* folder = std::getenv("BRAID_COVERAGE")) {
      context_->coveragep()->write((std::string(folder) + "/" + Point::kName + ".dat").c_str());
    }
#endif
  }

  const models::hybrid::RouterShape& shape() const override { return shape_; }

  void reset(const models::hybrid::RouterSite& site) override {
    clear_inputs();
    top_->x_i = static_cast<CData>(site.x);
    top_->y_i = static_cast<CData>(site.y);
    top_->last_x_i = static_cast<CData>(site.last_x);
    top_->last_y_i = static_cast<CData>(site.last_y);
    top_->network_ports_i = static_cast<CData>(site.network_ports);
    top_->local_ports_i = static_cast<CData>(site.local_ports);
    top_->port_class_i = static_cast<CData>(site.port_class);
    top_->avoid_ports_i = static_cast<CData>(site.avoid_ports);
    top_->share_reserved_i = site.share_reserved_links ? 1 : 0;
    top_->rst_ni = 1;
    top_->clk_i = 0;
    top_->eval();
    top_->rst_ni = 0;  // an edge: reset is asynchronous
    top_->eval();
    expect_silence("as reset begins");
    tick();
    tick();
    top_->rst_ni = 1;
    top_->eval();
    expect_silence("after reset");
  }

  void load(const models::hybrid::RouterSite& site) override {
    if (shape_.by_table()) load_tables(site);
  }

  void clock(const models::hybrid::RouterInputs& in, const models::hybrid::FlitCodec& codec) override {
    const models::hybrid::RouterShape& s = shape_;
    CData valid = 0, head = 0, tail = 0;
    std::uint64_t data[kMaxFlitWords];
    for (unsigned p = 0; p < s.ports; ++p) {
      put_bits(top_->credit_i, p * Point::kLanes, Point::kLanes, in.credits[p]);
      if (!in.links[p].valid) continue;
      const models::Flit& flit = in.links[p].flit;
      valid = static_cast<CData>(valid | 1U << p);
      head = static_cast<CData>(head | unsigned{flit.head()} << p);
      tail = static_cast<CData>(tail | unsigned{flit.tail()} << p);
      put_bits(top_->link_lane_i, p * kLaneBits, kLaneBits, flit.vc());
      codec.encode(flit, data);
      for (unsigned w = 0; w < s.flit_words(); ++w) {
        put_bits(top_->link_data_i, p * s.flit_width + 64 * w, word_bits(w), data[w]);
      }
    }
    top_->link_valid_i = valid;
    top_->link_head_i = head;
    top_->link_tail_i = tail;
    drive_control(in.control, in.request, [&](NodeId destination) { return codec.code(destination); });
    tick();
  }

  void outputs(models::hybrid::RouterOutputs& out, const models::hybrid::FlitCodec& codec) const override {
    const models::hybrid::RouterShape& s = shape_;
    out.clear();
    for (unsigned p = 0; p < s.ports; ++p) {
      out.credits[p] = static_cast<std::uint32_t>(get_bits(top_->credit_o, p * Point::kLanes, Point::kLanes));
      if (((top_->link_valid_o >> p) & 1) == 0) continue;
      out.links[p] = {true,
                      models::hybrid::FlitCodec::decode(get_bits(top_->link_data_o, p * s.flit_width, word_bits(0)),
                                                        ((top_->link_tail_o >> p) & 1) != 0, out_lane(p))};
    }
    if (top_->control_valid_o != 0) {
      out.control = {true, static_cast<std::uint32_t>(__builtin_ctz(top_->control_valid_o)),
                     static_cast<models::hybrid::ControlKind>(top_->control_kind_o), top_->control_search_o,
                     codec.node(top_->control_destination_o)};
    }
    out.outcome = top_->outcome_valid_o != 0;
    out.success = top_->outcome_success_o != 0;
  }

  void image(models::hybrid::RouterImage& image) const override;

  void reset_wires(const models::hybrid::RouterSite& site) override {
    reset(site);
    load(site);
  }
  void clock_wires(const models::hybrid::WireInputs& in, models::hybrid::WireOutputs& out) override;

  Top& top() { return *top_; }

 private:
  static constexpr unsigned kMaxFlitWords = 4;
  static constexpr unsigned bits_for(unsigned places) {
    unsigned bits = 1;
    while ((1U << bits) < places) ++bits;
    return bits;
  }
  static constexpr unsigned kLaneBits = bits_for(Point::kLanes);

  unsigned word_bits(unsigned word) const {
    return word + 1 < shape_.flit_words() ? 64 : shape_.flit_width - 64 * (shape_.flit_words() - 1);
  }
  unsigned out_lane(unsigned p) const {
    return static_cast<unsigned>(get_bits(top_->link_lane_o, p * kLaneBits, kLaneBits));
  }

  void tick() {
    top_->clk_i = 1;
    top_->eval();
    top_->clk_i = 0;
    top_->eval();
    if (context_->gotError()) throw std::runtime_error("an assertion of the RTL has failed");
  }

  void clear_inputs() {
    const models::hybrid::RouterShape& s = shape_;
    top_->table_write_i = 0;
    top_->link_valid_i = 0;
    top_->control_valid_i = 0;
    top_->request_valid_i = 0;
    for (unsigned p = 0; p < s.ports; ++p) put_bits(top_->credit_i, p * s.lanes(), s.lanes(), 0);
  }

  /// No output may say that something is there.
  void expect_silence(const char* when) const {
    for (unsigned p = 0; p < shape_.ports; ++p) {
      if (get_bits(top_->credit_o, p * shape_.lanes(), shape_.lanes()) != 0) silence_broken("credit_o", when);
    }
    if (top_->link_valid_o != 0) silence_broken("link_valid_o", when);
    if (top_->control_valid_o != 0) silence_broken("control_valid_o", when);
    if (top_->outcome_valid_o != 0) silence_broken("outcome_valid_o", when);
  }
  [[noreturn]] static void silence_broken(const char* output, const char* when) {
    throw std::runtime_error(std::string("lockstep: ") + output + " is not 0 " + when);
  }

  /// Entries of nodes that the network has not are noise: a lookup there shows.
  void load_tables(const models::hybrid::RouterSite& site) {
    const std::uint32_t all_ports = (1U << shape_.ports) - 1;
    top_->table_write_i = 1;
    for (unsigned set = 0; set < 3; ++set) {
      for (std::size_t node = 0; node < shape_.table_nodes; ++node) {
        const std::uint32_t noise = static_cast<std::uint32_t>(0x9e3779b9U * (3 * node + set + 1)) >> 20;
        const std::uint32_t ports = node < site.table[set].size() ? site.table[set][node] : noise & all_ports;
        top_->table_set_i = static_cast<CData>(set);
        top_->table_node_i = static_cast<std::remove_reference_t<decltype(top_->table_node_i)>>(node);
        top_->table_ports_i = static_cast<CData>(ports);
        tick();
      }
    }
    top_->table_write_i = 0;
  }

  /// `code`: of a message's destination, as the wires carry it.
  template <class Message, class Code>
  void drive_control(const Message& control, const Message& request, const Code& code) {
    const auto number = [](std::uint32_t search) {
      if (search >= 1U << kSearchWidth) throw std::runtime_error("the RTL numbers searches with 16 bits; too many");
      return search;
    };
    top_->control_valid_i = static_cast<CData>(control.valid ? 1U << control.port : 0);
    if (control.valid) {
      const unsigned p = control.port;
      put_bits(top_->control_kind_i, p * 2, 2, static_cast<unsigned>(control.kind));
      put_bits(top_->control_search_i, p * kSearchWidth, kSearchWidth, number(control.search));
      put_bits(top_->control_destination_i, p * kDestinationWidth, kDestinationWidth, code(control.destination));
    }
    top_->request_valid_i = request.valid ? 1 : 0;
    if (request.valid) {
      top_->request_port_i = static_cast<CData>(request.port);
      top_->request_lane_i = static_cast<CData>(request.circuit);
      top_->request_kind_i = static_cast<CData>(request.kind);
      top_->request_search_i = static_cast<SData>(number(request.search));
      top_->request_destination_i = static_cast<SData>(code(request.destination));
    }
  }

  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Top> top_;
  models::hybrid::RouterShape shape_ = Point::shape();
};

/// Every bit as it is on the pins.
template <class Top, class Point>
void VerilatedRouter<Top, Point>::clock_wires(const models::hybrid::WireInputs& in, models::hybrid::WireOutputs& out) {
  const models::hybrid::RouterShape& s = shape_;
  const auto flag = [](auto& port, unsigned p, bool value) { put_bits(port, p, 1, value ? 1 : 0); };
  for (unsigned p = 0; p < s.ports; ++p) {
    const models::hybrid::FlitWires& link = in.links[p];
    put_bits(top_->credit_i, p * s.lanes(), s.lanes(), in.credits[p]);
    flag(top_->link_valid_i, p, link.valid);
    if (!link.valid) continue;
    flag(top_->link_head_i, p, link.head);
    flag(top_->link_tail_i, p, link.tail);
    put_bits(top_->link_lane_i, p * kLaneBits, kLaneBits, link.lane);
    for (unsigned w = 0; w < s.flit_words(); ++w)
      put_bits(top_->link_data_i, p * s.flit_width + 64 * w, word_bits(w), link.data[w]);
  }
  drive_control(in.control, in.request, [](std::uint32_t destination) { return destination; });
  tick();
  for (unsigned p = 0; p < s.ports; ++p) {
    models::hybrid::FlitWires& link = out.links[p];
    out.credits[p] = static_cast<std::uint32_t>(get_bits(top_->credit_o, p * s.lanes(), s.lanes()));
    link.valid = get_bits(top_->link_valid_o, p, 1) != 0;
    link.head = get_bits(top_->link_head_o, p, 1) != 0;
    link.tail = get_bits(top_->link_tail_o, p, 1) != 0;
    link.lane = out_lane(p);
    for (unsigned w = 0; w < s.flit_words(); ++w)
      link.data[w] = get_bits(top_->link_data_o, p * s.flit_width + 64 * w, word_bits(w));
  }
  out.control.valid = top_->control_valid_o != 0;
  if (out.control.valid) {
    out.control = {true,
                   static_cast<std::uint32_t>(__builtin_ctz(top_->control_valid_o)),
                   static_cast<models::hybrid::ControlKind>(top_->control_kind_o),
                   top_->control_search_o,
                   top_->control_destination_o,
                   0};
  }
  out.outcome = top_->outcome_valid_o != 0;
  out.success = out.outcome && top_->outcome_success_o != 0;
}

template <class Top, class Point>
void VerilatedRouter<Top, Point>::image(models::hybrid::RouterImage& image) const {
  using models::hybrid::RouterImage;
  const models::hybrid::RouterShape& s = shape_;
  image.clear();
  top_->show_i = 1;
  top_->eval();
  top_->show_i = 0;
  read_probe(&top_->probe_o[0], image);
  for (unsigned p = 0; p < s.ports; ++p) {
    image.port(p, RouterImage::kCreditOut) = get_bits(top_->credit_o, p * s.lanes(), s.lanes());
    if (((top_->link_valid_o >> p) & 1) == 0) continue;
    std::uint64_t* flit = image.flit(p, RouterImage::kLinkOut);
    flit[0] = models::hybrid::flit_mark(((top_->link_head_o >> p) & 1) != 0, ((top_->link_tail_o >> p) & 1) != 0,
                                        out_lane(p));
    for (unsigned w = 0; w < s.flit_words(); ++w) {
      flit[1 + w] = get_bits(top_->link_data_o, p * s.flit_width + 64 * w, word_bits(w));
    }
  }
  if (!s.circuits) return;
  if (top_->control_valid_o != 0) {
    image.router(RouterImage::kControlOut) = top_->control_valid_o;
    image.router(RouterImage::kControlMessage) = std::uint64_t{top_->control_kind_o} |
                                                 std::uint64_t{top_->control_search_o} << 16 |
                                                 std::uint64_t{top_->control_destination_o} << 32;
  }
  if (top_->outcome_valid_o != 0) image.router(RouterImage::kOutcome) = top_->outcome_success_o != 0 ? 3 : 1;
}

}  // namespace braid::rtl
