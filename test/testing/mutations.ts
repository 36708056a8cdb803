/** Bugs of the push engine and of polling filters, as changes of their sources. */
import type { Limits } from '../../src/core/limits/limits.js';
import type { EngineTarget } from './mutant-thread.js';

export interface Mutation {
  readonly name: string;
  readonly target: EngineTarget;
  readonly limits: Partial<Limits>;
  /** The source file, and the text in it that is replaced; it must occur once. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const inTarget =
  (target: EngineTarget, limits: Partial<Limits>) =>
  (name: string, file: string, from: string, to: string): Mutation => ({ name, target, limits, file, from, to });

/** Small limits, so that slow clients are cut off and the ring overflows. */
const SMALL = { socketPauseBytes: 400, socketCutoffBytes: 800 };
const ethereum = inTarget('ethereum', { ...SMALL, ringCommits: 6 });
/** A client that does not read has no room from its first notification on, and is cut off at its second one. */
const ethereumSlow = inTarget('ethereum', { socketPauseBytes: 1, socketCutoffBytes: 10 });
const consensusSlow = inTarget('consensus', { socketPauseBytes: 1, socketCutoffBytes: 10 });
/** Commits gather in the ring before they are written. */
const ethereumLater = inTarget('ethereum', { pumpAtOnce: 0 });
/** A client that does not read has no room, and is not cut off. */
const consensusHeld = inTarget('consensus', { socketPauseBytes: 1, socketCutoffBytes: 100_000 });
/** A ring that is full before a client counts as slow. */
const ethereumRing = inTarget('ethereum', { socketPauseBytes: 1, socketCutoffBytes: 100_000, ringCommits: 1 });
const consensus = inTarget('consensus', SMALL);
const filters = inTarget('filters', {});
/** Answers in small parts, and a short ring of admissions. */
const filtersInParts = inTarget('filters', {
  filterPollBlocks: 2,
  filterPollLogBlocks: 2,
  filterPollPending: 2,
  recentAdmissions: 3,
});

const PUSH = 'src/adapters/push';
const REGISTRY = 'src/actors/subscription-registry';
const SUBSCRIPTIONS = 'src/core/subscriptions';
const MANAGER = 'src/actors/filter-manager';
const FILTERS = 'src/core/filters';

export const MUTATIONS: readonly Mutation[] = [
  ethereum(
    'every notification carries a cursor',
    `${PUSH}/bodies.ts`,
    'cursors ? cursorOf(item, position) : undefined',
    'cursorOf(item, position)',
  ),
  ethereum(
    'subscribers with and without cursors share one text',
    `${PUSH}/bodies.ts`,
    'form * 2 + (cursors ? 1 : 0)',
    'form * 2',
  ),
  ethereum(
    'hashes and whole transactions share one text',
    `${PUSH}/bodies.ts`,
    'form * 2 + (cursors ? 1 : 0)',
    'cursors ? 1 : 0',
  ),
  ethereum(
    'the cursor of a log is one log ahead',
    `${PUSH}/bodies.ts`,
    "case 'log':\n      return cursorText(position, item.index)",
    "case 'log':\n      return cursorText(position, item.index + 1)",
  ),
  consensus(
    'the cursor of an event is one event ahead',
    `${PUSH}/bodies.ts`,
    '? undefined : cursorText(position, item.index)',
    '? undefined : cursorText(position, item.index + 1)',
  ),
  ethereum(
    'all logs of a block have the cursor of the first one',
    `${SUBSCRIPTIONS}/matching.ts`,
    "{ kind: 'log', index: log.logIndex,",
    "{ kind: 'log', index: 0,",
  ),
  ethereum(
    'the item that a cursor names is sent again',
    `${SUBSCRIPTIONS}/cursor.ts`,
    'index <= partial.index',
    'index < partial.index',
  ),
  ethereum(
    'the item behind a cursor is left out',
    `${SUBSCRIPTIONS}/cursor.ts`,
    'index <= partial.index',
    'index <= partial.index + 1',
  ),
  consensus(
    'a cursor within a commit counts as one behind it',
    `${SUBSCRIPTIONS}/cursor.ts`,
    'return { after: toPosition(within - 1n), partial: { within, index } }',
    'return { after: toPosition(within), partial: { within, index } }',
  ),
  consensus(
    'a cursor begins one position late',
    `${SUBSCRIPTIONS}/cursor.ts`,
    'return { after, partial: undefined };',
    'return { after: toPosition(after + 2n), partial: undefined };',
  ),
  ethereum(
    'a replay tells of blocks that are not shown yet',
    `${PUSH}/replay.ts`,
    'if (input.position > shown()) break;',
    '',
  ),
  consensus(
    'the first input of a replay is left out',
    `${PUSH}/replay.ts`,
    'await write(missed(input));',
    'if (inputs > 1) await write(missed(input));',
  ),
  consensusSlow(
    'a replay ends after its first round without a look at what was shown meanwhile',
    `${PUSH}/replay.ts`,
    "if (!('after' in start) || start.after < target) start = { after: target };",
    'for (const held of group.keys()) goLive(held, target);\n    return;',
  ),
  consensus(
    'a subscription is live while it is replayed',
    `${PUSH}/connection.ts`,
    "for (const delivery of group.keys()) delivery.state = 'replaying';",
    "for (const delivery of group.keys()) delivery.state = 'live';",
  ),
  ethereum(
    'a subscription begins with its response, although it was asked for before',
    `${PUSH}/connection.ts`,
    'else startReplay(new Map([[delivery, cursor]]), delivery.inputKind, start);',
    'else if (delivery.cursors) startReplay(new Map([[delivery, cursor]]), delivery.inputKind, start);\n    else goLive(delivery, registry.shown(delivery.inputKind));',
  ),
  consensus(
    'a resumed subscription begins now',
    `${PUSH}/connection.ts`,
    'else startReplay(new Map([[delivery, cursor]]), delivery.inputKind, start);',
    'else goLive(delivery, registry.shown(delivery.inputKind));',
  ),
  ethereum(
    'notifications go out before the subscribe response',
    `${PUSH}/connection.ts`,
    "state: 'waiting',",
    "state: 'live',",
  ),
  consensus('a cursor of the future is accepted', `${PUSH}/connection.ts`, "? { code: 'cursor-ahead' }", '? undefined'),
  consensus(
    'a cursor whose history is gone is accepted as if the replay were whole',
    `${PUSH}/connection.ts`,
    ': history.judge(start.cursor);',
    ': undefined;',
  ),
  ethereum(
    'a cursor is refused that one of the kinds of inputs has not reached',
    `${PUSH}/connection.ts`,
    'positionOf(start.cursor) > source.head()',
    'INPUT_KINDS.some((inputKind) => positionOf(start.cursor) > registry.shown(inputKind))',
  ),
  ethereumLater(
    'frames that wait in the ring are sent after the unsubscribe response',
    `${PUSH}/connection.ts`,
    'delivery.open = false;',
    '',
  ),
  ethereumLater(
    'the pump writes to subscriptions that ended',
    `${PUSH}/pump.ts`,
    'if (!frame.target.open) continue;',
    '',
  ),
  consensus(
    'ended subscriptions stay in the registry',
    `${PUSH}/connection.ts`,
    'registry.forget(some.map(({ subscription }) => subscription));',
    '',
  ),
  consensusSlow(
    'a slow client is cut off without last words',
    `${PUSH}/connection.ts`,
    'if (words.length > 0) socket.cork(() => words.forEach((text) => socket.send(text)));',
    '',
  ),
  ethereumSlow('a slow client is cut off with the code of a defect', `${PUSH}/cut-off.ts`, 'slow: 1013', 'slow: 1011'),
  ethereum(
    'a client that reads is cut off',
    `${PUSH}/pump.ts`,
    'if (backlogOf(writer) > limits.socketCutoffBytes && !isOpen) {',
    'if (frames.size > 1) {',
  ),
  ethereumRing(
    'a client that was sent back to the log gets again what it read',
    `${PUSH}/connection.ts`,
    'if (group.has(target)) group.set(target, cursorWithin(first.position, body.index));',
    '',
  ),
  ethereumRing(
    'a client that was sent back to the log loses what it had not read',
    `${PUSH}/connection.ts`,
    'startReplay(group, inputKind, { after: before.after });',
    'for (const held of group.keys()) goLive(held, registry.shown(inputKind));',
  ),
  consensusHeld(
    'one slow client keeps a commit from the clients behind it',
    `${PUSH}/pump.ts`,
    'if (isOpen) due.add(writer);',
    'if (!isOpen) break;\n        due.add(writer);',
  ),
  ethereum(
    'a client that reads again is not served again',
    `${PUSH}/pump.ts`,
    'if (ring.peek(writer) === undefined) return;\n          due.add(writer);',
    'if (ring.peek(writer) !== undefined) return;\n          due.add(writer);',
  ),
  consensusSlow(
    'frames of a replay for which there is no room are lost',
    `${PUSH}/connection.ts`,
    'rest = rest.slice(written);',
    'rest = [];',
  ),
  ethereum(
    'every second frame of a commit is left out',
    `${SUBSCRIPTIONS}/ring.ts`,
    'place.offset += 1;',
    'place.offset += 2;',
  ),
  ethereum(
    'the first frame of a commit is sent twice',
    `${PUSH}/pump.ts`,
    'ring.advance(writer);\n',
    'if (written > 0 || count.frames % 2 === 0) ring.advance(writer);\n',
  ),
  ethereum(
    'frames of a commit go out in reverse order',
    `${PUSH}/engine.ts`,
    'else list.push({ target, body });',
    'else list.unshift({ target, body });',
  ),
  ethereum(
    'logs are matched without their range of blocks',
    `${SUBSCRIPTIONS}/log-index.ts`,
    'isInRange(criteria, height) && matchesLog(criteria, log)',
    'matchesLog(criteria, log)',
  ),
  ethereum(
    'the last block of a range does not belong to it',
    `${SUBSCRIPTIONS}/log-index.ts`,
    'height <= toBlock)',
    'height < toBlock)',
  ),
  ethereum(
    'subscriptions to the logs of any address are not found',
    `${SUBSCRIPTIONS}/log-index.ts`,
    'for (const address of [ANY, hexData(log.address)]) {',
    'for (const address of [hexData(log.address)]) {',
  ),
  ethereum(
    'a second subscription to new heads gets nothing once one was matched',
    `${SUBSCRIPTIONS}/criteria-index.ts`,
    'subscriptions.add(subscription);\n      sorted = undefined;',
    'subscriptions.add(subscription);',
  ),
  consensus(
    'queries without tm.event are not found',
    `${SUBSCRIPTIONS}/query-index.ts`,
    '[...(attributes.get(EVENT_KEY) ?? []), ANY_EVENT]',
    'attributes.get(EVENT_KEY) ?? []',
  ),
  consensus(
    'candidates of the index are not compared exactly',
    `${SUBSCRIPTIONS}/query-index.ts`,
    'if (matches(group.query, attributes)) for (const',
    'for (const',
  ),
  consensus(
    'the end of a subscription ends all others to the same query',
    `${SUBSCRIPTIONS}/query-index.ts`,
    'if (group?.members.size === 0) groups.delete(query.normal);',
    'groups.delete(query.normal);',
  ),
  consensus(
    'one query is subscribed twice on one connection',
    `${SUBSCRIPTIONS}/table.ts`,
    'if (isSameQuery(criteria, read.criteria)) return',
    'if (criteria === read.criteria) return',
  ),
  consensus('ended subscriptions stay counted', `${SUBSCRIPTIONS}/table.ts`, 'row.subscriptions -= 1;', ''),
  consensus(
    'a restart of the registry loses the subscriptions',
    `${REGISTRY}/subscription-registry.ts`,
    'held: deliverer?.held() ?? [],',
    'held: [],',
  ),
  ethereum(
    'what was shown while the registry was away is lost',
    `${REGISTRY}/catch-up-and-listen.ts`,
    'history.read(kind, { after: receiver.heard(kind) })',
    'history.read(kind, { after: target })',
  ),
  ethereum(
    'a registry that was away hears all of the log again',
    `${REGISTRY}/catch-up-and-listen.ts`,
    'history.read(kind, { after: receiver.heard(kind) })',
    'history.read(kind, { after: toPosition(0n) })',
  ),
  consensus(
    'the registry does not know how far it has delivered',
    `${REGISTRY}/subscription-registry.ts`,
    '// Set before the delivery: a subscription created during it reads this input from the log.\n    heard[kind] = position;',
    '',
  ),
  consensus(
    'a subscribe is answered and forgotten',
    `${REGISTRY}/logic.ts`,
    'if (decision.ok) evolve(table, decision.subscription);',
    '',
  ),
  filters(
    'a poll begins with the last block of the poll before',
    `${FILTERS}/filter.ts`,
    'max(filter.height + 1n,',
    'max(filter.height,',
  ),
  filters(
    'a poll leaves out the first block behind its cursor',
    `${FILTERS}/filter.ts`,
    'max(filter.height + 1n,',
    'max(filter.height + 2n,',
  ),
  filters(
    'a poll does not move the cursor',
    `${MANAGER}/installed-filters.ts`,
    '{ ...filter, ...through, deadline: deadlineAfter(at) }',
    '{ ...filter, deadline: deadlineAfter(at) }',
  ),
  filters(
    'a poll that was answered in part moves the cursor to the head',
    `${MANAGER}/filter-manager.ts`,
    'height: answer.value.through ?? through.height',
    'height: through.height',
  ),
  filters(
    'a poll whose reading failed moves the cursor',
    `${MANAGER}/filter-manager.ts`,
    'if (!answer.ok) return answer;',
    "if (!answer.ok) {\n        await inbox.ask((reply: Reply<boolean>) => ({ type: 'polled', isEnding: true, id, at: clock.now(), through, reply }));\n        return answer;\n      }",
  ),
  filters(
    'two polls at once answer the same',
    `${MANAGER}/poll-queues.ts`,
    'else await new Promise<void>((resolve) => waiting.push(resolve));',
    '',
  ),
  filters(
    'a filter expires a minute early',
    `${FILTERS}/filter.ts`,
    'return toTimeNs(now + BigInt(FILTER_IDLE_MS) * NS_PER_MS);',
    'return toTimeNs(now + BigInt(FILTER_IDLE_MS - 60_000) * NS_PER_MS);',
  ),
  filters(
    'a request that names a filter does not keep it alive',
    `${MANAGER}/filter-manager.ts`,
    'if (found !== undefined) touch(id);',
    '',
  ),
  filters(
    'a filter that was found at a restart lives for its first five minutes only',
    `${MANAGER}/filter-rows.ts`,
    'mark(filter: Filter): void {\n    this.#changed.set(filter.id, filter);',
    'mark(filter: Filter): void {',
  ),
  filters(
    'an uninstalled filter goes on',
    `${MANAGER}/installed-filters.ts`,
    "await this.#remove([id], 'uninstalled');",
    '',
  ),
  filters(
    'the row of an uninstalled filter stays',
    `${MANAGER}/filter-rows.ts`,
    'this.#append(events, { put: [], forget }, this.#writing)',
    'this.#append(events, { put: [], forget: [] }, this.#writing)',
  ),
  filters(
    'a filter has no row before its first poll',
    `${MANAGER}/filter-rows.ts`,
    'this.#append([event], { put: [filter], forget: [] })',
    'this.#append([event], { put: [], forget: [] })',
  ),
  filters(
    'a restart of the filter manager loses a filter',
    `${MANAGER}/filter-rows.ts`,
    'return Array.from(this.#stored.values(),',
    'return Array.from([...this.#stored.values()].slice(1),',
  ),
  filters(
    'cursors that moved since the start are lost at a restart of the filter manager',
    `${MANAGER}/filter-rows.ts`,
    'for (const filter of rows) stored.set(filter.id, filter);',
    '',
  ),
  filters(
    'a restart moves every cursor of admissions to the head',
    `${MANAGER}/installed-filters.ts`,
    'filter.position > head.position ? head.position : filter.position',
    'head.position',
  ),
  filters(
    'the last admission is answered again',
    `${FILTERS}/recent-admissions.ts`,
    '(at(middle)?.position ?? position) <= position',
    '(at(middle)?.position ?? position) < position',
  ),
  filtersInParts(
    'admissions beyond the bound of a poll are lost',
    `${FILTERS}/recent-admissions.ts`,
    'through: end === count ? this.#newest : through',
    'through: this.#newest',
  ),
  filtersInParts(
    'admissions older than the ring are lost',
    `${FILTERS}/recent-admissions.ts`,
    'if (position < this.#floor) return undefined;',
    '',
  ),
  filtersInParts(
    'blocks beyond the bound of a poll are lost',
    `${MANAGER}/installed-filters.ts`,
    'const through = { height: range.to,',
    'const through = { height: head.height,',
  ),
  filtersInParts(
    'the last block of a bounded poll comes again',
    `${MANAGER}/installed-filters.ts`,
    'const through = { height: range.to,',
    'const through = { height: toHeight(range.to - 1n),',
  ),
];
