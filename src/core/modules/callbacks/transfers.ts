/** IBC callbacks middleware around other ports (ibc-go v10 `modules/apps/callbacks/ibc_middleware.go`). */
import { emit } from '../../sdk/module/abci-event.js';
import type { Context } from '../../sdk/module/context.js';
import { isReturned } from '../../sdk/module/returned-error.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { errorAcknowledgement } from '../ibc/channel/acknowledgement.js';
import { getChannel } from '../ibc/channel/channels.js';
import { destinationOf, sourceOf } from '../ibc/channel/packets.js';
import type { Delivered, Middleware } from '../ibc/channel/port.js';
import { decodePacketData, type PacketData } from '../transfer/packet-data.js';
import { VERSION } from '../transfer/store.js';
import { type CallbackData, type CallbackKey, readCallback } from './callback-data.js';
import { callOnAnswer, callOnReceive, callOnTimeout } from './contracts.js';
import { type CallbackType, runCallback } from './run-callback.js';

/** Maximum gas of a callback (cosmos/evm v0.6 `evmd/app.go`). */
const MAX_GAS = 1_000_000n;
/** Remaining gas without a limit. */
const UNLIMITED = (1n << 64n) - 1n;

/**
 * Calls the contract in a transfer's memo. On receipt, a failed callback becomes the error acknowledgement. On
 * acknowledgement or timeout, its failure has no effect. CheckTx makes no calls.
 */
export const callbacksMiddleware: Middleware = (inner) => ({
  onReceive(context, delivered) {
    const answer = inner.onReceive(context, delivered);
    if (!answer.success) return answer;
    try {
      const error = handle(context, delivered, 'receive_packet', callOnReceive);
      return error === undefined ? answer : errorAcknowledgement(error);
    } catch (error) {
      if (!isReturned(error)) throw error;
      return errorAcknowledgement(error);
    }
  },
  onAcknowledge(context, delivered, acknowledgement) {
    inner.onAcknowledge(context, delivered, acknowledgement);
    if (context.mode === 'check') return;
    handle(context, delivered, 'acknowledgement_packet', (within, packet, callback) =>
      callOnAnswer(within, packet, callback, acknowledgement),
    );
  },
  onTimeout(context, delivered) {
    inner.onTimeout(context, delivered);
    if (context.mode !== 'check') handle(context, delivered, 'timeout_packet', callOnTimeout);
  },
});

/** Runs the callback of a packet, if it has one, and returns its error. Throws SdkError for an invalid request. */
function handle(
  context: Context,
  delivered: Delivered,
  type: CallbackType,
  call: (context: Context, packet: Delivered['packet'], callback: CallbackData) => void,
): SdkError | undefined {
  const { packet } = delivered;
  const key: CallbackKey = type === 'receive_packet' ? 'dest_callback' : 'src_callback';
  const end = type === 'receive_packet' ? destinationOf(packet) : sourceOf(packet);
  const version = getChannel(context, end)?.version;
  const data = version === VERSION ? dataOf(packet.data) : undefined;
  const { limit, consumed } = context.gas;
  const remaining = limit === undefined ? UNLIMITED : limit > consumed ? limit - consumed : 0n;
  const callback = data && readCallback(data, key, { remaining, maximum: MAX_GAS });
  if (callback === undefined) return undefined;
  const error = runCallback(context, type, callback, (within) => call(within, packet, callback));
  const side = type === 'receive_packet' ? 'dest' : 'src';
  emit(context, `ibc_${side}_callback`, () => [
    ['module', 'ibccallbacks'],
    ['callback_type', type],
    ['callback_address', callback.address],
    ['callback_exec_gas_limit', callback.executionGas.toString()],
    ['callback_commit_gas_limit', callback.commitGas.toString()],
    ['packet_sequence', packet.sequence.toString()],
    ['callback_base_application_version', VERSION],
    ...(error === undefined ? [] : [['callback_error', error.message] as const]),
    ['callback_result', error === undefined ? 'success' : 'failure'],
    [`packet_${side}_port`, end.portId],
    [`packet_${side}_channel`, end.channelId],
  ]);
  return error;
}

function dataOf(bytes: Uint8Array): PacketData | undefined {
  try {
    return decodePacketData(bytes);
  } catch (error) {
    if (!(error instanceof SdkError)) throw error;
    return undefined;
  }
}
