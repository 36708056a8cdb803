/** A chain after the block that created its four validators; steps run on its state one after another. */
import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';
import { chronicle } from '../../../../src/core/app/presets.js';
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { toTimestamp } from '../../../../src/core/comet/time.js';
import { toHeight, toTimeNs } from '../../../../src/core/primitives.js';
import * as staking from '../../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import type { Context } from '../../../../src/core/sdk/module/context.js';
import { SdkError } from '../../../../src/core/sdk/module/sdk-error.js';
import { PropertyChain } from '../properties/chain.js';
import { play } from '../properties/play.js';
import { achr, any, moduleText, operator, person } from '../properties/people.js';

const SECOND = 1_000_000_000n;

/** The context in which steps run: its state and its block time. */
export interface Stage {
  context: Context;
}
export type Step = (stage: Stage) => void;

/** Steps, all of which succeed except the last; `refused`: codespace, code and text of its error. */
export interface Refused {
  readonly steps: readonly Step[];
  readonly refused: string;
}

const chain = new PropertyChain(chronicle, {
  downtimeFraction: '0.010000000000000000',
  doubleSignFraction: '1.000000000000000000',
  maxValidators: 3,
  unbondingSeconds: 12,
});
play(chain, { seconds: 1n, absent: 0, offences: [], txs: [] }, new Map());

export const newStage = (): Stage => ({ context: { ...chain.context(), events: [], mode: 'deliver' } });

/** Executes a message. */
export const send =
  <Desc extends DescMessage>(schema: Desc, message: MessageInitShape<Desc>): Step =>
  ({ context }) => {
    const { typeUrl, value } = any(schema, message);
    context.router.find(typeUrl).handle(context, value);
  };

/** Executes a message of this type with these bytes. */
export const sendBytes =
  (typeUrl: string, value: Uint8Array): Step =>
  ({ context }) => {
    context.router.find(typeUrl).handle(context, value);
  };

/** Changes the state through a keeper. */
export const change =
  (of: (context: Context) => unknown): Step =>
  ({ context }) => {
    of(context);
  };

export const later =
  (seconds: bigint): Step =>
  (stage) => {
    const { height, time } = stage.context;
    stage.context = {
      ...stage.context,
      height: toHeight(height + 1n),
      time: toTimeNs(time + seconds * SECOND),
    };
  };

/** A time this many seconds after the stage's first block time. */
export const inSeconds = (seconds: bigint): Timestamp => toTimestamp(toTimeNs(chain.time + seconds * SECOND));

/** Readable names that replace addresses in error texts. */
const NAMES: readonly (readonly [string, string])[] = [
  [moduleText('gov'), '(gov)'],
  ...[0, 1, 2, 3, 4, 5, 20].flatMap((index) => [
    [person(index), `(account ${index})`] as const,
    [operator(index), `(validator ${index})`] as const,
  ]),
];

export const withNames = (text: string): string =>
  NAMES.reduce((result, [address, name]) => result.replaceAll(address, name), text);

/** Outcome of the last step: codespace, code and text of its error, or `done`. */
export function outcomeOf(steps: readonly Step[]): string {
  const stage = newStage();
  for (const step of steps.slice(0, -1)) step(stage);
  try {
    steps.at(-1)?.(stage);
    return 'done';
  } catch (error) {
    if (!(error instanceof SdkError)) throw error;
    const { codespace, code } = error.registered;
    return withNames(`${codespace} ${code}: ${error.message}`);
  }
}

/** Account 4 delegates to the validator of account `to`. */
export const delegate = (to: number, amount = 10n ** 18n): Step =>
  send(staking.MsgDelegateSchema, {
    delegatorAddress: person(4),
    validatorAddress: operator(to),
    amount: achr(amount),
  });
