/** Query of a validator's account (cosmos/evm v0.6 `x/vm/keeper/grpc_query.go`, ValidatorAccount). */
import * as pb from '../../proto/cosmos/evm/vm/v1/query_pb.js';
import { encodeAddress } from '../../sdk/codec/address.js';
import { readBech32Address } from '../../sdk/codec/bech32-address.js';
import type { Context } from '../../sdk/module/context.js';
import { query } from '../../sdk/module/module.js';
import { unregisteredWrap, grpcError } from '../../sdk/module/sdk-error.js';
import { getAccount } from '../auth/accounts.js';
import { consensusText } from '../staking/addresses.js';
import { stakingErrors } from '../staking/errors.js';
import { getValidatorByConsensus } from '../staking/validators.js';

/** Account of a validator's operator, by the validator's consensus address. */
export const validatorAccount = query(pb.Query, 'validatorAccount', (context, { consAddress }) => {
  const consensus = requireConsensus(context, consAddress);
  const operator = getValidatorByConsensus(context, consensus)?.operator;
  if (operator === undefined)
    throw unregisteredWrap(
      `error while getting validator ${consensusText(context, consensus)}. ${stakingErrors.noValidator.text}`,
    );
  const base = getAccount(context, operator)?.base;
  return {
    accountAddress: encodeAddress(context.chain.bech32Prefix, operator),
    sequence: base?.sequence ?? 0n,
    accountNumber: base?.accountNumber ?? 0n,
  };
});

/** Decodes a bech32 consensus address (cosmos-sdk v0.53 `types/address.go`, ConsAddressFromBech32). */
function requireConsensus({ chain }: Context, text: string): Uint8Array {
  const address = readBech32Address(`${chain.bech32Prefix}valcons`, text);
  if (!address.ok) throw grpcError('InvalidArgument', address.error.message);
  return address.bytes;
}
