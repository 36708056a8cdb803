/** Transfer application for IBC channels (ibc-go v10 `modules/apps/transfer/ibc_module.go`). */
import { text } from '../../bytes/bytes.js';
import { Order } from '../../proto/ibc/core/channel/v1/channel_pb.js';
import { isBlank } from '../../sdk/go/go-text.js';
import type { Context } from '../../sdk/module/context.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { channelErrors, ibcErrors, portErrors } from '../ibc/errors.js';
import { orderName } from '../ibc/names.js';
import type { NewChannel, Port } from '../ibc/channel/port.js';
import { transferErrors } from './errors.js';
import { acknowledgeTransfer, receiveTransfer, timeOutTransfer } from './relayed.js';
import { PORT_KEY, STORE, VERSION } from './store.js';

const MAX_CHANNELS = 2n ** 32n - 1n;

/** Rejects a channel that transfers cannot use. */
function requireTransferChannel({ store }: Context, { portId, channelId, ordering }: NewChannel): void {
  const sequence = BigInt(channelId.replace('channel-', ''));
  if (sequence > MAX_CHANNELS)
    throw new SdkError(
      transferErrors.maxChannels,
      `channel sequence ${sequence} is greater than max allowed transfer channels ${MAX_CHANNELS}`,
    );
  if (ordering !== Order.UNORDERED)
    throw new SdkError(channelErrors.invalidOrdering, `expected ORDER_UNORDERED channel, got ${orderName(ordering)} `);
  const bound = text(store.get(STORE, PORT_KEY) ?? new Uint8Array());
  if (bound !== portId) throw new SdkError(portErrors.invalidPort, `invalid port: ${portId}, expected ${bound}`);
}

export const transferPort: Port = {
  name: 'transfer',
  onChannelOpenInit(context, channel) {
    requireTransferChannel(context, channel);
    const { version } = channel;
    if (!isBlank(version) && version !== VERSION)
      throw new SdkError(transferErrors.invalidVersion, `expected one of [${VERSION}], got ${version}`);
    return VERSION;
  },
  onChannelOpenTry(context, channel) {
    requireTransferChannel(context, channel);
    return VERSION;
  },
  onChannelOpenAck(_context, _channel, version) {
    if (version !== VERSION)
      throw new SdkError(
        transferErrors.invalidVersion,
        `invalid counterparty version: expected one of [${VERSION}], got ${version}`,
      );
  },
  onChannelCloseInit() {
    throw new SdkError(ibcErrors.invalidRequest, 'user cannot close channel');
  },
  onReceive: receiveTransfer,
  onAcknowledge: acknowledgeTransfer,
  onTimeout: timeOutTransfer,
};
