package io.ringfence.config;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.engine.BoundsSettings;
import io.ringfence.engine.ForwardSettings;
import io.ringfence.engine.ReplicationSettings;
import io.ringfence.membership.Address;
import io.ringfence.membership.LeaseSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeFileTest {
  private static final String SECRET = "0123456789abcdef";
  private static final String TOKEN = "t0ken-t0ken-t0ken!~";

  @TempDir Path directory;
  private Path file = Path.of("");

  @BeforeEach
  void nameTheFile() {
    file = directory.resolve("node.yaml");
  }

  @Test
  void withoutAnythingItIsANodeAloneOnLoopback() throws ConfigException {
    LoadedNode loaded = NodeFile.load(null, Map.of(), null);

    NodeConfig config = loaded.config();
    assertEquals(new NodeSettings("n1", 1, null, null), config.node());
    assertEquals(Address.parse("127.0.0.1:8080"), config.serving().http());
    assertEquals(AdminSettings.DEFAULT, config.serving().admin());
    assertTrue(config.serving().adminOnHttp());
    assertEquals(EnumSet.allOf(HeaderDialect.class), config.serving().dialects());
    assertEquals(Duration.ofSeconds(20), config.serving().drain());
    assertNull(config.cluster());
    assertEquals(ForwardSettings.DEFAULT, config.forward());
    assertEquals(BoundsSettings.DEFAULT, config.bounds());
    assertEquals(List.of(), loaded.warnings());
  }

  @Test
  void everyKeyIsRead() throws Exception {
    Files.writeString(directory.resolve("secret"), "  " + SECRET + "\n");
    tokenFile(TOKEN + "\n", "rw-------");
    LoadedNode loaded =
        load(
            """
            node:    {name: n2, zone: a, weight: 3, data: /var/lib/ringfence}
            listen:  {http: 127.0.0.1:8081, admin: 127.0.0.1:9901, grpc: off, peer: 127.0.0.1:7102, cluster: "[::1]:5702"}
            cluster: {name: prod, expect: 3, join: [127.0.0.1:5701, "seed.example", "[::1]:5703"], secret_file: secret}
            auth:    {admin_token_file: token}
            trust:   {proxies: [10.0.0.0/8, "::1"], ipv6_prefix: 56}
            identity: {client: [header:X-Api-Key, ip], user: [header:X-User-Id], tier: header:X-Tier}
            headers: {dialects: [x-legacy], retry_spread: 5s}
            forward: {deadline: 1s, breaker_failures: 7, probe: 2s}
            replication: {interval: 20ms, max_lag: 200ms}
            view:    {ping: 50ms, lease: 600ms, hold_down: 1s}
            shutdown: {drain: 5s}
            bounds:  {keys: 50000, key_bytes: 128, batch: 10, body: 32KiB, fallback_per_second: 500}
            rules:   rules.yaml
            """);

    NodeConfig config = loaded.config();
    assertEquals(
        new NodeSettings("n2", 3, directory.resolve("rules.yaml"), Path.of("/var/lib/ringfence")),
        config.node());
    assertEquals(
        new ServingSettings(
            Address.parse("127.0.0.1:8081"),
            config.serving().admin(),
            Set.of(HeaderDialect.X_LEGACY),
            Duration.ofSeconds(5)),
        config.serving());
    assertEquals(Address.parse("127.0.0.1:9901"), config.serving().admin().listen());
    assertToken(TOKEN, config.serving().admin());
    ClusterSettings cluster = config.cluster();
    assertNotNull(cluster);
    assertEquals("prod", cluster.name());
    assertEquals(3, cluster.expect());
    assertEquals(List.of("127.0.0.1:5701", "seed.example:5701", "[::1]:5703"), cluster.join());
    assertEquals(Address.parse("127.0.0.1:7102"), cluster.listen().peer());
    assertEquals(Address.parse("[::1]:5702"), cluster.listen().cluster());
    assertSecret(SECRET, cluster);
    assertEquals(
        new ForwardSettings(Duration.ofSeconds(1), 7, Duration.ofSeconds(2)), config.forward());
    assertEquals(new BoundsSettings(50_000, 128, 10, 32 * 1024, 500), config.bounds());
    assertEquals(new LeaseSettings(50_000_000, 600_000_000, 1_000_000_000), config.lease());
    assertEquals(
        new ReplicationSettings(Duration.ofMillis(20), Duration.ofMillis(200)),
        config.replication());
    assertEquals(7, loaded.warnings().size(), () -> loaded.warnings().toString());
    assertTrue(
        loaded
            .warnings()
            .contains(
                "node.zone has no effect in this release: copies are not spread over zones yet"));
  }

  @Test
  void whatIsSetToItsDefaultIsNoWarning() throws Exception {
    LoadedNode loaded =
        load(
            """
            listen: {admin: off, grpc: off}
            headers: {dialects: [triple, x-legacy], retry_spread: 0s}
            replication: {interval: 10ms, max_lag: 100ms}
            view: {ping: 100ms, lease: 500ms, hold_down: 2s}
            bounds: {batch: 1000}
            """);

    assertEquals(List.of(), loaded.warnings());
  }

  @Test
  void flagsWinOverTheFile() throws Exception {
    Files.writeString(directory.resolve("mine"), "flag-flag-flag-flag");
    Files.writeString(file, "node: {name: n2}\nlisten: {http: 127.0.0.1:1}\nrules: other.yaml");
    LoadedNode loaded =
        NodeFile.load(
            file,
            Map.of(
                NodeFlag.NAME, "n9",
                NodeFlag.HTTP, "127.0.0.1:0",
                NodeFlag.PEER, "127.0.0.1:7109",
                NodeFlag.CLUSTER, "127.0.0.1:5709",
                NodeFlag.JOIN, "127.0.0.1:5701, 127.0.0.1:5702",
                NodeFlag.RULES, "here.yaml",
                NodeFlag.SECRET_FILE, directory.resolve("mine").toString()),
            "environment-environment");

    NodeConfig config = loaded.config();
    assertEquals(new NodeSettings("n9", 1, Path.of("here.yaml"), null), config.node());
    assertEquals(0, config.serving().http().port());
    ClusterSettings cluster = config.cluster();
    assertNotNull(cluster);
    assertEquals(List.of("127.0.0.1:5701", "127.0.0.1:5702"), cluster.join());
    assertSecret("flag-flag-flag-flag", cluster);
    assertEquals(List.of(), loaded.warnings());
  }

  @Test
  void aClusteredNodeWithoutANameIsCalledByItsPeerAddress() throws ConfigException {
    LoadedNode loaded = NodeFile.load(null, Map.of(NodeFlag.PEER, "127.0.0.1:7105"), SECRET);

    assertEquals("127.0.0.1-7105", loaded.config().node().name());
  }

  @Test
  void whereThePeerPortIsAnyFreeOneANameIsMadeUpForThisStart() throws ConfigException {
    LoadedNode loaded = NodeFile.load(null, Map.of(NodeFlag.PEER, "127.0.0.1:0"), SECRET);

    assertTrue(loaded.config().node().name().matches("node-[0-9a-f]{8}"));
    assertTrue(loaded.warnings().get(0).contains("node.name is missing"));
  }

  @Test
  void onLoopbackASecretMayBeLeftOutAtThePriceOfAWarning() throws ConfigException {
    LoadedNode loaded = NodeFile.load(null, Map.of(NodeFlag.JOIN, "127.0.0.1:5701"), " ");

    ClusterSettings cluster = loaded.config().cluster();
    assertNotNull(cluster);
    assertNull(cluster.secret());
    assertEquals(Address.parse("127.0.0.1:7101"), cluster.listen().peer());
    assertEquals(1, loaded.warnings().size());
    assertTrue(loaded.warnings().get(0).contains("RINGFENCE_SECRET"));
  }

  @ParameterizedTest
  @CsvSource({"PEER, listen.peer", "CLUSTER, listen.cluster"})
  void offLoopbackANodeWithoutASecretRefusesToStart(NodeFlag flag, String field) throws Exception {
    ConfigException refused =
        assertThrows(
            ConfigException.class, () -> NodeFile.load(null, Map.of(flag, "10.0.0.7:7000"), null));

    String problem = refused.problems().get(0);
    assertTrue(problem.contains(field + " 10.0.0.7:7000 is not a loopback address"), problem);
    assertTrue(problem.contains("--secret-file, cluster.secret_file or RINGFENCE_SECRET"), problem);
    assertNotNull(NodeFile.load(null, Map.of(flag, "10.0.0.7:7000"), SECRET).config().cluster());
  }

  @Test
  void aSecretIsNeverPrinted() throws ConfigException {
    LoadedNode loaded = NodeFile.load(null, Map.of(NodeFlag.JOIN, "127.0.0.1:5701"), SECRET);

    assertFalse(loaded.toString().contains(SECRET));
    ConfigException refused =
        assertThrows(ConfigException.class, () -> NodeFile.load(null, Map.of(), "too-short-aB3"));
    assertFalse(refused.toString().contains("aB3"));
    assertTrue(refused.toString().contains("from 16 to 1024 bytes, not 13"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nod: {name: a} | \"nod\": is not a known field; did you mean node?",
        "node: a | node: must be a mapping of fields, not text",
        "node: {nmae: a} | node.\"nmae\": is not a known field; did you mean name?",
        "node: {name: a b} | node.name: must be 1 to 64 letters",
        "node: {name: a@b} | node.name: must be 1 to 64 letters",
        "node: {name: a, name: b} | node.\"name\": stands here twice",
        "node: {weight: 0} | node.weight: must be a whole number from 1 to 100",
        "node: {weight: 101} | node.weight: must be a whole number from 1 to 100",
        "node: {zone: ''} | node.zone: must be 1 to 64 letters",
        "node: {data: } | node.data: must be a single value, not nothing",
        "listen: {http: 8080} | listen.http: expected host:port",
        "listen: {http: 127.0.0.1:65536} | listen.http: port 65536 is outside",
        "listen: {http: off} | listen.http: expected host:port",
        "listen: {http: a b:1} | listen.http: host is not a name",
        "listen: {admin: on} | listen.admin: expected host:port",
        "listen: {grpc: 1} | listen.grpc: expected host:port",
        "listen: {peer: 127.0.0.1:7101, cluster: off} | listen.cluster: is off while others are to"
            + " be met",
        "listen: {peer: off, cluster: off}\\ncluster: {join: [a]} | cluster.join: has no meaning",
        "listen: {peer: 0.0.0.0:7101} | listen.peer 0.0.0.0:7101 stands for every interface",
        "listen: {peer: 127.0.0.1:7101, cluster: '[::]:5701'} | listen.cluster [::]:5701 stands for"
            + " every",
        "listen: {peer: 127.0.0.1:8080} | listen.peer and listen.http are both 127.0.0.1:8080",
        "listen: {peer: 127.0.0.1:5701} | listen.cluster and listen.peer are both 127.0.0.1:5701",
        "cluster: {name: ''} | cluster.name: must be 1 to 64",
        "cluster: {expect: 0} | cluster.expect: must be a whole number from 1 to 1024",
        "cluster: {expect: 3} | cluster.expect: is 3, but without listen.peer or cluster.join",
        "cluster: {join: []} | cluster.join: must not be an empty list",
        "cluster: {join: [a:b:c]} | cluster.join: ",
        "cluster: {join: [127.0.0.1:5701, 127.0.0.1:5701]} | cluster.join: has \"127.0.0.1:5701\""
            + " twice",
        "cluster: {secret_file: none} | cluster.secret_file: ",
        "listen: {admin: '0.0.0.0:9901'} | listen.admin 0.0.0.0:9901 is not a loopback address, and"
            + " there is no token",
        "listen: {admin: 127.0.0.1:8080} | listen.admin and listen.http are both 127.0.0.1:8080",
        "listen: {admin: 127.0.0.1:7101, peer: 127.0.0.1:7101} | listen.peer and listen.admin are"
            + " both",
        "listen: {admin: 127.0.0.1:1, peer: 127.0.0.1:7101, cluster: 127.0.0.1:1} | listen.cluster"
            + " and listen.admin are both",
        "auth: {admin_token_file: none} | none: there is no such file",
        "auth: {admin_token_file: ''} | auth.admin_token_file: must not be empty",
        "auth: {token: x} | auth.\"token\": is not a known field (known: admin_token_file)",
        "trust: {proxies: 10.0.0.1/8} | trust.proxies: has bits set",
        "trust: {ipv6_prefix: 129} | trust.ipv6_prefix: must be a whole number from 32 to 128",
        "identity: {client: cookie:x} | identity.client: must be ip or header:NAME",
        "identity: {user: 'header:'} | identity.user: must be ip or header:NAME",
        "identity: {tier: 'header:a b'} | identity.tier: must be ip or header:NAME",
        "headers: {dialects: [ietf]} | headers.dialects: must be one of triple, x-legacy, not"
            + " \"ietf\"",
        "headers: {dialects: [triple, triple]} | headers.dialects: has \"triple\" twice",
        "headers: {retry_spread: 5} | headers.retry_spread: must be a number and a unit",
        "forward: {deadline: 0ms} | forward.deadline: must be from 1ms to 60s",
        "forward: {deadline: 20} | forward.deadline: must be a number and a unit",
        "forward: {deadline: -20ms} | forward.deadline: must be a number and a unit",
        "forward: {deadline: 2m} | forward.deadline: must be from 1ms to 60s",
        "forward: {breaker_failures: 0} | forward.breaker_failures: must be a whole number from 1"
            + " to 1000",
        "forward: {probe: 1ms} | forward.probe: must be from 10ms to 60s",
        "replication: {interval: 0ms} | replication.interval: must be from 1ms to 1s",
        "replication: {interval: 1s} | replication.max_lag: must be longer than interval",
        "view: {lease: 100ms} | view.lease: must be longer than ping",
        "view: {hold_down: 1d} | view.hold_down: must be from 0s to 10m",
        "shutdown: {drain: 11m} | shutdown.drain: must be from 0s to 10m",
        "bounds: {keys: 10} | bounds.keys: must be a whole number from 1000 to 1000000000",
        "bounds: {key_bytes: 5000} | bounds.key_bytes: must be a whole number from 1 to 4096",
        "bounds: {batch: 0} | bounds.batch: must be a whole number from 1 to 10000",
        "bounds: {body: 64KB} | bounds.body: must be a size in bytes, KiB or MiB",
        "bounds: {fallback_per_second: 0} | bounds.fallback_per_second: must be a whole number from"
            + " 1",
        "bounds: {body: 17MiB} | bounds.body: must be a size",
        "bounds: {body: 9999999999MiB} | bounds.body: must be a size",
        "rules: [a] | rules: must be a single value, not a list",
        "rules: '' | rules: must not be empty",
        "rules: \"a\\0b\" | rules: ",
      })
  void aBadFileIsRefusedWithItsPlace(String text, String problem) {
    ConfigException refused =
        assertThrows(ConfigException.class, () -> load(text.replace("\\n", "\n")), () -> text);

    assertTrue(
        refused.problems().stream().anyMatch(line -> line.contains(problem)),
        () -> "expected " + problem + " in " + refused.getMessage());
    assertTrue(refused.problems().stream().allMatch(line -> line.startsWith(file.toString())));
  }

  @Test
  void aBadFlagIsNamedAsAFlag() {
    ConfigException refused =
        assertThrows(
            ConfigException.class, () -> NodeFile.load(null, Map.of(NodeFlag.HTTP, "x"), null));

    assertTrue(refused.problems().get(0).startsWith("--http: listen.http: expected host:port"));
    assertThrows(
        ConfigException.class, () -> NodeFile.load(null, Map.of(NodeFlag.JOIN, "a:1,,b:2"), null));
  }

  @Test
  void aMissingFileIsNamed() {
    ConfigException refused =
        assertThrows(ConfigException.class, () -> NodeFile.load(file, Map.of(), null));

    assertEquals(List.of(file + ": there is no such file"), refused.problems());
  }

  @Test
  void anAdminAddressThatOthersReachNeedsAToken() throws Exception {
    tokenFile(TOKEN, "rw-------");
    LoadedNode loaded = load("listen: {admin: '0.0.0.0:9901'}\nauth: {admin_token_file: token}");

    assertToken(TOKEN, loaded.config().serving().admin());
    assertFalse(loaded.config().serving().adminOnHttp());
    assertEquals(List.of(), loaded.warnings());
  }

  @Test
  void whereOthersReachTheHttpAddressAdminCallsAreNotServedThere() throws Exception {
    tokenFile(TOKEN, "rw-------");
    LoadedNode loaded = load("listen: {http: '0.0.0.0:80'}\nauth: {admin_token_file: token}");

    assertFalse(loaded.config().serving().adminOnHttp());
    assertEquals(1, loaded.warnings().size());
    assertTrue(loaded.warnings().get(0).startsWith("auth.admin_token_file has no effect"));
  }

  @Test
  void aTokenThatOthersMayReadIsWarnedOf() throws Exception {
    for (String permissions : List.of("rw-r-----", "rw----r--", "r--r--r--")) {
      tokenFile(TOKEN, permissions);
      LoadedNode loaded = load("auth: {admin_token_file: token}");

      assertToken(TOKEN, loaded.config().serving().admin());
      assertEquals(1, loaded.warnings().size(), permissions);
      String warning = loaded.warnings().get(0);
      assertTrue(warning.contains("(" + permissions + ")"), warning);
      assertFalse(warning.contains(TOKEN), warning);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "short-of-sixteen",
        "a blank inside of it",
        "fünfzehn-und-mehr",
        "tab\tinside-of-it"
      })
  void aBadTokenIsRefusedWithoutBeingRepeated(String token) throws Exception {
    tokenFile(token.equals("short-of-sixteen") ? token.substring(1) : token, "rw-------");
    ConfigException refused =
        assertThrows(ConfigException.class, () -> load("auth: {admin_token_file: token}"));

    String problem = refused.problems().get(0);
    assertTrue(problem.contains("auth.admin_token_file: a token has "), problem);
    assertFalse(token.length() > 1 && problem.contains(token.substring(1)), problem);
  }

  @Test
  void aTokenHasAtMost4096Characters() throws Exception {
    tokenFile("x".repeat(4_096), "rw-------");
    assertToken(
        "x".repeat(4_096), load("auth: {admin_token_file: token}").config().serving().admin());
    tokenFile("x".repeat(4_097), "rw-------");
    assertThrows(ConfigException.class, () -> load("auth: {admin_token_file: token}"));
  }

  @Test
  void theFlagOfTheTokenWins() throws Exception {
    tokenFile("the-token-of-the-file", "rw-------");
    Path mine = Files.writeString(directory.resolve("mine"), TOKEN);
    Files.writeString(file, "auth: {admin_token_file: token}");
    LoadedNode loaded =
        NodeFile.load(file, Map.of(NodeFlag.ADMIN_TOKEN_FILE, mine.toString()), null);

    assertToken(TOKEN, loaded.config().serving().admin());
    assertEquals("AdminToken[***]", String.valueOf(loaded.config().serving().admin().token()));
  }

  private void tokenFile(String text, String permissions) throws Exception {
    Path token = directory.resolve("token");
    Files.deleteIfExists(token);
    Files.writeString(token, text);
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString(permissions));
  }

  private static void assertToken(String expected, AdminSettings admin) {
    @Nullable AdminToken token = admin.token();
    assertNotNull(token);
    assertArrayEquals(expected.getBytes(StandardCharsets.US_ASCII), token.bytes());
  }

  private LoadedNode load(String text) throws Exception {
    Files.writeString(file, text);
    return NodeFile.load(file, Map.of(), null);
  }

  private static void assertSecret(String expected, ClusterSettings cluster) {
    @Nullable Secret secret = cluster.secret();
    assertNotNull(secret);
    assertArrayEquals(expected.getBytes(StandardCharsets.UTF_8), secret.bytes());
  }
}
