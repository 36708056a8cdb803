import { create } from '@bufbuild/protobuf';
import { addressOf } from '../comet/address.js';
import type { Crypto } from '../ports/crypto.js';
import type { ValidatorUpdate } from '../proto/tendermint/abci/types_pb.js';
import { type Validator, ValidatorSchema } from '../proto/tendermint/types/validator_pb.js';

/**
 * What the event `ValidatorSetUpdates` shows of a block's updates, in their order: power 0 is a validator that was removed,
 * and priorities are 0, for they belong to the set (cometbft-rpc.md 5).
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
