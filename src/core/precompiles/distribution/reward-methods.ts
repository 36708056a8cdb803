/** Withdrawals of delegator rewards and validator commission (cosmos/evm v0.6 `precompiles/distribution/tx.go`). */
import { withdrawRewards } from '../../modules/distribution/delegation-rewards.js';
import { decodeDelegation } from '../../modules/staking/delegations.js';
import { delegationsOf, STORE } from '../../modules/staking/keys.js';
import { getParams } from '../../modules/staking/params.js';
import { requireValidator } from '../../modules/staking/validators.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import * as pb from '../../proto/cosmos/distribution/v1beta1/tx_pb.js';
import { bytesOfDigits } from '../../bytes/hex.js';
import { prefixRange } from '../../bytes/key-order.js';
import { utf8 } from '../../bytes/bytes.js';
import { amountOf, sumCoins } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { plainError } from '../../sdk/module/sdk-error.js';
import { encodeAll, text } from '../abi/compounds.js';
import { address, bool, padded, uint, uint256 } from '../abi/words.js';
import { contractRules } from '../contract-rules.js';
import { emitLog, writeMethod } from '../contract.js';
import { requireHexAddress } from '../hex-address.js';
import { deliver } from '../messages.js';
import { accountName, operatorTopic, requireAddressGiven, requireCaller } from '../requester.js';
import { abiCoins, coinsOut } from '../structs.js';

/** Validators of a delegator's first `count` delegations. */
function validatorsOf(context: Context, delegator: Uint8Array, count: bigint): readonly Uint8Array[] {
  const operators: Uint8Array[] = [];
  for (const { value } of context.store.range(STORE, prefixRange(delegationsOf(delegator)))) {
    if (BigInt(operators.length) >= count) break;
    const { operator } = decodeDelegation(context, value);
    operators.push(requireValidator(context, operator).operator);
  }
  return operators;
}

const claimRewards = writeMethod('claimRewards', [address, uint(32)], [bool], (context, [delegator, count], call) => {
  requireAddressGiven(context, delegator, 'delegator');
  const { maxValidators } = getParams(context);
  if (count > BigInt(maxValidators))
    throw plainError(`maxRetrieve (${count}) parameter exceeds the maximum number of validators (${maxValidators})`);
  requireCaller(context, call, delegator);
  const coins = validatorsOf(context, delegator, count).flatMap((operator) => [
    ...withdrawRewards(context, delegator, operator),
  ]);
  const total = amountOf(sumCoins(coins), getParams(context).bondDenom);
  emitLog(context, call, 'ClaimRewards(address,uint256)', [padded(delegator)], uint256.encode(total));
  return [true];
});

/** Encodes the first coin's amount for an event. */
const firstAmount = (context: Context, coins: readonly Coin[]): Uint8Array =>
  uint256.encode(contractRules.of(context).firstAmount(coins));

const withdrawDelegatorRewards = writeMethod(
  'withdrawDelegatorRewards',
  [address, text],
  [abiCoins],
  (context, [delegator, validatorAddress], call) => {
    requireAddressGiven(context, delegator, 'delegator');
    requireCaller(context, call, delegator);
    const { amount } = deliver(context, pb.Msg, 'withdrawDelegatorReward', {
      delegatorAddress: accountName(context, delegator),
      validatorAddress,
    });
    emitLog(
      context,
      call,
      'WithdrawDelegatorReward(address,address,uint256)',
      [padded(delegator), operatorTopic(context, validatorAddress)],
      firstAmount(context, amount),
    );
    return [coinsOut(amount)];
  },
);

const withdrawValidatorCommission = writeMethod(
  'withdrawValidatorCommission',
  [text],
  [abiCoins],
  (context, [validatorAddress], call) => {
    requireCaller(context, call, requireHexAddress(context, validatorAddress));
    const { amount } = deliver(context, pb.Msg, 'withdrawValidatorCommission', { validatorAddress });
    emitLog(
      context,
      call,
      'WithdrawValidatorCommission(string,uint256)',
      // An indexed string is its keccak256 hash.
      [context.crypto.keccak256(utf8(validatorAddress))],
      firstAmount(context, amount),
    );
    return [coinsOut(amount)];
  },
);

const setWithdrawAddress = writeMethod(
  'setWithdrawAddress',
  [address, text],
  [bool],
  (context, [delegator, withdrawer], call) => {
    requireAddressGiven(context, delegator, 'delegator');
    const withdrawAddress = bech32Of(context, withdrawer);
    requireCaller(context, call, delegator);
    deliver(context, pb.Msg, 'setWithdrawAddress', {
      delegatorAddress: accountName(context, delegator),
      withdrawAddress,
    });
    emitLog(
      context,
      call,
      'SetWithdrawerAddress(address,string)',
      [padded(delegator)],
      encodeAll([text], [withdrawAddress]),
    );
    return [true];
  },
);

/** Converts a hexadecimal address to bech32; other text is returned unchanged. */
function bech32Of(context: Context, name: string): string {
  const bytes = bytesOfDigits(name.replace(/^0[xX]/, ''));
  return bytes?.length === 20 ? accountName(context, bytes) : name;
}

export const rewardMethods = [claimRewards, withdrawDelegatorRewards, withdrawValidatorCommission, setWithdrawAddress];
