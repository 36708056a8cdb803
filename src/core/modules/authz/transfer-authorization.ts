/**
 * Authorization for IBC transfers, with a limit per channel (ibc-go v10
 * `modules/apps/transfer/types/transfer_authorization.go`).
 */
import { create } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { MAX_UINT256 } from '../../bigint.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import {
  type Allocation,
  AllocationSchema,
  type TransferAuthorization,
  TransferAuthorizationSchema,
} from '../../proto/ibc/applications/transfer/v1/authz_pb.js';
import { type MsgTransfer, MsgTransferSchema } from '../../proto/ibc/applications/transfer/v1/tx_pb.js';
import { decodeMessage, packAny, typeNameOf } from '../../sdk/codec/any.js';
import { coinsFault, safeSubtractCoins } from '../../sdk/coins/coin-sets.js';
import type { Context } from '../../sdk/module/context.js';
import { trimSpace } from '../../sdk/go/go-text.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { channelErrors, ibcErrors } from '../ibc/errors.js';
import { validateIdentifier } from '../ibc/identifiers.js';
import { transferErrors } from '../transfer/errors.js';
import type { Accepted, Authorization } from './authorization.js';

/** Gas per comparison with a listed receiver or memo, equal to an iterator step. */
const GAS_PER_ENTRY = 30n;
/** A list with only this memo allows all memos. */
const ANY_MEMO = '*';
/** Amount that means no limit; it is never reduced. */
const UNBOUNDED = MAX_UINT256.toString();

/** Allows `MsgTransfer` over listed channels and subtracts each amount from the channel's limit. */
export function transferAuthorization(authorization: TransferAuthorization): Authorization {
  return {
    any: packAny(TransferAuthorizationSchema, authorization),
    msgTypeUrl: `/${MsgTransferSchema.typeName}`,
    validate: () => validate(authorization),
    accept: (context, message) => accept(authorization, context, message),
  };
}

function validate({ allocations }: TransferAuthorization): void {
  if (allocations.length === 0) throw new SdkError(transferErrors.invalidAuthorization, 'allocations cannot be empty');
  const channels = new Set<string>();
  for (const { sourcePort, sourceChannel, spendLimit, allowList } of allocations) {
    if (channels.has(sourceChannel))
      throw new SdkError(channelErrors.invalidChannel, `duplicate source channel ID: ${sourceChannel}`);
    channels.add(sourceChannel);
    if (spendLimit.length === 0) throw new SdkError(ibcErrors.invalidCoins, 'spend limit cannot be nil');
    const fault = coinsFault(spendLimit);
    if (fault !== undefined) throw new SdkError(ibcErrors.invalidCoins, `invalid spend limit: ${fault}`);
    validateIdentifier('port', sourcePort, 'invalid source port ID');
    validateIdentifier('channel', sourceChannel, 'invalid source channel ID');
    const twice = duplicateOf(allowList);
    if (twice !== undefined)
      throw new SdkError(transferErrors.invalidAuthorization, `duplicate entry in allow list ${twice}`);
  }
}

function duplicateOf(list: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return list.find((entry) => seen.size === seen.add(entry).size);
}

function accept({ allocations }: TransferAuthorization, context: Context, message: Any): Accepted {
  if (typeNameOf(message) !== MsgTransferSchema.typeName) throw new SdkError(ibcErrors.invalidType, 'type mismatch');
  const transfer = decodeMessage(MsgTransferSchema, message.value);
  const index = allocations.findIndex(
    ({ sourceChannel, sourcePort }) => sourceChannel === transfer.sourceChannel && sourcePort === transfer.sourcePort,
  );
  const allocation = allocations[index];
  if (allocation === undefined)
    throw new SdkError(ibcErrors.notFound, 'requested port and channel allocation does not exist');
  requireReceiver(context, transfer, allocation);
  requireMemo(context, transfer, allocation);
  const left = limitAfter(allocation, transfer);
  if (left === undefined) return { kind: 'unchanged' };
  const after =
    left.length === 0
      ? allocations.toSpliced(index, 1)
      : allocations.with(index, create(AllocationSchema, { ...allocation, spendLimit: [...left] }));
  if (after.length === 0) return { kind: 'used up' };
  const to = create(TransferAuthorizationSchema, { allocations: after });
  return { kind: 'changed', to: packAny(TransferAuthorizationSchema, to) };
}

function requireReceiver({ gas }: Context, { receiver }: MsgTransfer, { allowList }: Allocation): void {
  const isAllowed = allowList.some((address) => {
    gas.consume(GAS_PER_ENTRY, 'transfer authorization');
    return address === receiver;
  });
  if (allowList.length > 0 && !isAllowed)
    throw new SdkError(ibcErrors.invalidAddress, 'not allowed receiver address for transfer');
}

/** Requires an allowed memo; without a list it must be empty. */
function requireMemo({ gas }: Context, { memo }: MsgTransfer, { allowedPacketData }: Allocation): void {
  const given = trimSpace(memo);
  const [first, ...more] = allowedPacketData;
  if (first === undefined) {
    if (given === '') return;
    throw new SdkError(
      transferErrors.invalidAuthorization,
      'memo must be empty because allowed packet data in allocation is empty',
    );
  }
  if (first === ANY_MEMO && more.length === 0) return;
  const isAllowed = allowedPacketData.some((allowed) => {
    gas.consume(GAS_PER_ENTRY, 'transfer authorization');
    return trimSpace(allowed) === given;
  });
  if (!isAllowed) throw new SdkError(transferErrors.invalidAuthorization, `not allowed memo: ${memo}`);
}

/** Limit after a transfer; undefined when the token has no limit. */
function limitAfter({ spendLimit }: Allocation, { token }: MsgTransfer): readonly Coin[] | undefined {
  if (spendLimit.some(({ denom, amount }) => denom === token?.denom && amount === UNBOUNDED)) return undefined;
  const left = safeSubtractCoins(spendLimit, token === undefined ? [] : [token]);
  if (left !== undefined) return left;
  throw new SdkError(
    ibcErrors.insufficientFunds,
    `requested amount of token ${token?.denom ?? ''} is more than spend limit`,
  );
}
