// Payloads are used again, each time as new.
#include "models/tlm/sockets/payload_pool.h"

#include <gtest/gtest.h>

namespace braid::test::payload_pool_test {

TEST(PayloadPool, GivesWhatComesBackAgainAsNew) {
  models::PayloadPool<> pool;
  tlm::tlm_generic_payload& first = pool.take();
  EXPECT_EQ(first.get_ref_count(), 1);
  EXPECT_EQ(pool.in_use(), 1U);
  unsigned char byte = 0;
  first.set_command(tlm::TLM_WRITE_COMMAND);
  first.set_address(7);
  first.set_data_ptr(&byte);
  first.set_data_length(1);
  first.set_streaming_width(1);
  first.set_byte_enable_ptr(&byte);
  first.set_byte_enable_length(1);
  first.set_dmi_allowed(true);
  first.set_response_status(tlm::TLM_OK_RESPONSE);
  first.set_gp_option(tlm::TLM_FULL_PAYLOAD_ACCEPTED);
  first.release();
  EXPECT_EQ(pool.in_use(), 0U);

  tlm::tlm_generic_payload& again = pool.take();
  ASSERT_EQ(&again, &first);
  EXPECT_EQ(again.get_command(), tlm::TLM_IGNORE_COMMAND);
  EXPECT_EQ(again.get_address(), 0U);
  EXPECT_EQ(again.get_data_ptr(), nullptr);
  EXPECT_EQ(again.get_data_length(), 0U);
  EXPECT_EQ(again.get_streaming_width(), 0U);
  EXPECT_EQ(again.get_byte_enable_ptr(), nullptr);
  EXPECT_EQ(again.get_byte_enable_length(), 0U);
  EXPECT_FALSE(again.is_dmi_allowed());
  EXPECT_EQ(again.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
  EXPECT_EQ(again.get_gp_option(), tlm::TLM_MIN_PAYLOAD);
  EXPECT_EQ(again.get_ref_count(), 1);
  again.release();
}

}  // namespace braid::test::payload_pool_test
