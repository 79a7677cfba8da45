#include "models/pins/link_ends.h"

namespace braid::models::pins {

LinkEnds::LinkEnds(const sc_core::sc_module_name& name)
    : ClockedPins(name),
      link_valid_i("link_valid_i"),
      link_head_i("link_head_i"),
      link_tail_i("link_tail_i"),
      link_lane_i("link_lane_i"),
      credit_o("credit_o"),
      link_valid_o("link_valid_o"),
      link_head_o("link_head_o"),
      link_tail_o("link_tail_o"),
      link_lane_o("link_lane_o"),
      credit_i("credit_i") {}

void LinkEnds::make_links(std::size_t links) {
  make_pins(links, link_valid_i, link_head_i, link_tail_i, link_lane_i, credit_o, link_valid_o, link_head_o,
            link_tail_o, link_lane_o, credit_i);
}

void LinkEnds::check_link(std::size_t i, bool needed, const Uses& uses) {
  expect(link_valid_i[i], needed, uses.in);
  expect(link_head_i[i], needed, uses.in);
  expect(link_tail_i[i], needed, uses.in);
  expect(link_lane_i[i], needed, uses.in);
  expect(credit_o[i], needed, uses.credit_out);
  expect(link_valid_o[i], needed, uses.out);
  expect(link_head_o[i], needed, uses.out);
  expect(link_tail_o[i], needed, uses.out);
  expect(link_lane_o[i], needed, uses.out);
  expect(credit_i[i], needed, uses.credit_in);
  check_data_pins(i, needed, uses);
  watch(link_valid_i[i]);
  watch(credit_i[i]);
}

void LinkEnds::read_link(std::size_t i, hybrid::FlitWires& link, std::uint32_t& credits) const {
  credits = credit_i[i].read().to_uint();
  link.valid = link_valid_i[i].read();
  if (!link.valid) return;
  link.head = link_head_i[i].read();
  link.tail = link_tail_i[i].read();
  link.lane = link_lane_i[i].read().to_uint();
  read_data(i, link.data);
}

void LinkEnds::write_link(std::size_t i, const hybrid::FlitWires& link, std::uint32_t credits, bool all) {
  credit_o[i].write(credits);
  link_valid_o[i].write(link.valid);
  if (!link.valid && !all) return;
  link_head_o[i].write(link.head);
  link_tail_o[i].write(link.tail);
  link_lane_o[i].write(link.lane);
  write_data(i, link.data);
}

}  // namespace braid::models::pins
