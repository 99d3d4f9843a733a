package io.ringfence.chaos.faults;

import io.ringfence.chaos.cluster.ClusterPage;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Some nodes are cut off from the others, for long enough that the others go on without them; then
 * it is healed. Of two halves the one with the senior goes on.
 *
 * <pre>
 *   strict    L
 *   closed    L
 *   share     L + max(1, floor(L/n)) a node that was cut off
 *   open      unbounded and flagged; what owners admit: L
 *   async     + what an owner that was cut off admitted since its backup's last acknowledgement,
 *             for one lease at most
 *   owner and backup both cut off: what on_state_lost leaves; strict: 0
 * </pre>
 *
 * @param off how many are cut off
 */
record Split(String name, List<String> nodes, int off, List<Policy> policies) implements Fault {
  private static final Duration CUT = Duration.ofSeconds(6);

  @Override
  public String title() {
    return "split " + (nodes.size() - off) + "\\|" + off + ", then healed";
  }

  @Override
  public boolean cutsLinks() {
    return true;
  }

  @Override
  public Duration lasts() {
    return CUT.plusSeconds(6);
  }

  @Override
  public Target aim(Stage stage, Random random) {
    boolean halves = nodes.size() == 2 * off;
    ClusterPage page = stage.awaitView(nodes);
    String senior = page.members().get(0).name();
    List<String> candidates = halves ? Nodes.without(nodes, senior) : nodes;
    List<String> cutOff = Nodes.some(candidates, off, random);
    return new Target(Set.copyOf(cutOff), cutOff.get(0), Set.copyOf(Nodes.without(nodes, cutOff)));
  }

  @Override
  public void strike(Stage stage, Target target) {
    stage.fabric().split(target.victims(), target.askers());
  }

  @Override
  public void follow(Stage stage, Target target) {
    Stage.hold(CUT);
    stage.fabric().heal();
    stage.awaitView(nodes);
  }

  @Override
  public boolean losesCounters() {
    return off > 1;
  }

  /** What open admits is flagged and counted, and owed to nobody. */
  @Override
  public boolean everythingIsDebited(Policy policy) {
    return !policy.onPartition().equals("open");
  }

  @Override
  public long counted(Case facts) {
    boolean open = facts.policy().onPartition().equals("open");
    return open ? facts.story().admittedByOwners() : facts.story().admitted();
  }

  @Override
  public Bound bound(Case facts) {
    KeyStory story = facts.story();
    long unknown = facts.ownerHit() && facts.policy().isAsync() ? story.admittedAroundCut() : 0;
    long lost = facts.ownerAndBackupHit() ? facts.leftOfLost().allowed() : 0;
    boolean noCopy = facts.ownerAndBackupHit() && facts.policy().onStateLost().equals("spent");
    long floor = noCopy ? story.admittedUntil(story.incident().struckNanos()) : facts.floor();
    return new Bound(floor, facts.limit() + unknown + lost + facts.shares());
  }
}
