import type { MatchedEvent, QueryMatches } from '../../core/inspection/api.js';
import { DEFAULT_LIMITS, FIXED_LIMITS } from '../../core/limits/limits.js';
import type { ChainQueries, Outcome } from '../../core/node-api.js';
import type { Timers } from '../../core/ports/time.js';
import { toHeight } from '../../core/primitives.js';
import { matches, parseQuery, utf8Bytes, valuesOf, type Query } from '../../core/query/index.js';
import type { PushHistory } from '../../core/subscriptions/index.js';
import type { ConsensusEvent } from '../../core/comet/websocket-events.js';

export interface MatchQuerySource {
  readonly history: Pick<PushHistory, 'read'>;
  readonly chain: Pick<ChainQueries, 'head' | 'earliestHeight'>;
  readonly timers: Pick<Timers, 'yield'>;
}

/**
 * Implements `InspectionApi.matchQuery`: events of the last blocks that a subscription with this query would have
 * received.
 */
export async function matchQuery(
  { history, chain, timers }: MatchQuerySource,
  text: string,
  blocks: number,
): Promise<Outcome<QueryMatches>> {
  const { cometQueryBytes: maximum } = DEFAULT_LIMITS;
  if (utf8Bytes(text) > maximum)
    return { ok: false, error: { code: 'limit-exceeded', limit: 'cometQueryBytes', maximum } };
  const parsed = parseQuery(text);
  if (!parsed.ok) return { ok: false, error: { code: 'bad-query', message: parsed.message } };
  const { height: to } = chain.head();
  const earliest = chain.earliestHeight();
  const wanted = to - BigInt(blocks) + 1n;
  const from = toHeight(wanted < earliest ? earliest : wanted);
  const found: MatchedEvent[] = [];
  let total = 0;
  let examined = 0;
  for await (const commit of history.read('commits', { height: from })) {
    if (commit.kind !== 'commits') continue;
    for (const event of commit.events()) {
      if (event.height > to) continue;
      examined += 1;
      if (!matches(parsed.query, event.attributes)) continue;
      total += 1;
      if (found.length < FIXED_LIMITS.queryMatches) found.push(matchedOf(event, parsed.query));
    }
    await timers.yield();
  }
  return { ok: true, value: { query: parsed.query.normal, from, to, examined, total, matches: found } };
}

/** The event with the attribute values that the query's conditions use. */
function matchedOf({ type, height, attributes }: ConsensusEvent, { conditions }: Query): MatchedEvent {
  const values = conditions.map(
    ({ tag, target }) => [tag, [...valuesOf(target, attributes)].slice(0, FIXED_LIMITS.matchedValues)] as const,
  );
  return { height, type, txHash: attributes.get('tx.hash')?.[0], values: Object.fromEntries(values) };
}
