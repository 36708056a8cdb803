/**
 * Transfers over IBC (cosmos/evm v0.6 `precompiles/ics20`). No channel of this build is open and no client has a
 * counterparty: each transfer is refused. Tokens of other chains are those of the genesis.
 */
import { create } from '@bufbuild/protobuf';
import { upperHex } from '../../bytes/hex.js';
import { getChannel } from '../../modules/ibc/channels.js';
import { channelErrors } from '../../modules/ibc/errors.js';
import { isChannelFormat } from '../../modules/ibc/identifiers.js';
import type { PortChannel } from '../../modules/ibc/keys.js';
import { stateName } from '../../modules/ibc/names.js';
import { denomHash as denomHashOf, requirePath } from '../../modules/transfer/denom.js';
import { denomsOfPage, getDenom } from '../../modules/transfer/denoms.js';
import { requireDenomHash } from '../../modules/transfer/hash.js';
import { validateTransfer } from '../../modules/transfer/messages.js';
import { refuseTransfer } from '../../modules/transfer/send.js';
import { denomKey, STORE } from '../../modules/transfer/store.js';
import { MsgTransferSchema } from '../../proto/ibc/applications/transfer/v1/tx_pb.js';
import { withStore, type Context } from '../../sdk/module/context.js';
import { has, unmetered } from '../../sdk/module/gas.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import type { StatefulPrecompile } from '../../sdk/module/stateful-precompile.js';
import { listOf, text, tuple } from '../abi/compounds.js';
import { address, uint, uint256 } from '../abi/words.js';
import { contractAddress, messageContract, method } from '../contract.js';
import { withStatus } from '../messages.js';
import { accountName, requireCaller } from '../requester.js';
import { abiPageRequest, abiPageResponse, pageIn, pageOut } from '../structs.js';

const abiDenom = tuple({ base: text, trace: listOf(tuple({ portId: text, channelId: text })) });

/** The refusal of a channel by its name `channel-{N}` (cosmos/evm v0.6 `validateV1TransferChannel` in `tx.go`). */
function refuseChannel(context: Context, channel: PortChannel): never {
  const { portId, channelId } = channel;
  const found = getChannel(context, channel);
  if (found === undefined) throw new SdkError(channelErrors.notFound, `port ID (${portId}) channel ID (${channelId})`);
  throw new SdkError(
    channelErrors.invalidState,
    `channel (${channelId}) is not open, current state: ${stateName(found.state)}`,
  );
}

const transfer = method({
  name: 'transfer',
  inputs: [
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
  outputs: [uint(64)],
  writes: true,
  run(
    context,
    call,
    [sourcePort, sourceChannel, name, amount, sender, receiver, timeoutHeight, timeoutTimestamp, memo],
  ) {
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
    if (isChannelFormat(sourceChannel)) refuseChannel(context, { portId: sourcePort, channelId: sourceChannel });
    requireCaller(context, call, sender);
    // what a transfer reads and writes costs a contract nothing
    return refuseTransfer(withStore(context, unmetered(context.store)), message);
  },
});

const denom = method({
  name: 'denom',
  inputs: [text],
  outputs: [abiDenom],
  run(context, _call, [hash]) {
    const found = getDenom(
      context,
      withStatus(() => requireDenomHash(hash)),
    );
    return [found ?? { base: '', trace: [] }];
  },
});

const denoms = method({
  name: 'denoms',
  inputs: [abiPageRequest],
  outputs: [listOf(abiDenom), abiPageResponse],
  run(context, _call, [request]) {
    const { rows, page } = denomsOfPage(context, pageIn(request));
    return [rows, pageOut(page)];
  },
});

const denomHash = method({
  name: 'denomHash',
  inputs: [text],
  outputs: [text],
  run({ store, crypto }, _call, [trace]) {
    const hash = denomHashOf(
      (data) => crypto.sha256(data),
      withStatus(() => requirePath(trace)),
    );
    return [has(store, STORE, denomKey(hash)) ? upperHex(hash) : ''];
  },
});

export const ics20Contract: StatefulPrecompile = messageContract(contractAddress(0x802), [
  transfer,
  denom,
  denoms,
  denomHash,
]);
