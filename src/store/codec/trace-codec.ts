/**
 * Codec of the consensus notices of one height, in a BlockDecided of version 3. The numbers never change. A block id or
 * address equal to the last written one takes one byte, because the votes of a round are all for its proposal.
 */
import { emptyBlockId } from '../../core/comet/complete.js';
import { fromTimestamp, toTimestamp } from '../../core/comet/time.js';
import { equal } from '../../core/bytes/bytes.js';
import { blockKey } from '../../core/consensus/block-key.js';
import type { ConsensusNotice, HeightRoundStep } from '../../core/consensus/notices.js';
import { STEP_RANK, type Step } from '../../core/consensus/round-step.js';
import { toTimeNs, type Height } from '../../core/primitives.js';
import { SignedMsgType, type BlockID, type Vote } from '../../core/proto/tendermint/types/types_pb.js';
import { type ByteReader, type ByteWriter, FormatError } from '../bytes.js';

const NUMBER = {
  NewRoundStep: 1,
  Polka: 2,
  Lock: 3,
  Relock: 4,
  Unlock: 5,
  ValidBlock: 6,
  TimeoutPropose: 7,
  TimeoutWait: 8,
  NewRound: 9,
  CompleteProposal: 10,
  Vote: 11,
} as const satisfies Record<ConsensusNotice['type'], number>;
const TYPES: readonly ConsensusNotice['type'][] = [
  'NewRoundStep',
  'Polka',
  'Lock',
  'Relock',
  'Unlock',
  'ValidBlock',
  'TimeoutPropose',
  'TimeoutWait',
  'NewRound',
  'CompleteProposal',
  'Vote',
];
const STEPS: readonly Step[] = [
  'NewHeight',
  'NewRound',
  'Propose',
  'Prevote',
  'PrevoteWait',
  'Precommit',
  'PrecommitWait',
  'Commit',
];

/** Encodings of a block id or an address: nil, equal to the last one, or written out. */
const NIL = 0;
const SAME = 1;
const WRITTEN = 2;

/** The block id and address that were written last. */
interface Known {
  blockId: BlockID | undefined;
  address: Uint8Array;
}

const nothingKnown = (): Known => ({ blockId: undefined, address: new Uint8Array(0) });

/** Encodes the notices of one height. */
export function packTrace(trace: readonly ConsensusNotice[], to: ByteWriter): void {
  const known = nothingKnown();
  to.uint(trace.length);
  for (const notice of trace) {
    to.byte(NUMBER[notice.type]);
    if (notice.type === 'Vote') {
      putVote(to, notice.vote, known);
      continue;
    }
    to.uint(notice.place.round);
    to.byte(STEP_RANK[notice.place.step]);
    if (notice.type === 'CompleteProposal') putBlockId(to, notice.blockId, known);
    if (notice.type !== 'NewRound') continue;
    to.uint(notice.proposer.index);
    putAddress(to, notice.proposer.address, known);
  }
}

/** Inverse of `packTrace`; throws FormatError. */
export function unpackTrace(from: ByteReader, height: Height): ConsensusNotice[] {
  const known = nothingKnown();
  return from.items((): ConsensusNotice => {
    const number = from.byte();
    const type = TYPES.find((one) => NUMBER[one] === number);
    if (type === undefined) throw new FormatError('unknown notice');
    if (type === 'Vote') return { type, vote: takeVote(from, known) };
    const place = takePlace(from, height);
    if (type === 'CompleteProposal') return { type, place, blockId: takeBlockId(from, known) };
    if (type !== 'NewRound') return { type, place };
    const index = from.count();
    return { type, place, proposer: { address: takeAddress(from, known), index } };
  });
}

function takePlace(from: ByteReader, height: Height): HeightRoundStep {
  const round = from.count();
  const rank = from.byte();
  const step = STEPS.find((one) => STEP_RANK[one] === rank);
  if (step === undefined) throw new FormatError('unknown step of a round');
  return { height, round, step };
}

function putVote(to: ByteWriter, vote: Vote, known: Known): void {
  to.byte(vote.type);
  to.uint(vote.height);
  to.uint(vote.round);
  putBlockId(to, vote.blockId, known);
  to.int(fromTimestamp(vote.timestamp));
  putAddress(to, vote.validatorAddress, known);
  to.uint(vote.validatorIndex);
  to.bytes(vote.signature);
  to.bytes(vote.extension);
  to.bytes(vote.extensionSignature);
}

function takeVote(from: ByteReader, known: Known): Vote {
  return {
    $typeName: 'tendermint.types.Vote',
    type: takeVoteType(from),
    height: from.uint(),
    round: from.count(),
    blockId: takeBlockId(from, known),
    timestamp: toTimestamp(toTimeNs(from.int())),
    validatorAddress: takeAddress(from, known),
    validatorIndex: from.count(),
    signature: from.bytes(),
    extension: from.bytes(),
    extensionSignature: from.bytes(),
  };
}

function takeVoteType(from: ByteReader): SignedMsgType {
  const type = from.byte();
  if (type === SignedMsgType.PREVOTE || type === SignedMsgType.PRECOMMIT) return type;
  throw new FormatError('unknown type of a vote');
}

function putBlockId(to: ByteWriter, blockId: BlockID | undefined, known: Known): void {
  const key = blockKey(blockId);
  if (blockId === undefined || key === '') return to.byte(NIL);
  if (key === blockKey(known.blockId)) return to.byte(SAME);
  known.blockId = blockId;
  to.byte(WRITTEN);
  to.bytes(blockId.hash);
  to.uint(blockId.partSetHeader?.total ?? 0);
  to.bytes(blockId.partSetHeader?.hash ?? new Uint8Array(0));
}

function takeBlockId(from: ByteReader, known: Known): BlockID {
  switch (from.byte()) {
    case NIL:
      return emptyBlockId();
    case SAME:
      if (known.blockId === undefined) throw new FormatError('no block id before');
      return known.blockId;
    case WRITTEN: {
      const hash = from.bytes();
      const total = from.count();
      const partSetHeader = { $typeName: 'tendermint.types.PartSetHeader', total, hash: from.bytes() } as const;
      known.blockId = { $typeName: 'tendermint.types.BlockID', hash, partSetHeader };
      return known.blockId;
    }
    default:
      throw new FormatError('unknown form of a block id');
  }
}

function putAddress(to: ByteWriter, address: Uint8Array, known: Known): void {
  if (equal(known.address, address)) return to.byte(SAME);
  known.address = address;
  to.byte(WRITTEN);
  to.bytes(address);
}

function takeAddress(from: ByteReader, known: Known): Uint8Array {
  const form = from.byte();
  if (form === WRITTEN) known.address = from.bytes();
  else if (form !== SAME) throw new FormatError('unknown form of an address');
  return known.address;
}
