import { parseCursor } from '../../../core/subscriptions/index.js';
import { INVALID_CURSOR, type PushStart } from '../../push/index.js';
import { paramsSource } from '../json-rpc.js';
import { type JsonLimits, splitJson } from '../../raw-json.js';

export type SubscribeParams =
  | { readonly ok: true; readonly query: string; readonly start: PushStart; readonly cursors: boolean }
  | { readonly ok: false; readonly message: string };

/**
 * Parses `{query, cursor?}`, `[query]` or `[query, cursor]`. `cursor` is an extension: a log position to resume
 * after, or true to get cursors from now on.
 */
export function readSubscribeParams(rawParams: string, limits: JsonLimits): SubscribeParams {
  const strict = paramsSource(rawParams, ['query'], limits);
  const withCursor = strict.ok ? strict : paramsSource(rawParams, ['query', 'cursor'], limits);
  const params = withCursor.ok ? withCursor : strict;
  if (!params.ok) return { ok: false, message: params.error.data ?? params.error.message };
  const query = splitJson(params.source('query', 0)?.text ?? 'null', limits);
  if (!query.ok) return { ok: false, message: `error converting json params to arguments: ${query.error}` };
  if (query.value.kind !== 'string' && query.value.kind !== 'null') {
    return {
      ok: false,
      message: `error converting json params to arguments: json: cannot unmarshal ${query.value.kind} into Go value of type string`,
    };
  }
  const text = query.value.kind === 'string' ? query.value.value : '';
  const start = readStart(params.source('cursor', 1)?.text ?? 'null');
  return start === undefined ? { ok: false, message: INVALID_CURSOR } : { ok: true, query: text, ...start };
}

function readStart(raw: string): Pick<Extract<SubscribeParams, { ok: true }>, 'start' | 'cursors'> | undefined {
  if (raw === 'null') return { start: { kind: 'now' }, cursors: false };
  if (raw === 'true' || raw === '"true"') return { start: { kind: 'now' }, cursors: true };
  const cursor = parseCursor(/^"[0-9a-fx.]*"$/iu.test(raw) ? raw.slice(1, -1) : /^[0-9]+$/u.test(raw) ? raw : '');
  return cursor && { start: { kind: 'cursor', cursor }, cursors: true };
}
