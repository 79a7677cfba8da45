// A module's ends of links: for each a way in and a way out, with the RTL's names. Routers, nodes and the cut of a
// network have them, and check, read and write them alike.
#pragma once

#include <string>
#include <utility>

#include "models/pins/clocked_pins.h"
#include "models/pins/flit_bits.h"
#include "models/pins/pin_types.h"
#include "models/rtl/wires.h"

namespace braid::models::pins {

/// All but the data, whose width is the derived class's.
class LinkEnds : public ClockedPins {
 public:
  PinVector<In<bool>> link_valid_i, link_head_i, link_tail_i;
  PinVector<In<LaneBits>> link_lane_i;
  PinVector<Out<CreditBits>> credit_o;
  PinVector<Out<bool>> link_valid_o, link_head_o, link_tail_o;
  PinVector<Out<LaneBits>> link_lane_o;
  PinVector<In<CreditBits>> credit_i;

 protected:
  explicit LinkEnds(const sc_core::sc_module_name& name);
  /// The pins of `links` ends. Once, in the constructor.
  void make_links(std::size_t links);
  std::size_t links() const { return link_valid_i.size(); }

  /// What the pins of an end are for, for whoever forgot them.
  struct Uses {
    std::string in, out, credit_out, credit_in;
  };
  /// expect() and watch() for all pins of an end.
  void check_link(std::size_t i, bool needed, const Uses& uses);
  void read_link(std::size_t i, hybrid::FlitWires& link, std::uint32_t& credits) const;
  /// Where no flit is valid the rest keeps its value, unless `all` is to be written.
  void write_link(std::size_t i, const hybrid::FlitWires& link, std::uint32_t credits, bool all);

  // `link_data_i`, `link_data_o`:
  virtual void check_data_pins(std::size_t i, bool needed, const Uses& uses) = 0;
  virtual void read_data(std::size_t i, hybrid::FlitData& data) const = 0;
  virtual void write_data(std::size_t i, const hybrid::FlitData& data) = 0;
};

/// `Base`, a LinkEnds, with flits of a width.
template <int FlitWidth, class Base>
class WithFlitData : public Base {
 public:
  PinVector<In<sc_dt::sc_bv<FlitWidth>>> link_data_i;
  PinVector<Out<sc_dt::sc_bv<FlitWidth>>> link_data_o;

 protected:
  template <class... Arguments>
  explicit WithFlitData(const sc_core::sc_module_name& name, Arguments&&... arguments)
      : Base(name, std::forward<Arguments>(arguments)...),
        link_data_i("link_data_i", this->links()),
        link_data_o("link_data_o", this->links()) {}

 private:
  void check_data_pins(std::size_t i, bool needed, const LinkEnds::Uses& uses) override {
    this->expect(link_data_i[i], needed, "data of " + uses.in);
    this->expect(link_data_o[i], needed, "data of " + uses.out);
  }
  void read_data(std::size_t i, hybrid::FlitData& data) const override { from_bits(link_data_i[i].read(), data); }
  void write_data(std::size_t i, const hybrid::FlitData& data) override {
    link_data_o[i].write(to_bits<FlitWidth>(data));
  }
};

}  // namespace braid::models::pins
