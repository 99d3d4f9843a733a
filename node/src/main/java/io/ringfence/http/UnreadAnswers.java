package io.ringfence.http;

import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the clients of a server have been sent and do not read, over all connections.
 *
 * <p>One connection is bounded by itself, yet ten thousand of them that each hold a little less
 * would be a gigabyte. So whatever a flush leaves behind is counted here, and when all of it
 * together passes the bound, the connection that has had something unread for the longest time is
 * closed ("drop the one that has not read for longest"). A client that reads is never the oldest
 * for long; one that reads a byte now and then stays where it is and goes first.
 *
 * <p>A client that reads what it is sent costs nothing here, as the system takes its answers whole.
 *
 * <p>Thread-safe; holds its lock for a few instructions, and closes outside of it.
 */
final class UnreadAnswers {
  private final long maxBytes;
  // In the order in which they began not to be read. Guarded by this.
  private final Map<Channel, Long> unread = new LinkedHashMap<>();
  // The sum of the values of unread; at most maxBytes after every call. Guarded by this.
  private long totalBytes;

  /**
   * @param maxBytes what all connections together may hold, from 1
   */
  UnreadAnswers(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /**
   * A connection holds that many bytes now; 0 when its client has read all, or it is gone.
   *
   * @return the connections that were closed to make room, for the caller to count
   */
  int holds(Channel channel, long bytes) {
    List<Channel> dropped = update(channel, bytes);
    for (Channel each : dropped) {
      var unused = each.close();
    }
    return dropped.size();
  }

  private synchronized List<Channel> update(Channel channel, long bytes) {
    Long before = bytes == 0 ? unread.remove(channel) : unread.put(channel, bytes);
    totalBytes += bytes - (before == null ? 0 : before);
    if (totalBytes <= maxBytes) {
      return List.of();
    }
    List<Channel> dropped = new ArrayList<>(1);
    for (var oldest = unread.entrySet().iterator(); totalBytes > maxBytes && oldest.hasNext(); ) {
      Map.Entry<Channel, Long> next = oldest.next();
      totalBytes -= next.getValue();
      dropped.add(next.getKey());
      oldest.remove();
    }
    return dropped;
  }

  /** What all connections hold together. */
  synchronized long totalBytes() {
    return totalBytes;
  }
}
