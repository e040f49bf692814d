// What things cost on a platform. Comes from the platform file (`costs:`), never from the wall
// clock during a run. The real backend uses a table of zeros: there, things cost what they cost.
#pragma once

namespace pslab {

/// Seconds each. A worker pays for its own accesses, arithmetic and sending; a node's server pays
/// for receiving, handling and answering messages.
struct CostTable {
  double step = 0.0;          ///< fixed cost of one training step besides arithmetic and accesses
  double flop = 0.0;          ///< one floating-point operation of a step's arithmetic
  double local_access = 0.0;  ///< one key pulled or pushed in the node's own store
  double local_byte = 0.0;    ///< one byte of a value copied or added in the own store
  double send_message = 0.0;  ///< processor time to send one message
  double receive_message = 0.0;  ///< processor time to receive one message
  double message_byte = 0.0;     ///< processor time per byte sent or received
  double message_key = 0.0;      ///< processor time to look up and handle one key of a message
};

}  // namespace pslab
