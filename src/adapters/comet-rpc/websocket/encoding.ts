/** Frames of subscription events, in CometBFT's format (spec/rpc/README.md and rpc/core/events.go, v0.38). */
import { invariant } from '../../../core/errors.js';
import type { Query } from '../../../core/query/index.js';
import type { PushEncoding } from '../../push/index.js';
import { answerText } from '../json-rpc.js';
import { goEscape, goJson } from '../../raw-json.js';

/** Encodes an event under the id of its subscribe call. `result.cursor` is an extension, sent only on request. */
export const COMET_ENCODING: PushEncoding = {
  face: 'consensus',
  formOf: () => 0,
  body(item, _, cursor) {
    invariant(item.kind === 'event', 'a query is matched by events');
    const { dataType, value, attributes, unshown } = item.event;
    const events = goJson(Object.fromEntries([...attributes].filter(([key]) => key !== unshown)));
    const resume = cursor === undefined ? '' : `,"cursor":"${cursor}"`;
    return `"data":{"type":${goJson(dataType)},"value":${value}},"events":${events}${resume}}}`;
  },
};

/** The first part of a frame, which depends on the subscription. `id`: JSON text of the subscribe call's id. */
export function prefixOf(id: string, query: Query): string {
  return `{"jsonrpc":"2.0","id":${id},"result":{"query":${goEscape(JSON.stringify(query.text))},`;
}

/** The last frame of a subscription that the node cancels. */
export function canceledText(id: string, reason: string): string {
  return answerText(id, {
    ok: false,
    error: { code: -32000, message: 'Server error', data: `subscription was canceled (reason: ${reason})` },
  });
}
