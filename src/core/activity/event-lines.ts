import type { Event } from '../proto/tendermint/abci/types_pb.js';
import { hex } from '../bytes/hex.js';
import { decodeBech32 } from '../sdk/codec/address.js';
import { amountText } from './amount.js';
import { oneLine, type Line, type Part } from './line.js';
import type { Names } from './names.js';

/** Returns an event attribute by key; empty when absent. */
type Attributes = (key: string) => string;
interface Words {
  readonly of: Attributes;
  /** Name of an account, or its bech32 address. */
  readonly named: (address: string) => string;
  /** Formats coins; the native coin in its display unit. */
  readonly amount: (coins: string) => string;
  /** Formats an amount of the native coin in its display unit. */
  readonly burned: (wei: string) => string;
}
type LineParts = (words: Words) => readonly Part[];

/**
 * Lines for each type of block events (cosmos-sdk v0.53 `x/slashing/types/events.go`, `x/staking/types/events.go`,
 * `x/gov/types/events.go`).
 */
const LINES: ReadonlyMap<string, LineParts> = new Map<string, LineParts>([
  ['slash', slashed],
  [
    'complete_unbonding',
    ({ of, named, amount }) => [`  unbonded  ${amount(of('amount'))} of ${named(of('delegator'))}`],
  ],
  [
    'complete_redelegation',
    ({ of, named, amount }) => [
      `  redelegated  ${amount(of('amount'))} of ${named(of('delegator'))} to ${of('destination_validator')}`,
    ],
  ],
  ['active_proposal', ({ of }) => proposal(of('proposal_id'), of('proposal_result'), of('proposal_log'))],
  ['inactive_proposal', ({ of }) => proposal(of('proposal_id'), of('proposal_result'), '')],
]);

/** Types of block events that have a line. */
export const EVENTS_WITH_LINES: ReadonlySet<string> = new Set(LINES.keys());

/** Line of a block event: slashing, jailing, completed unbonding, or ended proposal. */
export function eventLine(
  { type, attributes }: Event,
  names: Pick<Names, 'accounts'>,
  baseDenom: string,
): Line | undefined {
  const partsOf = LINES.get(type);
  if (partsOf === undefined) return undefined;
  const values = new Map(attributes.map(({ key, value }) => [key, oneLine(value)]));
  const named = (address: string): string =>
    names.accounts.get(hex(decodeBech32(address)?.bytes ?? new Uint8Array(0))) ?? address;
  const of = (key: string): string => values.get(key) ?? '';
  const amount = (coins: string): string => {
    const [, wei, denom] = /^([0-9]{1,78})([a-z][a-z0-9]*)$/.exec(coins) ?? [];
    return wei === undefined || denom !== baseDenom ? coins : amountText(BigInt(wei), baseDenom);
  };
  const fields = Object.fromEntries([...values].filter(([key]) => key !== 'mode'));
  return {
    severity: 'info',
    message: type,
    parts: partsOf({ of, named, amount, burned: (wei) => amount(`${wei}${baseDenom}`) }),
    fields,
  };
}

function slashed({ of, burned }: Words): readonly Part[] {
  const jailed = of('jailed');
  if (of('reason') === '') return [['bad', `  jailed  ${jailed}`]];
  const also = jailed === '' ? '' : ', and jailed';
  return [['bad', `  slashed  ${of('address')} for ${of('reason')}: ${burned(of('burned_coins'))} burned${also}`]];
}

/** Shows `proposal_passed` as `passed`. */
function proposal(id: string, result: string, log: string): readonly Part[] {
  const word = result.replace(/^proposal_/, '');
  const tint = word === 'passed' ? 'good' : 'bad';
  return [`  proposal ${id}  `, [tint, word], log === '' || word === 'passed' ? '' : `  ${log}`];
}
