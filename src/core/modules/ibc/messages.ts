import type { MessageHandler } from '../../sdk/module/context.js';
import { channelMessages } from './channel/messages.js';
import { clientMessages } from './client/messages.js';
import { connectionMessages } from './connection/messages.js';
import type { Port } from './channel/port.js';

/** The messages of a chain with these applications over IBC. */
export function ibcMessages(ports: readonly Port[]): readonly MessageHandler[] {
  return [...clientMessages, ...connectionMessages, ...channelMessages(ports)];
}
