import type { EthereumApi } from '../../core/ethereum/api.js';
import type { InspectionApi } from '../../core/inspection/api.js';
import { hex } from '../../core/bytes/hex.js';
import type { Stream } from '../../core/log-events.js';
import { moduleAddress } from '../../core/sdk/codec/address.js';
import type { AppVersion } from '../../core/sdk/module/app-version.js';
import { versionWith } from '../../core/sdk/module/version-of-chain.js';
import type { Foundation } from '../compose/foundation.js';
import { SIGNALS, WIRING } from '../compose/wiring.js';
import { AnswerNames } from './answer-names.js';
import { logEvents, type LogEventsSource } from './log-events.js';
import { createNextRecord } from './next-record.js';
import { readRecords } from './read-records.js';
import { stateDiff, type StateDiffSource } from './state-diff.js';
import { transactionDiff } from './transaction-diff.js';

/** The inspection API of a node without its listeners, because faces open later. */
export type NodeInspection = Pick<
  InspectionApi,
  'stateDiff' | 'transactionDiff' | 'logEvents' | 'readRecords' | 'actors'
>;

const STREAMS: readonly Stream[] = ['chain', 'mempool', 'upgrade', 'filters', 'node'];

/** Creates the inspection API, given the function that finds the contract at an address. */
export type Inspect = (contract: InspectionApi['contract']) => NodeInspection;

/** Composes the inspection API of a node; `ethereum` re-executes blocks. */
export function composeInspection(
  { host, home, views, supervision, undo }: Foundation,
  ethereum: Pick<EthereumApi, 'changedBy'> | undefined,
): Inspect {
  const { ledger, streams } = views;
  const next = createNextRecord((position) => streams.reached(position), host.timers);
  undo.push(() => next.stop());
  const accounts = namesOf(host, views.chain.version);
  return (contract) => {
    const source: StateDiffSource & LogEventsSource = {
      ledger,
      log: home.log,
      shown: () => streams.head(),
      store: home.store,
      timers: host.timers,
      crypto: host.crypto,
      spelling: {
        bech32Prefix: views.chain.chain.bech32Prefix,
        nameOf: (address) => accounts().get(hex(address)),
      },
      names: () => new AnswerNames(host.crypto, accounts(), contract),
      next,
    };
    return {
      stateDiff: (request) => stateDiff(source, request),
      transactionDiff: (...asked) => transactionDiff({ ...source, changedBy: ethereum?.changedBy }, asked),
      logEvents: (request) => logEvents(source, request),
      readRecords: (lines, request) => readRecords(source, lines, request),
      actors: () => ({
        mode: supervision.supervisor.mode(),
        actors: supervision.supervisor.actors(),
        streams: STREAMS.map((name) => ({ name, events: home.log.head().streams[name] })),
        consumers: WIRING,
        signals: SIGNALS,
      }),
    };
  };
}

/** Account names by 40 hex digits: `dev0` and so on for dev accounts, and module names for module accounts. */
function namesOf(
  { crypto, devKeys }: Pick<Foundation['host'], 'crypto' | 'devKeys'>,
  version: AppVersion,
): () => ReadonlyMap<string, string> {
  let names: ReadonlyMap<string, string> | undefined;
  return () =>
    (names ??= new Map([
      ...Object.keys(versionWith(version, () => true).moduleAccounts).map(
        (module) => [hex(moduleAddress(crypto, module)), module] as const,
      ),
      ...devKeys.ofStart().map(({ address }, index) => [hex(address), `dev${index}`] as const),
    ]));
}
