/**
 * Applies the validator updates of a block to the validator set (CometBFT v0.38 `types/validator_set.go`; CometBFT
 * spec, consensus/proposer-selection).
 */
import { create } from '@bufbuild/protobuf';
import type { Crypto } from '../ports/crypto.js';
import type { ValidatorUpdate } from '../proto/tendermint/abci/types_pb.js';
import type { PublicKey } from '../proto/tendermint/crypto/keys_pb.js';
import { type Validator, type ValidatorSet, ValidatorSchema } from '../proto/tendermint/types/validator_pb.js';
import { addressOf } from './address.js';
import { centredPriorities, incrementProposerPriority, rescaledPriorities } from './proposer-priority.js';
import { upperHex } from '../bytes/hex.js';
import { MAX_TOTAL_POWER, sortedSet, totalPower } from './validator-set.js';

export type ValidatorUpdateResult =
  | { readonly ok: true; readonly set: ValidatorSet }
  | { readonly ok: false; readonly reason: string };

type KeyHash = Pick<Crypto, 'sha256' | 'ripemd160'>;

/** Creates a validator with priority 0; its address follows from its key. */
function validatorOf(crypto: KeyHash, pubKey: PublicKey, votingPower: bigint): Validator {
  return create(ValidatorSchema, { address: addressOf(crypto, pubKey), pubKey, votingPower });
}

/** Validator set of the first height: applies the updates to an empty set, then one turn. */
export function genesisValidatorSet(crypto: KeyHash, updates: readonly ValidatorUpdate[]): ValidatorUpdateResult {
  const result = changeSet(crypto, [], undefined, updates);
  return result.ok ? { ok: true, set: incrementProposerPriority(result.set, 1) } : result;
}

/**
 * Computes `NextValidators(h+1)`: applies the updates of block h to `NextValidators(h)`, then one turn. Power 0
 * removes.
 */
export function nextValidatorSet(
  crypto: KeyHash,
  set: ValidatorSet,
  updates: readonly ValidatorUpdate[],
): ValidatorUpdateResult {
  if (updates.length === 0) return { ok: true, set: incrementProposerPriority(set, 1) };
  const result = changeSet(crypto, set.validators, set.proposer, updates);
  return result.ok ? { ok: true, set: incrementProposerPriority(result.set, 1) } : result;
}

function changeSet(
  crypto: KeyHash,
  current: readonly Validator[],
  proposer: Validator | undefined,
  updates: readonly ValidatorUpdate[],
): ValidatorUpdateResult {
  const byAddress = new Map(current.map((validator) => [upperHex(validator.address), validator]));
  const seen = new Set<string>();
  const removed = new Set<string>();
  const added: string[] = [];
  for (const { pubKey, power } of updates) {
    if (pubKey?.sum.case === undefined) return failed('validator update without a public key');
    const validator = validatorOf(crypto, pubKey, power);
    const address = upperHex(validator.address);
    if (seen.has(address)) return failed(`duplicate entry ${address}`);
    seen.add(address);
    if (power < 0n) return failed(`voting power can't be negative: ${power}`);
    if (power > MAX_TOTAL_POWER)
      return failed(`to prevent clipping/overflow, voting power can't be higher than ${MAX_TOTAL_POWER}, got ${power}`);
    const known = byAddress.get(address);
    if (power === 0n) {
      if (known === undefined) return failed(`failed to find validator ${address} to remove`);
      removed.add(address);
      continue;
    }
    if (known === undefined) added.push(address);
    byAddress.set(address, known === undefined ? validator : { ...known, pubKey, votingPower: power });
  }
  // A new validator starts behind all others, measured by the total power before removals, so that leaving and
  // rejoining does not bring its turn forward.
  const before = totalPower([...byAddress.values()]);
  for (const address of added) {
    const validator = byAddress.get(address);
    if (validator !== undefined) byAddress.set(address, { ...validator, proposerPriority: -(before + (before >> 3n)) });
  }
  for (const address of removed) byAddress.delete(address);
  if (byAddress.size === 0) return failed('applying the validator changes would result in empty set');
  const validators = [...byAddress.values()];
  const total = totalPower(validators);
  if (total > MAX_TOTAL_POWER) return failed(`total voting power of resulting valset exceeds max ${MAX_TOTAL_POWER}`);
  return { ok: true, set: sortedSet(centredPriorities(rescaledPriorities(validators, total)), proposer) };
}

function failed(reason: string): ValidatorUpdateResult {
  return { ok: false, reason };
}
