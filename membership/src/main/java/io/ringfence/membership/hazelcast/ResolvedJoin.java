package io.ringfence.membership.hazelcast;

import com.hazelcast.config.TcpIpConfig;
import io.ringfence.membership.Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The list of addresses at which Hazelcast looks for other members, with every name replaced by all
 * the addresses that it stands for now.
 *
 * <p>Hazelcast itself takes one address per name. It asks for the list each time that it looks
 * around, at the start and then every few seconds for parts of the cluster that have split off, so
 * a name whose addresses change (a headless service, say) is followed without a restart. Asking
 * blocks as long as the resolver does.
 *
 * <p>A name that cannot be resolved is left out this time, with one line in the log until it can.
 */
final class ResolvedJoin extends TcpIpConfig {
  private static final Logger log = LoggerFactory.getLogger(ResolvedJoin.class);

  /** Where names are looked up. */
  interface Resolver {
    InetAddress[] allByName(String host) throws UnknownHostException;
  }

  private final List<Address> join;
  private final Resolver resolver;
  private final Set<String> unknown = ConcurrentHashMap.newKeySet(); // logged, not yet found again

  ResolvedJoin(List<String> join) {
    this(join, InetAddress::getAllByName);
  }

  ResolvedJoin(List<String> join, Resolver resolver) {
    this.join = join.stream().map(Address::parse).toList();
    this.resolver = resolver;
    setEnabled(true);
  }

  @Override
  public List<String> getMembers() {
    List<String> members = new ArrayList<>();
    for (Address entry : join) {
      try {
        for (InetAddress address : resolver.allByName(entry.host())) {
          members.add(new Address(address.getHostAddress(), entry.port()).toString());
        }
        unknown.remove(entry.host());
      } catch (UnknownHostException e) {
        if (unknown.add(entry.host())) {
          log.warn("join entry {} cannot be resolved now and is left out", entry);
        }
      }
    }
    return members;
  }
}
