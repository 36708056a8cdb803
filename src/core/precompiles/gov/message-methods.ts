/** Messages of gov (cosmos/evm v0.6 `precompiles/gov/tx.go`). */
import * as pb from '../../proto/cosmos/gov/v1/tx_pb.js';
import type { VoteOption } from '../../proto/cosmos/gov/v1/gov_pb.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { checksumAddress } from '../../keys/address.js';
import type { Context } from '../../sdk/module/context.js';
import { invalidRequest, plainError } from '../../sdk/module/sdk-error.js';
import type { AbiValue } from '../abi/abi-type.js';
import { bytes, encodeAll, text } from '../abi/compounds.js';
import { address, bool, padded, uint } from '../abi/words.js';
import { emitLog, writeMethod } from '../contract.js';
import { deliver } from '../messages.js';
import { accountName, requireAddressGiven, requireCaller } from '../requester.js';
import { abiCoins, coinsIn, coinsOut } from '../structs.js';
import { readProposal } from './proposal-json.js';
import { abiOptions } from './structs.js';

function coinsOrRefuse(coins: AbiValue<typeof abiCoins>): Coin[] {
  const read = coinsIn(coins);
  if (read === undefined) throw plainError('invalid deposits deposit arg ');
  return read;
}

function requireProposer(context: Context, proposer: Uint8Array): void {
  if (proposer.every((byte) => byte === 0))
    throw plainError(`invalid proposer ${checksumAddress(context.crypto, proposer)}`);
}

const vote = writeMethod(
  'vote',
  [address, uint(64), uint(8), text],
  [bool],
  (context, [voter, proposalId, option, metadata], call) => {
    requireAddressGiven(context, voter, 'voter');
    requireCaller(context, call, voter);
    deliver(context, pb.Msg, 'vote', {
      proposalId,
      voter: accountName(context, voter),
      option: optionOf(option),
      metadata,
    });
    emitLog(
      context,
      call,
      'Vote(address,uint64,uint8)',
      [padded(voter)],
      encodeAll([uint(64), uint(8)], [proposalId, option]),
    );
    return [true];
  },
);

const voteWeighted = writeMethod(
  'voteWeighted',
  [address, uint(64), abiOptions, text],
  [bool],
  (context, [voter, proposalId, options, metadata], call) => {
    requireAddressGiven(context, voter, 'voter');
    requireCaller(context, call, voter);
    // An absent list would be `null`.
    if (options.length === 0) throw invalidRequest('[]');
    deliver(context, pb.Msg, 'voteWeighted', {
      proposalId,
      voter: accountName(context, voter),
      options: options.map(({ option, weight }) => ({ option: optionOf(option), weight })),
      metadata,
    });
    emitLog(
      context,
      call,
      'VoteWeighted(address,uint64,(uint8,string)[])',
      [padded(voter)],
      encodeAll([uint(64), abiOptions], [proposalId, options]),
    );
    return [true];
  },
);

/** Converts to a VoteOption; gov rejects unknown numbers. */
const optionOf = (option: bigint): VoteOption => Number(option);

const deposit = writeMethod(
  'deposit',
  [address, uint(64), abiCoins],
  [bool],
  (context, [depositor, proposalId, coins], call) => {
    requireAddressGiven(context, depositor, 'depositor');
    const amount = coinsOrRefuse(coins);
    requireCaller(context, call, depositor);
    deliver(context, pb.Msg, 'deposit', {
      proposalId,
      depositor: accountName(context, depositor),
      amount,
    });
    emitLog(
      context,
      call,
      'Deposit(address,uint64,(string,uint256)[])',
      [padded(depositor)],
      encodeAll([uint(64), abiCoins], [proposalId, coinsOut(amount)]),
    );
    return [true];
  },
);

const cancelProposal = writeMethod(
  'cancelProposal',
  [address, uint(64)],
  [bool],
  (context, [proposer, proposalId], call) => {
    requireProposer(context, proposer);
    requireCaller(context, call, proposer);
    deliver(context, pb.Msg, 'cancelProposal', {
      proposalId,
      proposer: accountName(context, proposer),
    });
    emitLog(context, call, 'CancelProposal(address,uint64)', [padded(proposer)], uint(64).encode(proposalId));
    return [true];
  },
);

const submitProposal = writeMethod(
  'submitProposal',
  [address, bytes, abiCoins],
  [uint(64)],
  (context, [proposer, json, coins], call) => {
    requireProposer(context, proposer);
    if (json.length === 0) throw plainError('invalid proposal json jsonBlob arg ');
    const initialDeposit = coinsOrRefuse(coins);
    const proposal = readProposal(context, json);
    requireCaller(context, call, proposer);
    const { proposalId } = deliver(context, pb.Msg, 'submitProposal', {
      ...proposal,
      initialDeposit,
      proposer: accountName(context, proposer),
    });
    emitLog(context, call, 'SubmitProposal(address,uint64)', [padded(proposer)], uint(64).encode(proposalId));
    return [proposalId];
  },
);

export const messageMethods = [vote, voteWeighted, deposit, cancelProposal, submitProposal];
