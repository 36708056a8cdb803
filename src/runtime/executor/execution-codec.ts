/**
 * Messages of the executor as bytes. `execute`, `prepare` and `commit`, which every block needs, and their answers have
 * flat formats, as has the answer to `run`; other messages use the format of `src/runtime/threads/requests.ts`. The
 * executor's thread encodes the results of a block into the bytes of the log, which main stores as they are.
 */
import type { BlockFacts, LastCommitVote, Misbehavior, PrepareProposalRequest } from '../../core/application.js';
import { blockRequest } from '../../core/chain/block-facts.js';
import { EncodedResults } from '../../core/comet/encoded-results.js';
import { invariant } from '../../core/errors.js';
import { toHeight, toTimeNs } from '../../core/primitives.js';
import { ByteReader, ByteWriter, readU64 } from '../../store/bytes.js';
import { EMPTY } from '../../core/bytes/bytes.js';
import { be64 } from '../../core/bytes/big-endian.js';
import { keepPacked, packWrites, unpackWrites } from '../../store/state-writes.js';
import { decodeMessage, encodeMessage, type Envelope } from '../threads/requests.js';
import type { Executed, ExecutorReply, ExecutorRequest, MadeBlock } from './protocol.js';
import { putDecision, takeDecision } from './decision-codec.js';

/** First byte of a flat message, request and answer alike; V8's format begins with 255. */
const EXECUTE = 1;
const COMMIT = 2;
const PREPARE = 3;
const RAN = 4;
/** Estimated bytes of one write of an ordinary block, key and value together. */
const EXPECTED_WRITE = 160;

/** Bytes of a request to the executor (docs/decisions/0004-executor-bytes.md). */
export function encodeRequest(envelope: Envelope<ExecutorRequest>): Uint8Array<ArrayBuffer> {
  const { id, body } = envelope;
  if (body.kind === 'commit') return encodeCommit(id, be64(body.height));
  if (body.kind === 'prepare') return encodePrepare(id, body.request);
  if (body.kind !== 'execute') return encodeMessage(envelope);
  const { request } = body;
  const to = new ByteWriter();
  to.byte(EXECUTE);
  to.uint(id);
  putFacts(to, request);
  to.bytes(request.hash);
  to.uint(request.txs.length);
  for (const [index, tx] of request.txs.entries()) {
    to.byte(request.verified?.has(index) === true ? 1 : 0);
    to.bytes(tx);
  }
  return to.finish();
}

function encodePrepare(id: number, request: PrepareProposalRequest): Uint8Array<ArrayBuffer> {
  const to = new ByteWriter();
  to.byte(PREPARE);
  to.uint(id);
  putFacts(to, request);
  to.uint(request.txs.length);
  for (const { tx, gasLimit, verified, accounts } of request.txs) {
    to.byte(verified ? 1 : 0);
    to.uint(gasLimit);
    to.uint(accounts.length);
    for (const account of accounts) to.uint(account);
    to.bytes(tx);
  }
  return to.finish();
}

function decodePrepare(bytes: Uint8Array): Envelope<ExecutorRequest> {
  const from = new ByteReader(bytes);
  from.byte();
  const id = from.count();
  const facts = takeFacts(from);
  const txs = Array.from({ length: from.count() }, () => {
    const verified = from.byte() === 1;
    const gasLimit = from.uint();
    const accounts = Array.from({ length: from.count() }, () => from.count());
    return { verified, gasLimit, accounts, tx: from.bytes() };
  });
  return { id, body: { kind: 'prepare', request: { ...facts, txs } } };
}

const FLAGS: readonly LastCommitVote['flag'][] = ['absent', 'commit', 'nil'];
const OFFENCES: readonly Misbehavior['kind'][] = ['duplicate vote', 'light client attack'];

function putFacts(to: ByteWriter, facts: BlockFacts): void {
  to.raw(be64(facts.height));
  to.int(facts.time);
  to.text(facts.chainId);
  to.bytes(facts.proposerAddress);
  to.bytes(facts.nextValidatorsHash);
  to.bytes(facts.previousAppHash);
  to.uint(facts.lastCommitRound);
  to.uint(facts.lastCommitVotes.length);
  for (const { address, power, flag } of facts.lastCommitVotes) {
    to.bytes(address);
    to.raw(be64(power));
    to.byte(FLAGS.indexOf(flag));
  }
  to.uint(facts.misbehavior.length);
  for (const { kind, address, power, height, time, totalVotingPower } of facts.misbehavior) {
    to.byte(OFFENCES.indexOf(kind));
    to.bytes(address);
    to.raw(be64(power));
    to.raw(be64(height));
    to.int(time);
    to.raw(be64(totalVotingPower));
  }
}

function takeFacts(from: ByteReader): BlockFacts {
  const height = toHeight(readU64(from.raw(8), 0));
  const time = toTimeNs(from.int());
  const chainId = from.text();
  const proposerAddress = from.bytes();
  const nextValidatorsHash = from.bytes();
  const previousAppHash = from.bytes();
  const lastCommitRound = from.count();
  const lastCommitVotes = Array.from({ length: from.count() }, () => ({
    address: from.bytes(),
    power: readU64(from.raw(8), 0),
    flag: named(FLAGS, from.byte()),
  }));
  const misbehavior = Array.from({ length: from.count() }, () => ({
    kind: named(OFFENCES, from.byte()),
    address: from.bytes(),
    power: readU64(from.raw(8), 0),
    height: toHeight(readU64(from.raw(8), 0)),
    time: toTimeNs(from.int()),
    totalVotingPower: readU64(from.raw(8), 0),
  }));
  return {
    height,
    time,
    chainId,
    proposerAddress,
    nextValidatorsHash,
    previousAppHash,
    lastCommitRound,
    lastCommitVotes,
    misbehavior,
  };
}

function named<Name extends string>(names: readonly Name[], index: number): Name {
  const name = names[index];
  invariant(name !== undefined, 'both threads run the same build');
  return name;
}

/** Byte fields of an `execute` and a `prepare` are views. */
export function decodeRequest(bytes: Uint8Array): Envelope<ExecutorRequest> {
  if (bytes[0] === PREPARE) return decodePrepare(bytes);
  if (bytes[0] !== EXECUTE && bytes[0] !== COMMIT) return decodeMessage(bytes);
  const from = new ByteReader(bytes);
  const kind = from.byte();
  const id = from.count();
  if (kind === COMMIT) return { id, body: { kind: 'commit', height: toHeight(readU64(from.bytes(), 0)) } };
  const facts = takeFacts(from);
  const hash = from.bytes();
  const verified = new Set<number>();
  const txs = Array.from({ length: from.count() }, (_, index) => {
    if (from.byte() === 1) verified.add(index);
    return from.bytes();
  });
  return { id, body: { kind: 'execute', request: blockRequest(facts, hash, txs, verified) } };
}

/** A `commit` with its height, or the answer with the app hash. */
function encodeCommit(id: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const to = new ByteWriter(64);
  to.byte(COMMIT);
  to.uint(id);
  to.bytes(bytes);
  return to.finish();
}

/** Bytes of a reply of the executor. */
export function encodeReply(envelope: Envelope<ExecutorReply>): Uint8Array<ArrayBuffer> {
  const { id, body } = envelope;
  if (body.kind === 'committed') return encodeCommit(id, body.appHash);
  if (body.kind === 'ran') return encodeRan(id, body.blocks);
  if (body.kind !== 'executed' || body.result.kind !== 'executed') return encodeMessage(envelope);
  const { result, appHash } = body;
  const to = new ByteWriter(result.results.bytes.length + (result.writes.length + 1) * EXPECTED_WRITE);
  to.byte(EXECUTE);
  to.uint(id);
  putExecuted(to, result, appHash ?? EMPTY);
  return to.finish();
}

/** The writes come last: what follows the results is what the log holds of them. */
function putExecuted(
  to: ByteWriter,
  { results, writes, upgradeHeight, upgradeApplied }: Executed,
  appHash: Uint8Array,
): void {
  to.bytes(appHash);
  to.uint(upgradeHeight === undefined ? 0n : upgradeHeight + 1n);
  to.byte(upgradeApplied === undefined ? 0 : 1);
  to.text(upgradeApplied ?? '');
  to.bytes(results.bytes);
  packWrites(writes, to);
}

function takeExecuted(from: ByteReader): { readonly result: Executed; readonly appHash: Uint8Array } {
  const appHash = from.bytes();
  const upgrade = from.uint();
  const applied = from.byte() === 1;
  const name = from.text();
  // Results and values live on in caches, where a view would keep the whole message alive.
  const results = new EncodedResults(from.bytes().slice());
  const packed = from.rest();
  const writes = unpackWrites(from).map(({ store, key, value }) => ({ store, key, value: value?.slice() }));
  keepPacked(writes, packed);
  return {
    appHash,
    result: {
      kind: 'executed',
      results,
      writes,
      upgradeHeight: upgrade === 0n ? undefined : toHeight(upgrade - 1n),
      upgradeApplied: applied ? name : undefined,
    },
  };
}

function encodeRan(id: number, blocks: readonly MadeBlock[]): Uint8Array<ArrayBuffer> {
  const to = new ByteWriter();
  to.byte(RAN);
  to.uint(id);
  to.uint(blocks.length);
  let before: MadeBlock | undefined;
  for (const block of blocks) {
    const decided = new ByteWriter();
    putDecision(decided, block.decision, before?.decision);
    to.bytes(decided.finish());
    const executed = new ByteWriter();
    putExecuted(executed, block.result, block.appHash);
    to.bytes(executed.finish());
    before = block;
  }
  return to.finish();
}

function decodeRan(bytes: Uint8Array): Envelope<ExecutorReply> {
  const from = new ByteReader(bytes);
  from.byte();
  const id = from.count();
  const blocks: MadeBlock[] = [];
  for (let left = from.count(); left > 0; left -= 1) {
    // A copy, because blocks live on in caches.
    const decision = takeDecision(new ByteReader(from.bytes().slice()), blocks.at(-1)?.decision);
    const { result, appHash } = takeExecuted(new ByteReader(from.bytes()));
    blocks.push({ decision, result, appHash: appHash.slice() });
  }
  return { id, body: { kind: 'ran', blocks } };
}

/** Reads a reply of the executor. Throws FormatError. */
export function decodeReply(bytes: Uint8Array): Envelope<ExecutorReply> {
  if (bytes[0] === RAN) return decodeRan(bytes);
  if (bytes[0] !== EXECUTE && bytes[0] !== COMMIT) return decodeMessage(bytes);
  const from = new ByteReader(bytes);
  const kind = from.byte();
  const id = from.count();
  if (kind === COMMIT) return { id, body: { kind: 'committed', appHash: from.bytes() } };
  const { result, appHash } = takeExecuted(from);
  return { id, body: { kind: 'executed', result, appHash: appHash.length === 0 ? undefined : appHash } };
}
