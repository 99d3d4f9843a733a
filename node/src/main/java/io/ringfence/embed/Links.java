package io.ringfence.embed;

import io.ringfence.engine.Relay;
import io.ringfence.engine.message.DetourMessage;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.membership.Candidate;
import io.ringfence.membership.MemberId;
import io.ringfence.peer.PeerNetwork;
import java.util.Collection;

/** The connections of a node with others, of which a node alone has none. */
interface Links extends Relay.Direct {

  /** For a node alone: nobody is reached, and nothing listens. */
  Links NONE =
      new Links() {
        @Override
        public boolean send(MemberId to, PeerMessage message) {
          return false;
        }

        @Override
        public boolean isConnected(MemberId member) {
          return false;
        }

        @Override
        public void disconnect(MemberId member) {}

        @Override
        public void connectTo(Collection<Candidate> all) {}
      };

  /** Says whom to be connected with: the whole set, each time. */
  void connectTo(Collection<Candidate> all);

  static Links over(PeerNetwork network) {
    return new Links() {
      @Override
      public boolean send(MemberId to, PeerMessage message) {
        // What fits by itself may not fit with the envelope of a relay; then it is lost.
        return (!(message instanceof DetourMessage) || PeerNetwork.fits(message))
            && network.send(to, message);
      }

      @Override
      public boolean isConnected(MemberId member) {
        return network.isConnected(member);
      }

      @Override
      public void disconnect(MemberId member) {
        network.disconnect(member);
      }

      @Override
      public void connectTo(Collection<Candidate> all) {
        network.connectTo(all);
      }
    };
  }
}
