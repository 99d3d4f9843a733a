package io.ringfence.chaos.cluster;

import java.util.List;

/**
 * Where the processes of a cluster live: which address each node has for its clients and for its
 * peers, and which words start a program there.
 */
public interface Site {
  /** All nodes on loopback, told apart by their ports alone. */
  Site LOOPBACK =
      new Site() {
        @Override
        public String host(String node) {
          return "127.0.0.1";
        }

        @Override
        public List<String> enter(String node) {
          return List.of();
        }
      };

  /** The one address of a node, which this process reaches too. */
  String host(String node);

  /** What a command line begins with to run where that node lives; may be empty. */
  List<String> enter(String node);
}
