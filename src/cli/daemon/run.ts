import type { Worker } from 'node:worker_threads';
import { CLEARED_LINE } from '../../config/colours.js';
import { onEndSignals } from './end-signals.js';
import { upgradeNeeded } from '../../core/modules/upgrade/plan.js';
import { fromHex } from '../../core/bytes/hex.js';
import type { DaemonOptions } from '../../config/daemon-options.js';
import {
  announcement,
  fittedLines,
  boundBy,
  FAILURE_EXIT_CODES,
  failureLines,
  readyFile,
  type Failure,
} from '../../config/index.js';
import { secondChain } from '../../config/second-chain.js';
import { Undo } from '../../node/compose/undo.js';
import type { RunningDaemon } from '../../node/daemon.js';
import type { ChainPair } from '../../node/relayer/pair.js';
import { writeFileAtomic } from '../../runtime/home/write-file-atomic.js';
import { createLogger } from '../../node/logger.js';
import { VERSION } from '../../runtime/host/version.js';
import { startExecutorThread } from '../../runtime/executor/start-executor.js';
import { ChildBranches } from './child-branches.js';
import type { CommandOutput } from './command-output.js';
import { parentEnded } from './parent.js';
import { portsTaken } from './ports.js';
import { progressLine } from './progress-line.js';
import type { Logger } from '../../core/ports/logger.js';
import type { DevAccount } from '../../core/keys/accounts.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

const EXIT_INTERRUPTED_TWICE = 130;

/**
 * `dev` and `start`: runs a node until a signal, the end of its parent process (`--exit-with-parent`), a halt with
 * `--exit-on-halt`, or a failure. Resolves with the exit code. `words`: the command line of `dev`, for its branches.
 */
export async function run(
  options: DaemonOptions,
  output: CommandOutput,
  words: readonly string[] = [],
): Promise<number> {
  const parts = new Undo();
  let failure: Failure | undefined;
  try {
    failure = await runToEnd(options, output, words, parts);
  } catch (error) {
    await stopWithin(parts).catch(() => undefined);
    throw error;
  }
  try {
    await stopWithin(parts);
  } catch (error) {
    // A failed node cannot finish its block; report the first failure instead.
    if (failure === undefined || failure.id === 'E_UPGRADE_NEEDED') throw error;
  }
  if (failure === undefined) return 0;
  output.stderr(`${failureLines(failure).join('\n')}\n`);
  return FAILURE_EXIT_CODES[failure.id];
}

/** Starts the node and waits for its end; resolves with the failure. The caller stops the `parts` that it started. */
async function runToEnd(
  options: DaemonOptions,
  output: CommandOutput,
  words: readonly string[],
  parts: Undo,
): Promise<Failure | undefined> {
  // Set umask, because LevelDB creates its files with the process's default permissions.
  process.umask(0o077);
  // Install the handlers first: a signal during the start stops the node cleanly after the start.
  const signalled = signal(parts);
  const stopped = new AbortController();
  parts.push(() => stopped.abort());
  const orphaned = parentEnded(options.exitWithParent, stopped.signal);
  const startThread = (): Worker => {
    const started = startExecutorThread();
    parts.push(async () => void (await started.terminate()));
    return started;
  };
  const thread = startThread();
  const second = options.ibc ? startThread() : undefined;
  const taken = [
    ...(await portsTaken(options)),
    ...(second === undefined ? [] : await portsTaken(secondChain(options, options.chainId))),
  ];
  if (taken.length > 0) return { id: 'E_PORT_IN_USE', taken };
  const log = await createLogger(options.logLevel, options.logFormat);
  const { startDaemon } = await import('../../node/daemon.js');
  const { failureOf, failureOfRun } = await import('../../node/failure-of.js');
  const branches = options.mode === 'dev' ? new ChildBranches(options, words, log) : undefined;
  const opened = options.ibc ? (await import('../../node/relayer/pair.js')).openRelayerState() : undefined;
  let daemon: RunningDaemon;
  try {
    const progress = progressLine(output, 'replaying');
    daemon = await startDaemon(options, log, thread, {
      onReplay: progress && ((height, head) => progress(Number(height) / Number(head))),
      packets: opened?.packets,
      chainBranches: branches,
    });
  } catch (error) {
    const failure = failureOf(error, options);
    if (failure !== undefined) return failure;
    throw error;
  }
  parts.push(() => daemon.stop());
  let pair: ChainPair | undefined;
  if (opened !== undefined) {
    const { startPair } = await import('../../node/relayer/pair.js');
    try {
      pair = await startPair(options, daemon, log, opened.relayerState, second);
    } catch (error) {
      const failure = failureOf(error, secondChain(options, daemon.node.chain.chain.chainId));
      if (failure !== undefined) return failure;
      throw error;
    }
    parts.push(() => pair?.stop());
  }
  announce(options, daemon, pair, output);
  if (!options.exitOnHalt) void daemon.node.halted.then(() => tellOfHalt(options, daemon, log));
  const ended = await Promise.race([
    signalled,
    orphaned,
    ...[daemon, ...(pair === undefined ? [] : [pair.second])].map(({ node }) =>
      node.failed.then((reason) => ({ kind: 'failed', reason }) as const),
    ),
    ...(options.exitOnHalt ? [daemon.node.halted.then(() => ({ kind: 'halted' }) as const)] : []),
  ]);
  if (ended.kind === 'orphaned') log.info('the process that started the node has ended, and the node ends with it');
  if (ended.kind === 'failed') return failureOfRun(ended.reason, options);
  // A failed store cannot be read any more.
  const halt = ended.kind === 'halted' ? daemon.node.api.queries.status().halt : undefined;
  return halt && { id: 'E_UPGRADE_NEEDED', ...halt, reason: daemon.node.haltReason() };
}

/** Tells how a chain that waits for an upgrade goes on. A halt for another reason says that itself. */
function tellOfHalt(options: DaemonOptions, { node }: RunningDaemon, log: Logger): void {
  const { halt } = node.api.queries.status();
  if (halt === undefined || node.haltReason() !== upgradeNeeded(halt)) return;
  const { name, height } = halt;
  const command = options.engine === undefined ? options.mode : 'abci';
  const next =
    options.ephemeral || options.branch !== undefined
      ? 'Nothing of this chain is kept when the node stops.'
      : `Stop it, and continue with: chronicled ${command} --app-version ${name} (or skip it: --unsafe-skip-upgrades ${height})`;
  log.info(`The node makes no blocks now, and answers queries. ${next}`);
}

function announce(
  options: DaemonOptions,
  daemon: RunningDaemon,
  pair: ChainPair | undefined,
  output: CommandOutput,
): void {
  const { node } = daemon;
  const { chain } = node.chain;
  const { height, position } = node.api.queries.chain.head();
  const facts = {
    pid: process.pid,
    version: VERSION,
    chainId: chain.chainId,
    evmChainId: chain.evmChainId,
    height: node.continued ? height : 0n,
    position,
    bound: boundBy(options, daemon.faces.ports),
    ibc: pair && {
      chainId: pair.second.node.chain.chain.chainId,
      evmChainId: pair.second.node.chain.chain.evmChainId,
      bound: boundBy(options, pair.second.faces.ports),
      channels: pair.channels,
    },
    engine: daemon.engine,
    ...(options.mode === 'dev' && {
      accounts: daemon.accounts(chain.bech32Prefix),
      mnemonic: options.accounts.mnemonic,
    }),
  };
  if (options.readyFile !== undefined)
    writeFileAtomic(options.readyFile, `${JSON.stringify(readyFile({ ...facts, height }))}\n`);
  const isValidator = node.api.queries.status().validator !== undefined;
  const isWithoutCommands = node.ethereum?.api.dev?.facts().takesTransactions === false;
  const readyMs = performance.now();
  const funded = fundedOf(node, facts.accounts);
  const home = options.ephemeral ? undefined : options.home;
  const { branch, mining } = options;
  const genesis = daemon.genesisFile;
  const { stdout, stderr } = announcement(
    { ...facts, funded, mining, home, branch, genesis, isValidator, isWithoutCommands, readyMs },
    options.quiet,
  );
  for (const line of stderr) output.stderr(`${line}\n`);
  // The line that counts empty blocks may be on the screen already: the relayer's setup made blocks.
  if (pair !== undefined && process.stderr.isTTY) output.stderr(CLEARED_LINE);
  output.stdout(`${fittedLines(stdout, process.stdout.columns).join('\n')}\n`);
}

/** Counts the dev accounts with coins at the head, because a genesis file may fund other accounts. */
function fundedOf({ ethereum }: RunningDaemon['node'], accounts: readonly DevAccount[] = []): number | undefined {
  if (ethereum === undefined) return undefined;
  const { api } = ethereum;
  const head = api.blockNumber();
  return accounts.filter(({ hex }) => {
    const account = api.account(fromHex(hex.slice(2)), head);
    return account.ok && account.value.balance > 0n;
  }).length;
}

/** Resolves at the first termination signal; a second one exits at once, until the `parts` are stopped. */
function signal(parts: Undo): Promise<{ readonly kind: 'signal' }> {
  return new Promise((resolve) => {
    let received = 0;
    const onSignal = (): void => {
      received += 1;
      if (received > 1) process.exit(EXIT_INTERRUPTED_TWICE);
      resolve({ kind: 'signal' });
    };
    parts.push(onEndSignals(onSignal));
  });
}

/** Stops the parts, the last one first: relayer and second chain before the first chain. */
async function stopWithin(parts: Undo): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, FIXED_LIMITS.stopMs);
  });
  await Promise.race([parts.all(), limit]).finally(() => clearTimeout(timer));
}
