/**
 * Deposits into the community pool and into validators' reward pools (cosmos/evm v0.6
 * `precompiles/distribution/tx.go`).
 */
import { fundCommunityPool } from '../../modules/distribution/community-pool.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import * as pb from '../../proto/cosmos/distribution/v1beta1/tx_pb.js';
import { checksumAddress } from '../../keys/address.js';
import { isValidDenom } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { plainError } from '../../sdk/module/sdk-error.js';
import type { AbiValue } from '../abi/abi-type.js';
import { encodeAll, text } from '../abi/compounds.js';
import { address, bool, padded, uint256 } from '../abi/words.js';
import { emitLog, writeMethod } from '../contract.js';
import { deliver } from '../messages.js';
import { accountName, operatorTopic, requireCaller } from '../requester.js';
import { abiCoins, coinsIn } from '../structs.js';

function requireDepositor(context: Context, depositor: Uint8Array): void {
  if (depositor.every((byte) => byte === 0))
    throw plainError(`invalid hex address address: ${checksumAddress(context.crypto, depositor)}`);
}

/**
 * Reads a coin list argument; throws when a denom is invalid. The error lists all coins when one has an empty denom.
 */
function requireCoins(coins: AbiValue<typeof abiCoins>): Coin[] {
  if (coins.some(({ denom }) => denom === ''))
    throw plainError(`invalid amount: [${coins.map(({ denom, amount }) => `{${denom} ${amount}}`).join(' ')}]`);
  const wrong = coins.find(({ denom }) => !isValidDenom(denom));
  if (wrong !== undefined) throw plainError(`invalid amount: invalid denom: ${wrong.denom}`);
  return coinsIn(coins) ?? [];
}

const fund = writeMethod('fundCommunityPool', [address, abiCoins], [bool], (context, [depositor, coins], call) => {
  requireDepositor(context, depositor);
  const amount = coinsIn(coins);
  if (amount === undefined) throw plainError('invalid amount amount arg');
  requireCaller(context, call, depositor);
  // An empty list is valid here, although the message would be rejected for it.
  if (amount.length === 0) fundCommunityPool(context, depositor, amount);
  else
    deliver(context, pb.Msg, 'fundCommunityPool', {
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
});

const depositValidatorRewardsPool = writeMethod(
  'depositValidatorRewardsPool',
  [address, text, abiCoins],
  [bool],
  (context, [depositor, validatorAddress, coins], call) => {
    requireDepositor(context, depositor);
    const amount = requireCoins(coins);
    requireCaller(context, call, depositor);
    deliver(context, pb.Msg, 'depositValidatorRewardsPool', {
      depositor: accountName(context, depositor),
      validatorAddress,
      amount,
    });
    const operator = operatorTopic(context, validatorAddress);
    for (const one of amount)
      emitLog(
        context,
        call,
        'DepositValidatorRewardsPool(address,address,string,uint256)',
        [padded(depositor), operator],
        encodeAll([text, uint256], [one.denom, BigInt(one.amount)]),
      );
    return [true];
  },
);

export const fundMethods = [fund, depositValidatorRewardsPool];
