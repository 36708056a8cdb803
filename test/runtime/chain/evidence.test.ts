/** Evidence that a client submits is refused, or comes into the next block, where its validator is punished once. */
import { create } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { ed25519Address } from '../../../src/core/comet/address.js';
import { evidenceHash } from '../../../src/core/comet/body-hash.js';
import { duplicateVotes } from '../../../src/core/comet/duplicate-vote.js';
import { fromTimestamp, toTimestamp } from '../../../src/core/comet/time.js';
import { indexOfAddress } from '../../../src/core/comet/validator-set.js';
import { voteSignBytes } from '../../../src/core/comet/vote.js';
import { DEV_CHAIN_ID } from '../../../src/core/genesis/dev-chain.js';
import { toHeight, toPosition, toTimeNs } from '../../../src/core/primitives.js';
import { type Evidence, EvidenceSchema } from '../../../src/core/proto/tendermint/types/evidence_pb.js';
import { SignedMsgType, VoteSchema } from '../../../src/core/proto/tendermint/types/types_pb.js';
import { reExecute } from '../../../src/runtime/re-execution/re-execute-log.js';
import { verifyDatabase } from '../../../src/runtime/rebuild/verify-database.js';
import { createPureCrypto } from '../../../src/runtime/host/crypto.js';
import { createEd25519Signer } from '../../../src/runtime/host/signer.js';
import { evidenceKey, PREFIX } from '../../../src/store/keys.js';
import { MemoryStore } from '../../support/memory-store.js';
import { devOf, firing, value } from '../../node/dev/support.js';
import { simulate, type SimulatedNode } from '../../node/simulated-node.js';
import { reopenable } from '../../support/reopenable.js';

const crypto = createPureCrypto();
/** The validator of the simulated genesis that signs no block. */
const absent = createEd25519Signer(new Uint8Array(32).fill(9));
const address = ed25519Address(crypto, absent.publicKey);

/** Two votes of the absent validator at a height; `lie` shifts the time of the evidence. */
function offence({ node }: SimulatedNode, at: bigint, { round = 0, lie = 0n } = {}): Evidence {
  const { chain } = node.api.queries;
  const validators = chain.validators(toHeight(at));
  if (validators === undefined) throw new Error('the height has validators');
  const time = fromTimestamp(chain.block(toHeight(at))?.block.header?.time);
  const vote = (mark: number) => {
    const hash = new Uint8Array(32).fill(mark);
    const unsigned = create(VoteSchema, {
      type: SignedMsgType.PRECOMMIT,
      height: at,
      round,
      blockId: { hash, partSetHeader: { total: 1, hash } },
      timestamp: toTimestamp(time),
      validatorAddress: address,
      validatorIndex: indexOfAddress(validators, address),
    });
    return { ...unsigned, signature: absent.sign(voteSignBytes(DEV_CHAIN_ID, unsigned)) };
  };
  const value = duplicateVotes([vote(1), vote(2)], validators, toTimeNs(time + lie));
  return create(EvidenceSchema, { sum: { case: 'duplicateVoteEvidence', value } });
}

const evidenceIn = ({ node }: SimulatedNode, height: bigint): number =>
  node.api.queries.chain.block(toHeight(height))?.block.evidence?.evidence.length ?? 0;
const punished = ({ node }: SimulatedNode, height: bigint): number =>
  node.api.queries.chain
    .results(toHeight(height))
    ?.events.filter(({ type, attributes }) => type === 'slash' && attributes.some(({ key }) => key === 'reason'))
    .length ?? 0;

describe('submitted evidence', () => {
  test('is in the next block, is published to subscribers and punished once, and re-executes the same', async () => {
    const simulated = await simulate({ store: new MemoryStore(), absentPower: 1n });
    const { node } = simulated;
    await simulated.mineTo(3n);
    const published: string[] = [];
    node.api.feeds.onCommit(({ events }) => events.forEach(({ type }) => published.push(type)));
    const first = node.api.commands.broadcastEvidence(offence(simulated, 2n));
    expect(first).toMatchObject({ kind: 'taken' });
    // The same evidence again, and other evidence against the same validator.
    expect(node.api.commands.broadcastEvidence(offence(simulated, 2n))).toEqual(first);
    expect(node.api.commands.broadcastEvidence(offence(simulated, 2n, { round: 1 }))).toMatchObject({ kind: 'taken' });
    await simulated.mineTo(4n);
    expect([evidenceIn(simulated, 4n), punished(simulated, 4n)]).toEqual([2, 1]);
    expect(published.filter((type) => type === 'NewEvidence')).toHaveLength(2);
    expect(node.api.commands.broadcastEvidence(offence(simulated, 2n))).toEqual(first);
    await simulated.mineTo(7n);
    expect([evidenceIn(simulated, 5n), evidenceIn(simulated, 6n)]).toEqual([0, 0]);
    expect(node.api.queries.chain.validators(toHeight(7n))?.validators).toHaveLength(1);
    const { disagreements } = await reExecute(node.eventLog.read({ from: toPosition(1n) }), crypto);
    expect(disagreements).toEqual([]);
    await node.stop();
  });

  test('is refused with the reason of CometBFT when it does not match the chain', async () => {
    const simulated = await simulate({ store: new MemoryStore(), absentPower: 1n });
    const { commands } = simulated.node.api;
    await simulated.mineTo(2n);
    expect(commands.broadcastEvidence(offence(simulated, 2n, { lie: 1n }))).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/^evidence has a different time to the block it is associated with \(.+ != .+\)$/),
    });
    expect(commands.broadcastEvidence(offence(simulated, 3n))).toEqual({
      kind: 'refused',
      reason: "don't have header #3",
    });
    const lightClient = create(EvidenceSchema, { sum: { case: 'lightClientAttackEvidence', value: {} } });
    expect(commands.broadcastEvidence(lightClient)).toMatchObject({ kind: 'refused' });
    await simulated.mineTo(3n);
    expect(evidenceIn(simulated, 3n)).toBe(0);
    await simulated.node.stop();
  });

  test('is lost in a restart while it is pending, and is remembered once a block contains it', async () => {
    const store = reopenable();
    const simulated = await simulate({ store, absentPower: 1n });
    await simulated.mineTo(2n);
    simulated.node.api.commands.broadcastEvidence(offence(simulated, 2n));
    await simulated.node.stop();
    // Pending evidence was only in the memory of the process.
    const second = await simulate({ store });
    await second.mineTo(3n);
    expect(evidenceIn(second, 3n)).toBe(0);
    expect(second.node.api.commands.broadcastEvidence(offence(second, 2n))).toMatchObject({ kind: 'taken' });
    await second.mineTo(4n);
    expect(evidenceIn(second, 4n)).toBe(1);
    const committed = offence(second, 2n);
    await second.node.stop();
    // Evidence of one block is never in a second block.
    const third = await simulate({ store });
    expect(third.node.api.commands.broadcastEvidence(committed)).toMatchObject({ kind: 'taken' });
    await third.mineTo(5n);
    expect(evidenceIn(third, 5n)).toBe(0);
    await third.node.stop();
    // The log tells which block contains it.
    const bounds = { start: Uint8Array.of(PREFIX.evidence), end: Uint8Array.of(PREFIX.evidence + 1) };
    const rows = await store.range({ ...bounds, limit: 10 });
    expect(rows.map(({ key }) => key)).toEqual([evidenceKey(evidenceHash(crypto, committed))]);
    const verify = () =>
      verifyDatabase({ store, target: new MemoryStore(), crypto, now: toTimeNs(0n), witnessed: undefined });
    expect((await verify()).problems).toEqual([]);
    await store.commit(
      rows.map(({ key }) => ({ type: 'delete', key })),
      { sync: false },
    );
    expect((await verify()).problems).toMatchObject([{ table: 'evidence by hash', problem: 'row is missing' }]);
  });

  test('of an abandoned block may be in a block again after a revert', async () => {
    const simulated = await simulate({ store: new MemoryStore(), absentPower: 1n });
    const { node } = simulated;
    const dev = devOf(simulated);
    await simulated.mineTo(2n);
    await value(dev.snapshot());
    const sent = offence(simulated, 1n);
    for (const _ of ['before', 'after']) {
      expect(node.api.commands.broadcastEvidence(sent)).toMatchObject({ kind: 'taken' });
      await simulated.mineTo(4n);
      expect([evidenceIn(simulated, 3n), evidenceIn(simulated, 4n)]).toEqual([1, 0]);
      await firing(simulated, dev.revert(1n));
    }
    await node.stop();
  });
});
