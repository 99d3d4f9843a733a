package io.ringfence.peer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.ringfence.membership.Address;
import io.ringfence.membership.MemberId;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The payloads of the handshake. HELLO stays readable for every release to come: its fields never
 * change, later ones are appended, and a reader passes over what it does not know.
 */
final class HandshakePayloads {
  /** The length of a nonce. */
  static final int NONCE_BYTES = 32;

  /** "RFPX": the first bytes of the first payload. */
  static final int MAGIC = 0x52465058;

  private HandshakePayloads() {}

  /**
   * Whom somebody calls, and where.
   *
   * @param from the caller
   * @param to who is expected to answer
   * @param address where the caller dialled
   */
  record Call(MemberId from, MemberId to, Address address) {}

  /**
   * What a HELLO says, apart from its nonce.
   *
   * @param versions what the dialler speaks
   * @param cluster the cluster's name
   * @param call whom it calls
   * @param epoch the epoch of the dialler's view, 0 without one
   */
  record Hello(ProtocolRange versions, String cluster, Call call, long epoch) {

    HandshakeFrame frame(byte[] nonce) {
      return HandshakePayloads.frame(
          FrameCode.HELLO,
          out -> {
            out.writeInt(MAGIC);
            versions.write(out);
            out.writeBytes(nonce);
            Fields.writeText(cluster, out);
            Fields.writeMember(call.from, out);
            Fields.writeMember(call.to, out);
            Fields.writeAddress(call.address, out);
            out.writeLong(epoch);
          });
    }

    static Hello read(byte[] payload) {
      return Fields.prefix(FrameCode.HELLO, Unpooled.wrappedBuffer(payload), Hello::read);
    }

    private static Hello read(ByteBuf in) {
      if (in.readInt() != MAGIC) {
        throw new ProtocolException("not a peer's first bytes");
      }
      ProtocolRange versions = ProtocolRange.read(in);
      in.skipBytes(NONCE_BYTES);
      String cluster = Fields.readText(in, Limits.CLUSTER_BYTES);
      Call call = new Call(Fields.readMember(in), Fields.readMember(in), Fields.readAddress(in));
      return new Hello(versions, cluster, call, in.readLong());
    }
  }

  /**
   * What a CHALLENGE says, apart from its nonce.
   *
   * @param version the version to speak
   * @param versions what the listener speaks; under the proofs, so that nobody in between can talk
   *     the two down
   */
  record Challenge(int version, ProtocolRange versions) {

    HandshakeFrame frame(byte[] nonce) {
      return HandshakePayloads.frame(
          FrameCode.CHALLENGE,
          out -> {
            out.writeShort(version);
            versions.write(out);
            out.writeBytes(nonce);
          });
    }

    static Challenge read(byte[] payload) {
      return Fields.complete(
          FrameCode.CHALLENGE,
          Unpooled.wrappedBuffer(payload),
          in -> {
            Challenge challenge = new Challenge(in.readUnsignedShort(), ProtocolRange.read(in));
            in.skipBytes(NONCE_BYTES);
            return challenge;
          });
    }
  }

  /**
   * What a WELCOME says before its proof.
   *
   * @param member who answers
   * @param epoch the epoch of its view, 0 without one
   */
  record Welcome(MemberId member, long epoch) {

    /** The part of the payload that the proof covers. */
    byte[] claim() {
      return HandshakePayloads.frame(
              FrameCode.WELCOME,
              out -> {
                Fields.writeMember(member, out);
                out.writeLong(epoch);
              })
          .payload();
    }

    /** The frame: the claim and then its proof. */
    HandshakeFrame frame(byte[] proof) {
      return HandshakePayloads.frame(
          FrameCode.WELCOME, out -> out.writeBytes(claim()).writeBytes(proof));
    }

    static Welcome read(byte[] payload) {
      return Fields.complete(
          FrameCode.WELCOME,
          Unpooled.wrappedBuffer(payload),
          in -> {
            Welcome welcome = new Welcome(Fields.readMember(in), in.readLong());
            in.skipBytes(HandshakeKey.PROOF_BYTES);
            return welcome;
          });
    }

    /** The proof at the end of a payload that {@link #read} has accepted. */
    static byte[] proof(byte[] payload) {
      return Arrays.copyOfRange(payload, payload.length - HandshakeKey.PROOF_BYTES, payload.length);
    }
  }

  static HandshakeFrame refused(HandshakeRefusal reason) {
    return frame(FrameCode.REFUSED, out -> out.writeShort(reason.code()));
  }

  static HandshakeRefusal readRefused(byte[] payload) {
    return HandshakeRefusal.ofCode(
        Fields.complete(
            FrameCode.REFUSED, Unpooled.wrappedBuffer(payload), ByteBuf::readUnsignedShort));
  }

  private static HandshakeFrame frame(FrameCode code, Consumer<ByteBuf> writer) {
    ByteBuf out = Unpooled.buffer();
    writer.accept(out);
    return new HandshakeFrame(code, ByteBufUtil.getBytes(out));
  }
}
