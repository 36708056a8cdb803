import type { InspectionApi } from '../../core/inspection/api.js';
import type { Spelling } from '../../core/inspection/row-form.js';
import { hex } from '../../core/bytes/hex.js';
import type { Stream } from '../../core/log-events.js';
import type { Foundation } from '../compose/foundation.js';
import { SIGNALS, WIRING } from '../compose/wiring.js';
import { logEvents, type LogEventsSource } from './log-events.js';
import { createNextRecord } from './next-record.js';
import { readRecords } from './read-records.js';
import { stateDiff, type StateDiffSource } from './state-diff.js';

/** The inside of a node without those who listen on its faces, which open later. */
export type NodeInspection = Omit<InspectionApi, 'subscriptions' | 'cutSubscription' | 'contract' | 'matchQuery'>;

const STREAMS: readonly Stream[] = ['chain', 'mempool', 'upgrade', 'filters', 'node'];

/** Composes the answers about the inside of a node. */
export function composeInspection({ host, home, views, supervision, undo }: Foundation): NodeInspection {
  const { ledger, streams } = views;
  const next = createNextRecord((position) => streams.reached(position), host.timers);
  undo.push(() => next.stop());
  const source: StateDiffSource & LogEventsSource = {
    ledger,
    log: home.log,
    shown: () => streams.head(),
    store: home.store,
    timers: host.timers,
    crypto: host.crypto,
    spelling: spellingOf(views.chain.chain.bech32Prefix, host.devKeys),
    next,
  };
  return {
    stateDiff: (request) => stateDiff(source, request),
    logEvents: (request) => logEvents(source, request),
    readRecords: (lines, data) => readRecords(source, lines, data),
    actors: () => ({
      mode: supervision.supervisor.mode(),
      actors: supervision.supervisor.actors(),
      streams: STREAMS.map((name) => ({ name, events: home.log.head().streams[name] })),
      hearers: WIRING,
      signals: SIGNALS,
    }),
  };
}

/** Accounts of dev mode have the names of their keys: `dev0` and so on. */
function spellingOf(bech32Prefix: string, devKeys: Foundation['host']['devKeys']): Spelling {
  let names: ReadonlyMap<string, string> | undefined;
  return {
    bech32Prefix,
    nameOf(address) {
      names ??= new Map(devKeys.addresses().map((one, index) => [hex(one), `dev${index}`]));
      return names.get(hex(address));
    },
  };
}
