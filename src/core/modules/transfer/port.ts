/** The application behind port `transfer` (ibc-go v10 `modules/apps/transfer/ibc_module.go`). */
import { text } from '../../bytes/bytes.js';
import { Order } from '../../proto/ibc/core/channel/v1/channel_pb.js';
import { isBlank } from '../../sdk/go/go-text.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { channelErrors, portErrors } from '../ibc/errors.js';
import { orderName } from '../ibc/names.js';
import type { Port } from '../ibc/port.js';
import { transferErrors } from './errors.js';
import { PORT_KEY, STORE } from './store.js';

const VERSION = 'ics20-1';
const MAX_CHANNELS = 2n ** 32n - 1n;

export const transferPort: Port = {
  name: 'transfer',
  onChannelOpenInit({ store }, { portId, channelId, ordering, version }) {
    const sequence = BigInt(channelId.replace('channel-', ''));
    if (sequence > MAX_CHANNELS)
      throw new SdkError(
        transferErrors.maxChannels,
        `channel sequence ${sequence} is greater than max allowed transfer channels ${MAX_CHANNELS}`,
      );
    const failed = `channel open init callback failed for port ID: ${portId}, channel ID: ${channelId}`;
    if (ordering !== Order.UNORDERED)
      throw new SdkError(
        channelErrors.invalidOrdering,
        `${failed}: expected ORDER_UNORDERED channel, got ${orderName(ordering)} `,
      );
    const bound = text(store.get(STORE, PORT_KEY) ?? new Uint8Array());
    if (bound !== portId)
      throw new SdkError(portErrors.invalidPort, `${failed}: invalid port: ${portId}, expected ${bound}`);
    if (!isBlank(version) && version !== VERSION)
      throw new SdkError(transferErrors.invalidVersion, `${failed}: expected one of [${VERSION}], got ${version}`);
    return VERSION;
  },
};
