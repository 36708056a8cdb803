/** Messages of delegators (cosmos/evm v0.6 `precompiles/staking/tx.go`). */
import * as pb from '../../proto/cosmos/staking/v1beta1/tx_pb.js';
import { getParams } from '../../modules/staking/params.js';
import { sharesFromTokens } from '../../modules/staking/shares.js';
import { requireValidator } from '../../modules/staking/validators.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { coin } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { text } from '../abi/compounds.js';
import { address, bool, int, padded, uint256 } from '../abi/words.js';
import { emitLog, packed, writeMethod } from '../contract.js';
import { deliver } from '../messages.js';
import { accountName, operatorTopic, requireAddressGiven, requireCaller, requireOperatorName } from '../requester.js';

function bondCoin(context: Context, amount: bigint): Coin {
  return coin(getParams(context).bondDenom, amount);
}

const delegate = writeMethod(
  'delegate',
  [address, text, uint256],
  [bool],
  (context, [delegator, validatorAddress, amount], call) => {
    const delegated = bondCoin(context, amount);
    requireAddressGiven(context, delegator, 'delegator');
    requireCaller(context, call, delegator);
    const delegatorAddress = accountName(context, delegator);
    deliver(context, pb.Msg, 'delegate', {
      delegatorAddress,
      validatorAddress,
      amount: delegated,
    });
    const operator = requireOperatorName(context, validatorAddress);
    const shares = sharesFromTokens(requireValidator(context, operator), amount);
    emitLog(
      context,
      call,
      'Delegate(address,address,uint256,uint256)',
      [padded(delegator), padded(operator)],
      packed(uint256.encode(amount), uint256.encode(shares)),
    );
    return [true];
  },
);

const undelegate = writeMethod(
  'undelegate',
  [address, text, uint256],
  [int(64)],
  (context, [delegator, validatorAddress, amount], call) => {
    const undelegated = bondCoin(context, amount);
    requireAddressGiven(context, delegator, 'delegator');
    requireCaller(context, call, delegator);
    const { completionTime } = deliver(context, pb.Msg, 'undelegate', {
      delegatorAddress: accountName(context, delegator),
      validatorAddress,
      amount: undelegated,
    });
    const end = completionTime?.seconds ?? 0n;
    emitLog(
      context,
      call,
      'Unbond(address,address,uint256,uint256)',
      [padded(delegator), operatorTopic(context, validatorAddress)],
      packed(uint256.encode(amount), uint256.encode(end)),
    );
    return [end];
  },
);

const redelegate = writeMethod(
  'redelegate',
  [address, text, text, uint256],
  [int(64)],
  (context, [delegator, validatorSrcAddress, validatorDstAddress, amount], call) => {
    const moved = bondCoin(context, amount);
    requireAddressGiven(context, delegator, 'delegator');
    requireCaller(context, call, delegator);
    const { completionTime } = deliver(context, pb.Msg, 'beginRedelegate', {
      delegatorAddress: accountName(context, delegator),
      validatorSrcAddress,
      validatorDstAddress,
      amount: moved,
    });
    const end = completionTime?.seconds ?? 0n;
    emitLog(
      context,
      call,
      'Redelegate(address,address,address,uint256,uint256)',
      [padded(delegator), operatorTopic(context, validatorSrcAddress), operatorTopic(context, validatorDstAddress)],
      packed(uint256.encode(amount), uint256.encode(end)),
    );
    return [end];
  },
);

const cancelUnbondingDelegation = writeMethod(
  'cancelUnbondingDelegation',
  [address, text, uint256, uint256],
  [bool],
  (context, [delegator, validatorAddress, amount, height], call) => {
    const delegated = bondCoin(context, amount);
    requireAddressGiven(context, delegator, 'delegator');
    requireCaller(context, call, delegator);
    deliver(context, pb.Msg, 'cancelUnbondingDelegation', {
      delegatorAddress: accountName(context, delegator),
      validatorAddress,
      amount: delegated,
      // Go truncates to the lowest 64 bits.
      creationHeight: BigInt.asIntN(64, height),
    });
    emitLog(
      context,
      call,
      'CancelUnbondingDelegation(address,address,uint256,uint256)',
      [padded(delegator), operatorTopic(context, validatorAddress)],
      packed(uint256.encode(amount), uint256.encode(height)),
    );
    return [true];
  },
);

export const delegationMethods = [delegate, undelegate, redelegate, cancelUnbondingDelegation];
