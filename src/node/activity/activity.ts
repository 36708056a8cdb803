import type { Contract } from '../../core/abi/contract.js';
import { refusedSendLine, type RefusedSend } from '../../core/activity/refused-send.js';
import { unknownMethodLine } from '../../core/activity/block-lines.js';
import type { CallEnd } from '../../core/activity/client-call.js';
import { oneLine } from '../../core/activity/line.js';
import type { Names } from '../../core/activity/names.js';
import type { DaemonOptions } from '../../config/daemon-options.js';
import type { EthereumApi } from '../../core/ethereum/api.js';
import type { KeyAccount } from '../../core/keys/accounts.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Clock, Timers } from '../../core/ports/time.js';
import type { RunningNode } from '../node.js';
import { ActivityLog } from './activity-log.js';
import { artifactFolders } from './artifact-files.js';
import { Artifacts } from './artifacts.js';
import { Budget } from './budget.js';
import { CallActivity } from './call-activity.js';
import { ClientCalls } from './client-calls.js';
import { ConsoleOutput } from './console-output.js';
import { ChainContracts } from './contracts.js';
import { createSink, isSeverityShown } from './sink.js';
import { LineWriter, type WriteText } from './line-writer.js';
import { watchedCalls } from './watched-calls.js';

export interface ActivityHost {
  /** Real time, also where block time is virtual. */
  readonly clock: Clock;
  readonly timers: Timers;
  readonly write: WriteText;
  /** True if the output is a terminal, where a line can be overwritten. */
  readonly isTerminal: boolean;
  readonly isColoured: boolean;
  /** Accounts with names, to be shown instead of addresses. */
  readonly accounts: readonly Pick<KeyAccount, 'hex' | 'name'>[];
}

/** The activity log of a running node. */
export interface Activity {
  /** The Ethereum API, wrapped so that its calls are logged; undefined for a node without an EVM. */
  readonly ethereum: EthereumApi | undefined;
  /** Logs that a client called an unknown method. */
  unknownMethod(face: string, method: string): void;
  /**
   * Called at the start of a client's call; returns the function to call at its end. Undefined if calls are not
   * logged.
   */
  readonly call: ((face: string, method: string, client: string) => CallEnd) | undefined;
  /** Logs that a client's transaction was rejected. */
  refusedSend(refused: RefusedSend): void;
  /** Writes what is queued; resolves when all is written, or after a time limit. */
  stop(): Promise<void>;
}

/** Starts to log a node's blocks, transactions and calls to standard error. */
export function startActivity(options: DaemonOptions, node: RunningNode, host: ActivityHost): Activity {
  const { clock, timers } = host;
  const { crypto } = node;
  const api = node.ethereum?.api;
  const writer = new LineWriter(host.write, host.isTerminal && options.logFormat === 'plain');
  const sink = createSink(options, writer, host);
  const { activityLinesPerSecond: perSecond, activityBurst: burst } = FIXED_LIMITS;
  const budget = new Budget({ clock, perSecond, burst });
  const contracts = new ChainContracts(crypto, api);
  const names: Names = {
    crypto,
    interfaces: contracts.interfaces,
    accounts: new Map(host.accounts.map(({ hex, name }) => [hex.slice(2).toLowerCase(), name])),
    contractAt: contracts.contractAt,
  };
  const output = api && new ConsoleOutput(api, contracts, names);
  const given = (): readonly Contract[] => api?.dev?.givenContracts.all ?? [];
  const prepare = contracts.follow(new Artifacts(crypto, artifactFolders(options.abi), given), clock);
  const log = new ActivityLog({
    crypto,
    timers,
    budget,
    names,
    sink,
    baseDenom: node.chain.chain.baseDenom,
    showsEmpty: isSeverityShown(options, 'debug'),
    prepare,
    printed: async (transactions) => (await output?.ofTransactions(transactions)) ?? new Map(),
  });
  // `anvil_setLoggingEnabled` turns logging off and on.
  const isOn = (): boolean => api?.dev?.logging.isOn ?? true;
  const subscription = node.activity.subscribe((message) => {
    if (isOn()) log.heard(message);
  });
  const calls = output && new CallActivity({ names, output, budget, sink, prepare });
  const clients = isSeverityShown(options, 'debug') ? new ClientCalls({ clock, timers, sink }) : undefined;
  const shown = new Set<string>();
  return {
    ethereum:
      api &&
      watchedCalls(api, (answered) => {
        if (isOn()) calls?.heard(answered);
      }),
    unknownMethod(face, method) {
      if (!isOn() || shown.size >= FIXED_LIMITS.loggedUnknownMethods) return;
      // Copy the substring: V8 would keep the whole request text in memory for it.
      const name = Buffer.from(oneLine(method)).toString();
      if (shown.has(name)) return;
      shown.add(name);
      sink.line(unknownMethodLine(face, name));
    },
    call: clients && ((face, method, client) => (isOn() ? clients.begun(face, method, client) : () => undefined)),
    refusedSend(refused) {
      if (isOn() && budget.take(1) > 0) sink.line(refusedSendLine(refused, names));
    },
    async stop() {
      subscription.unsubscribe();
      clients?.end();
      const finished = Promise.all([log.idle(), calls?.idle()]).then(() => writer.end());
      await Promise.race([
        finished,
        new Promise<void>((resolve) => timers.after(FIXED_LIMITS.activityStopMs, resolve)),
      ]);
    },
  };
}
