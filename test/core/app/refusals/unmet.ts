/**
 * Errors that modules of the Cosmos SDK register (v0.53.6; feegrant, evidence and upgrade v0.2.0: `types/errors.go` of
 * each) and with which this application refuses no message and no query.
 */

/** Why no message gets an error. */
type Reason =
  /** The SDK never returns it. */
  | 'unused'
  /** The SDK refuses with another error first. */
  | { readonly after: string }
  /** The SDK turns it into another error. */
  | { readonly becomes: string }
  /** Only code that these applications do not run returns it. */
  | { readonly only: string };

/** Registered codes by codespace, in order; the SDK skips some numbers. */
export const REGISTERED: Readonly<Record<string, readonly number[]>> = {
  authz: [2, 3, 4, 5, 6, 7, 9, 12],
  bank: [2, 3, 4, 5, 6, 7, 8, 9],
  crisis: [2, 3],
  distribution: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
  evidence: [2, 3, 5],
  feegrant: [2, 3, 4, 5, 6, 7],
  gov: [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 18, 20, 21, 22, 23],
  params: [2, 3, 4, 5, 6, 7],
  slashing: [2, 3, 4, 5, 6, 7, 8, 9],
  staking: Array.from({ length: 44 }, (_, index) => index + 2),
  upgrade: [2, 3, 4, 5, 6],
};

const STAKING_3 = { after: 'staking 3: each reading of a validator refuses one that is not there' };
const HOLD = { only: 'modules that hold unbondings back, as interchain security does' };

export const UNMET: Readonly<Record<string, Reason>> = {
  'bank 6': 'unused',
  'bank 7': { only: 'the migration of stores of version 1' },
  'crisis 2': 'unused',
  'distribution 2': 'unused',
  'distribution 3': 'unused',
  'distribution 4': 'unused',
  'distribution 6': STAKING_3,
  'distribution 12': STAKING_3,
  'distribution 13': { after: 'staking 19: each reading of a delegation refuses one that is not there' },
  'gov 4': 'unused',
  'gov 8': 'unused',
  'gov 9': { only: 'applications with contents of modules that handle none; evmd panics before' },
  'gov 10': { after: 'sdk 2: a message that nothing handles has a type URL that is not resolved' },
  'slashing 2': STAKING_3,
  'slashing 3': 'unused',
  'slashing 6': { after: 'staking 19: each reading of a delegation refuses one that is not there' },
  'slashing 8': { becomes: 'NotFound of the query; a validator without signing info is unjailed' },
  'slashing 9': { after: 'evidence against a tombstoned validator, which is passed over' },
  'staking 2': 'unused',
  'staking 8': { only: 'removals of validators with tokens or shares, which are none' },
  'staking 18': 'unused',
  'staking 20': 'unused',
  'staking 23': 'unused',
  'staking 25': 'unused',
  'staking 26': { becomes: 'NotFound in a text of MsgCancelUnbondingDelegation, or a first entry' },
  'staking 28': { becomes: 'a first entry' },
  'staking 35': 'unused',
  'staking 36': 'unused',
  'staking 37': 'unused',
  'staking 38': { becomes: 'NotFound of the query' },
  'staking 41': HOLD,
  'staking 42': HOLD,
  'staking 43': { becomes: 'gov 13' },
  'staking 44': STAKING_3,
  'staking 45': HOLD,
  'upgrade 3': { becomes: 'an empty answer of the query, and a cancellation that changes nothing' },
  'upgrade 4': { only: 'IBC clients of upgraded chains' },
  'upgrade 5': { becomes: 'an empty answer of the query' },
};
