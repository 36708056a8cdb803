/** Frames that the node sends unasked (cometbft-rpc.md 3.2 and 3.3). */
import type { ConsensusEvent } from '../../../core/websocket-events.js';
import type { Delivery } from '../../../core/subscriptions/index.js';
import { answerText } from '../json-rpc.js';
import { goEscape, goJson } from '../raw-json.js';

const bodies = new WeakMap<ConsensusEvent, string>();

/** `data` and `events` of an event: the same for every subscriber, so encoded once. */
function bodyOf(event: ConsensusEvent): string {
  const known = bodies.get(event);
  if (known !== undefined) return known;
  const events = goJson(Object.fromEntries(event.attributes));
  const body = `"data":{"type":${goJson(event.dataType)},"value":${event.value}},"events":${events}`;
  bodies.set(event, body);
  return body;
}

/** An event under the id of its subscribe call; `result.cursor` is ours (design section 7). */
export function notificationText(id: string, { subscription, event, cursor }: Delivery): string {
  const resume = cursor === undefined ? '' : `,"cursor":"${cursor}"`;
  return `{"jsonrpc":"2.0","id":${id},"result":{"query":${goEscape(JSON.stringify(subscription.query.text))},${bodyOf(event)}${resume}}}`;
}

/** The last frame of a subscription that the node ends. */
export function canceledText(id: string, reason: string): string {
  return answerText(id, {
    ok: false,
    error: { code: -32000, message: 'Server error', data: `subscription was canceled (reason: ${reason})` },
  });
}
