/** Coins for the community pool, and for rewards (cosmos/evm v0.6 `precompiles/distribution/tx.go`). */
import { requireOperator } from '../../modules/staking/addresses.js';
import * as pb from '../../proto/cosmos/distribution/v1beta1/tx_pb.js';
import { checksumAddress } from '../../keys/address.js';
import type { Context } from '../../sdk/context.js';
import { plainError } from '../../sdk/sdk-error.js';
import { encodeAll, text } from '../abi/compounds.js';
import { address, bool, padded, uint256 } from '../abi/words.js';
import { emitLog, method } from '../contract.js';
import { deliver } from '../messages.js';
import { accountName, requireCaller } from '../requester.js';
import { abiCoins, coinsIn } from '../structs.js';

function requireDepositor(context: Context, depositor: Uint8Array): void {
  if (depositor.every((byte) => byte === 0))
    throw plainError(`invalid hex address address: ${checksumAddress(context.crypto, depositor)}`);
}

const fundCommunityPool = method({
  name: 'fundCommunityPool',
  inputs: [address, abiCoins],
  outputs: [bool],
  writes: true,
  run(context, call, [depositor, coins]) {
    requireDepositor(context, depositor);
    const amount = coinsIn(coins);
    if (amount === undefined) throw plainError('invalid amount amount arg');
    requireCaller(context, call, depositor);
    deliver(context, pb.MsgFundCommunityPoolSchema, pb.MsgFundCommunityPoolResponseSchema, {
      depositor: accountName(context, depositor),
      amount,
    });
    for (const one of amount)
      emitLog(
        context,
        call,
        'FundCommunityPool(address,string,uint256)',
        [padded(depositor)],
        encodeAll([text, uint256], [one.denom, BigInt(one.amount)]),
      );
    return [true];
  },
});

const depositValidatorRewardsPool = method({
  name: 'depositValidatorRewardsPool',
  inputs: [address, text, abiCoins],
  outputs: [bool],
  writes: true,
  run(context, call, [depositor, validatorAddress, coins]) {
    requireDepositor(context, depositor);
    const amount = coinsIn(coins);
    if (amount === undefined) throw plainError('invalid amount: invalid denom');
    requireCaller(context, call, depositor);
    deliver(context, pb.MsgDepositValidatorRewardsPoolSchema, pb.MsgDepositValidatorRewardsPoolResponseSchema, {
      depositor: accountName(context, depositor),
      validatorAddress,
      amount,
    });
    for (const one of amount)
      emitLog(
        context,
        call,
        'DepositValidatorRewardsPool(address,address,string,uint256)',
        [padded(depositor), padded(requireOperator(context, validatorAddress))],
        encodeAll([text, uint256], [one.denom, BigInt(one.amount)]),
      );
    return [true];
  },
});

export const fundMethods = [fundCommunityPool, depositValidatorRewardsPool];
