/** The events that node 0 of a recorded network published, and the validator sets of its heights. */
import { create } from '@bufbuild/protobuf';
import type { BlockIdJson } from '../../../src/core/comet/json/block-id-json.js';
import { voteFromJson, type VoteJson } from '../../../src/core/comet/json/evidence-json.js';
import { validatorFromJson } from '../../../src/core/comet/json/validator-json.js';
import { upperHex } from '../../../src/core/bytes/hex.js';
import { nextValidatorSet } from '../../../src/core/comet/validator-updates.js';
import { ValidatorUpdateSchema } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import type { Vote } from '../../../src/core/proto/tendermint/types/types_pb.js';
import {
  type Validator,
  type ValidatorSet,
  ValidatorSetSchema,
} from '../../../src/core/proto/tendermint/types/validator_pb.js';
import { nodeCrypto } from '../comet/node-crypto.js';
import type { RecordedHeight } from '../comet/recorded-blocks.js';
import { goldenLines } from '../../support/golden.js';

export interface Line {
  readonly t: number;
  readonly ev?: string;
  readonly data?: {
    readonly height?: string;
    readonly round?: number;
    readonly step?: string;
    readonly Vote?: VoteJson;
    readonly block_id?: BlockIdJson;
  };
}

export const TYPES = [
  'NewRound',
  'NewRoundStep',
  'CompleteProposal',
  'Vote',
  'Polka',
  'Lock',
  'Relock',
  'Unlock',
  'ValidBlock',
  'TimeoutPropose',
  'TimeoutWait',
] as const;
export type Type = (typeof TYPES)[number];

export interface Shown {
  /** Arrival time in milliseconds. */
  readonly t: number;
  readonly height: bigint;
  readonly round: number;
  readonly step: string;
  readonly vote: Vote | undefined;
  readonly blockId: BlockIdJson | undefined;
  /** The value as JSON text. */
  readonly text: string;
}

/** Recorded events by type, in order; `edit` may change each line first. */
export function shownEvents(
  name: string,
  edit: (line: Line) => Line = (line) => line,
): Readonly<Record<Type, readonly Shown[]>> {
  const shown = goldenLines<Line>(`simple-kv/${name}-events-node0.jsonl`).map(edit).flatMap(shownOf);
  return byType((type) => shown.filter((one) => one.type === type).map(({ event }) => event));
}

export function byType<Value>(of: (type: Type) => Value): Record<Type, Value> {
  return Object.fromEntries(TYPES.map((type) => [type, of(type)])) as Record<Type, Value>;
}

function shownOf({ t, ev, data }: Line): readonly { readonly type: Type; readonly event: Shown }[] {
  const type = TYPES.find((one) => one === ev);
  const place = data?.Vote ?? data;
  if (type === undefined || place?.height === undefined) return [];
  const { height, round = 0 } = place;
  const vote = data?.Vote && voteFromJson(data.Vote);
  return [
    {
      type,
      event: {
        t,
        height: BigInt(height),
        round,
        step: data?.step ?? '',
        vote,
        blockId: data?.block_id,
        text: JSON.stringify(data),
      },
    },
  ];
}

/** Validator sets by height, computed from the recorded powers, with priorities and proposers. */
export function validatorSets(
  heights: ReadonlyMap<bigint, RecordedHeight>,
  last: bigint,
): ReadonlyMap<bigint, ValidatorSet> {
  const recorded = (height: bigint): readonly Validator[] =>
    (heights.get(height)?.validators?.validators ?? []).map(validatorFromJson);
  const sets = new Map([[1n, create(ValidatorSetSchema, { validators: [...recorded(1n)] })]]);
  for (let height = 2n; height <= last + 1n; height += 1n) {
    const before = sets.get(height - 1n);
    const powers = new Map(before?.validators.map(({ address, votingPower }) => [upperHex(address), votingPower]));
    const updates = recorded(height)
      .filter(({ address, votingPower }) => powers.get(upperHex(address)) !== votingPower)
      .map(({ pubKey, votingPower }) =>
        create(ValidatorUpdateSchema, { ...(pubKey && { pubKey }), power: votingPower }),
      );
    const next = before && nextValidatorSet(nodeCrypto, before, updates);
    if (next?.ok !== true) throw new Error(`no validators of ${height}`);
    sets.set(height, next.set);
  }
  return sets;
}
