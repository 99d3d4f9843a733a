package io.ringfence.peer;

import io.netty.buffer.ByteBuf;
import io.ringfence.engine.message.StatusMessage;
import io.ringfence.membership.Introduction;
import io.ringfence.membership.Lineage;
import io.ringfence.membership.Member;
import io.ringfence.membership.MemberState;
import io.ringfence.membership.View;
import io.ringfence.membership.ViewName;
import io.ringfence.membership.ViewStamp;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The payloads that carry views and facts of members; docs/protocol.md lists the fields. */
final class ViewCodec {
  private static final int LINEAGE_BYTES = Short.BYTES + Long.BYTES;

  /** A stamp: lineage and name. */
  static final int STAMP_BYTES = LINEAGE_BYTES + Fields.VIEW_NAME_BYTES;

  private ViewCodec() {}

  static int bytes(View view) {
    int bytes = LINEAGE_BYTES + Fields.VIEW_NAME_BYTES + Byte.BYTES + Short.BYTES;
    for (Member member : view.members()) {
      bytes += factsBytes(member) + 2 * Byte.BYTES;
    }
    return bytes;
  }

  static void write(View view, ByteBuf out) {
    writeLineage(view.lineage(), out);
    Fields.writeViewName(view.name(), out);
    Fields.writeFlag(view.settled(), out);
    out.writeShort(view.members().size());
    for (Member member : view.members()) {
      Fields.writeMember(member.id(), out);
      Fields.writeAddress(member.peer(), out);
      Fields.writeAddress(member.http(), out);
      out.writeByte(member.weight());
      out.writeByte(member.state().code());
      out.writeByte(member.baseWeight());
    }
  }

  static View readView(ByteBuf in) {
    Lineage lineage = readLineage(in);
    ViewName name = Fields.readViewName(in);
    boolean settled = Fields.readFlag(in);
    int count = in.readUnsignedShort();
    if (count > View.MAX_MEMBERS) {
      throw new ProtocolException("a view of " + count + " members");
    }
    List<Member> members = new ArrayList<>(Math.min(count, 64));
    for (int i = 0; i < count; i++) {
      members.add(readMember(in));
    }
    return new View(lineage, name, members, settled);
  }

  private static Member readMember(ByteBuf in) {
    Introduction facts = readIntroduction(in);
    return new Member(
        facts.id(),
        facts.peer(),
        facts.http(),
        facts.weight(),
        MemberState.fromCode(in.readUnsignedByte()),
        in.readUnsignedByte());
  }

  static int bytes(Introduction facts) {
    return factsBytes(facts.as(MemberState.ACTIVE, false));
  }

  static void write(Introduction facts, ByteBuf out) {
    Fields.writeMember(facts.id(), out);
    Fields.writeAddress(facts.peer(), out);
    Fields.writeAddress(facts.http(), out);
    out.writeByte(facts.weight());
  }

  static Introduction readIntroduction(ByteBuf in) {
    return new Introduction(
        Fields.readMember(in),
        Fields.readAddress(in),
        Fields.readAddress(in),
        in.readUnsignedByte());
  }

  static int bytes(StatusMessage status) {
    int text = Fields.textBytes(status.rulesVersion());
    if (text > Fields.LENGTH_BYTES + Limits.TEXT_BYTES) {
      throw new IllegalArgumentException(
          "a rules version is 0.." + Limits.TEXT_BYTES + " bytes of UTF-8");
    }
    return stampBytes(status.view()) + text;
  }

  static void write(StatusMessage status, ByteBuf out) {
    writeStamp(status.view(), out);
    Fields.writeText(status.rulesVersion(), out);
  }

  static StatusMessage readStatus(ByteBuf in) {
    return new StatusMessage(readStamp(in), Fields.readText(in, Limits.TEXT_BYTES));
  }

  /** The length of a stamp that may be absent. */
  static int stampBytes(@Nullable ViewStamp stamp) {
    return Byte.BYTES + (stamp == null ? 0 : STAMP_BYTES);
  }

  static void writeStamp(@Nullable ViewStamp stamp, ByteBuf out) {
    Fields.writeFlag(stamp != null, out);
    if (stamp != null) {
      writeKnownStamp(stamp, out);
    }
  }

  static @Nullable ViewStamp readStamp(ByteBuf in) {
    return Fields.readFlag(in) ? readKnownStamp(in) : null;
  }

  static void writeKnownStamp(ViewStamp stamp, ByteBuf out) {
    writeLineage(stamp.lineage(), out);
    Fields.writeViewName(stamp.name(), out);
  }

  static ViewStamp readKnownStamp(ByteBuf in) {
    return new ViewStamp(readLineage(in), Fields.readViewName(in));
  }

  private static int factsBytes(Member member) {
    return Fields.memberBytes(member.id())
        + Fields.addressBytes(member.peer())
        + Fields.addressBytes(member.http())
        + Byte.BYTES;
  }

  private static void writeLineage(Lineage lineage, ByteBuf out) {
    out.writeShort(lineage.sizeAtBirth()).writeLong(lineage.id());
  }

  private static Lineage readLineage(ByteBuf in) {
    return new Lineage(in.readUnsignedShort(), in.readLong());
  }
}
