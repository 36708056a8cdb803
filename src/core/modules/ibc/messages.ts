import type { MessageHandler } from '../../sdk/module/context.js';
import { channelMessages } from './channel/messages.js';
import { clientMessages } from './client/messages.js';
import { connectionMessages } from './connection/messages.js';
import type { Port } from './channel/port.js';
import { clientMessagesV2 } from './v2/client-messages.js';
import { packetMessagesV2 } from './v2/packet-messages.js';
import type { ClientPort } from './v2/port.js';

/** The messages of a chain with these applications over channels, and those from client to client. */
export function ibcMessages(ports: readonly Port[], clientPorts: readonly ClientPort[]): readonly MessageHandler[] {
  return [
    ...clientMessages,
    ...connectionMessages,
    ...channelMessages(ports),
    ...clientMessagesV2,
    ...packetMessagesV2(clientPorts),
  ];
}
