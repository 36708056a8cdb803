import { create } from '@bufbuild/protobuf';
import { addressOf } from '../comet/address.js';
import type { Crypto } from '../ports/crypto.js';
import type { ValidatorUpdate } from '../proto/tendermint/abci/types_pb.js';
import { type Validator, ValidatorSchema } from '../proto/tendermint/types/validator_pb.js';

/**
 * The validators in the event `ValidatorSetUpdates`, in the order of the block's updates. Power 0 means that a
 * validator was removed; priorities are 0, because they belong to the set (CometBFT v0.38 `types/events.go`).
 */
export function updatedValidators(
  crypto: Pick<Crypto, 'sha256' | 'ripemd160'>,
  updates: readonly ValidatorUpdate[],
): readonly Validator[] {
  return updates.flatMap(({ pubKey, power }) =>
    pubKey === undefined
      ? []
      : [create(ValidatorSchema, { address: addressOf(crypto, pubKey), pubKey, votingPower: power })],
  );
}
