/** ICS-20 precompile: IBC transfers (cosmos/evm v0.6 `precompiles/ics20`). */
import { create } from '@bufbuild/protobuf';
import { utf8 } from '../../bytes/bytes.js';
import { upperHex } from '../../bytes/hex.js';
import { getChannel } from '../../modules/ibc/channel/channels.js';
import { getConnection } from '../../modules/ibc/connection/connections.js';
import { channelErrors, connectionErrors } from '../../modules/ibc/errors.js';
import { isChannelFormat } from '../../modules/ibc/identifiers.js';
import type { PortChannel } from '../../modules/ibc/keys.js';
import { connectionStateName, stateName } from '../../modules/ibc/names.js';
import { getFlag, tokenPairOf } from '../../modules/erc20/store.js';
import { State } from '../../proto/ibc/core/channel/v1/channel_pb.js';
import { State as ConnectionState } from '../../proto/ibc/core/connection/v1/connection_pb.js';
import { coin } from '../../sdk/coins/coins.js';
import { denomHash as denomHashOf, requirePath } from '../../modules/transfer/denom.js';
import { denomsOfPage, getDenom } from '../../modules/transfer/denoms.js';
import { requireDenomHash } from '../../modules/transfer/hash.js';
import { validateTransfer } from '../../modules/transfer/messages.js';
import { sendTransfer } from '../../modules/transfer/send.js';
import { denomKey, STORE } from '../../modules/transfer/store.js';
import { MsgTransferSchema } from '../../proto/ibc/applications/transfer/v1/tx_pb.js';
import { withStore, type Context } from '../../sdk/module/context.js';
import { has, unmetered } from '../../sdk/module/gas.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import type { StatefulPrecompile } from '../../sdk/module/stateful-precompile.js';
import { encodeAll, listOf, text, tuple } from '../abi/compounds.js';
import { address, padded, uint, uint256 } from '../abi/words.js';
import { contractAddress, emitLog, messageContract, viewMethod, writeMethod } from '../contract.js';
import { withStatus } from '../messages.js';
import { accountName, requireCaller } from '../requester.js';
import { abiPageRequest, abiPageResponse, pageIn, pageOut } from '../structs.js';

const abiDenom = tuple({ base: text, trace: listOf(tuple({ portId: text, channelId: text })) });

/** Rejects a channel `channel-{N}` that is not open, or whose connection is not open (cosmos/evm v0.6 `tx.go`). */
function requireChannel(context: Context, channel: PortChannel): void {
  const { portId, channelId } = channel;
  const found = getChannel(context, channel);
  if (found === undefined) throw new SdkError(channelErrors.notFound, `port ID (${portId}) channel ID (${channelId})`);
  if (found.state !== State.OPEN)
    throw new SdkError(
      channelErrors.invalidState,
      `channel (${channelId}) is not open, current state: ${stateName(found.state)}`,
    );
  const [hop = ''] = found.connectionHops;
  const connection = getConnection(context, hop);
  if (connection === undefined)
    throw new SdkError(connectionErrors.notFound, `connection (${hop}) not found for channel (${channelId})`);
  if (connection.state !== ConnectionState.OPEN)
    throw new SdkError(
      connectionErrors.invalidState,
      `connection (${hop}) is not open, current state: ${connectionStateName(connection.state)}`,
    );
}

/**
 * Resolves a denom that names an ERC-20 contract to its coin. Tokens that were not converted to coins yet are not
 * supported: cosmos/evm converts them here, this build requires `convertERC20` first.
 */
function coinOf(context: Context, name: string): string {
  const pair = tokenPairOf(context, name.replace(/^erc20:/, ''));
  return pair?.enabled === true && getFlag(context, 'enableErc20') ? pair.denom : name;
}

const transfer = writeMethod(
  'transfer',
  [
    text,
    text,
    text,
    uint256,
    address,
    text,
    tuple({ revisionNumber: uint(64), revisionHeight: uint(64) }),
    uint(64),
    text,
  ],
  [uint(64)],
  (
    context,
    [sourcePort, sourceChannel, name, amount, sender, receiver, timeoutHeight, timeoutTimestamp, memo],
    call,
  ) => {
    const message = create(MsgTransferSchema, {
      sourcePort,
      sourceChannel,
      token: { denom: name, amount: amount.toString() },
      sender: accountName(context, sender),
      receiver,
      timeoutHeight,
      timeoutTimestamp,
      memo,
    });
    validateTransfer(message);
    if (isChannelFormat(sourceChannel)) requireChannel(context, { portId: sourcePort, channelId: sourceChannel });
    requireCaller(context, call, sender);
    // The transfer's store accesses cost no gas.
    const free = withStore(context, unmetered(context.store));
    const token = coin(coinOf(free, name), amount);
    const sequence = sendTransfer(free, create(MsgTransferSchema, { ...message, token }));
    emitLog(
      context,
      call,
      'IBCTransfer(address,string,string,string,string,uint256,string)',
      // An indexed string is its keccak256 hash.
      [padded(sender), context.crypto.keccak256(utf8(receiver))],
      encodeAll([text, text, text, uint256, text], [sourcePort, sourceChannel, token.denom, amount, memo]),
    );
    return [sequence];
  },
);

const denom = viewMethod('denom', [text], [abiDenom], (context, [hash]) => {
  const found = getDenom(
    context,
    withStatus(() => requireDenomHash(hash)),
  );
  return [found ?? { base: '', trace: [] }];
});

const denoms = viewMethod('denoms', [abiPageRequest], [listOf(abiDenom), abiPageResponse], (context, [request]) => {
  const { rows, page } = denomsOfPage(context, pageIn(request));
  return [rows, pageOut(page)];
});

const denomHash = viewMethod('denomHash', [text], [text], ({ store, crypto }, [trace]) => {
  const hash = denomHashOf(
    (data) => crypto.sha256(data),
    withStatus(() => requirePath(trace)),
  );
  return [has(store, STORE, denomKey(hash)) ? upperHex(hash) : ''];
});

export const ics20Contract: StatefulPrecompile = messageContract(contractAddress(0x802), [
  transfer,
  denom,
  denoms,
  denomHash,
]);
