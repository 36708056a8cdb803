import { rehearse, type Rehearsal } from '../../core/chain/rehearsal.js';
import { treesAtHead } from '../../runtime/rebuild/trees-at-head.js';
import type { FinalizeBlockRequest } from '../../core/application-requests.js';
import { hex, upperHex } from '../../core/bytes/hex.js';
import { validatorSetHash } from '../../core/comet/validator-set.js';
import { lastCommitVotes } from '../../core/chain/block-facts.js';
import type { ChainState } from '../../core/chain/chain-state.js';
import { decisionOf } from '../../core/chain/decision.js';
import type { CommandArguments } from '../../config/command-arguments.js';
import type { DaemonOptions } from '../../config/daemon-options.js';
import { EXIT } from '../../config/exit-codes.js';
import { describeChange } from '../../core/inspection/describe-row.js';
import type { Spelling } from '../../core/inspection/row-form.js';
import { DEFAULT_LIMITS } from '../../core/limits/limits.js';
import { handlersOf } from '../../core/modules/upgrade/handlers.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { NS_PER_SECOND, toHeight, toTimeNs } from '../../core/primitives.js';
import { printableLine } from '../../core/text/printable.js';
import { readStateAt } from '../../store/state/query-reader.js';
import type { EventLog } from '../../store/log/event-log.js';
import { History } from '../../store/history/history.js';
import { finalizeRequest } from '../../core/chain/execution.js';
import { chainConfigOf } from '../../core/chain/chain-config.js';
import { firstEvent, stateAtHead } from '../../runtime/chain/open-chain.js';
import { engineOnDemand } from '../../runtime/evm/engine-on-demand.js';
import { delayedProgress } from './progress-line.js';
import { noChain } from './no-chain.js';
import type { CommandOutput } from './command-output.js';
import { withLog } from './with-log.js';
import { loadVersionOf } from '../../runtime/load-preset.js';

/** Share of the progress bar for reading the home's trees; the rehearsed blocks get the rest. */
const TREES_PART = 0.5;

/**
 * `upgrade rehearse NAME`: runs an upgrade on a copy of the home's state and prints its changes; exits with 0 if it
 * would succeed. The home is not changed, and a node may be running on it.
 */
export function upgradeRehearse(
  options: DaemonOptions,
  args: CommandArguments<'upgrade rehearse'>,
  output: CommandOutput,
): Promise<number> {
  return withLog(options, output, async ({ log, store, crypto }) => {
    const { name, blocks } = args;
    if (log.head().position === 0n) {
      return noChain(options.home, output);
    }
    const show = delayedProgress(output, `rehearsing ${name}`);
    try {
      const started = await firstEvent(log);
      const version = await loadVersionOf(started);
      // Throws for an unknown upgrade, before the log is replayed; the error lists the known names.
      const known = await readStateAt(store, 'latest', (latest) => handlersOf(version, latest, name), DEFAULT_LIMITS);
      if (!known.ok) throw new Error(`the upgrades of the chain cannot be read: ${known.error.code}`);
      const chain = stateAtHead({ log, crypto }, started, await History.open(store));
      const through = chain.height;
      const begun = Number(through - started.initialHeight) + 1;
      const { trees, state } = await treesAtHead({
        log,
        store,
        crypto,
        version,
        genesisWrites: started.writes,
        through,
        blocks: blocks + 1,
        progress: (height) => show((TREES_PART * (Number(height - started.initialHeight) + 1)) / begun),
      });
      const first = firstBlock(log, crypto, chain);
      const rehearsal = rehearse({
        application: { version, chain: chainConfigOf(started, 0n), crypto, evm: engineOnDemand(crypto) },
        handlers: handlersOf(version, state, undefined),
        name,
        first,
        blocks,
        state,
        commit: (height, writes) => trees.commit(height, writes),
        progress: (part) => show(TREES_PART + (1 - TREES_PART) * part),
      });
      show(1);
      const spelling = { bech32Prefix: chainConfigOf(started, 0n).bech32Prefix, nameOf: () => undefined };
      const facts = { name, height: first.height, blocks, rehearsal, spelling };
      output.stdout(args.output === 'json' ? `${asJson(facts)}\n` : `${asText(facts)}\n`);
      return rehearsal.kind === 'works' ? 0 : EXIT.failed;
    } finally {
      show(1);
    }
  });
}

/** The block that is decided but not executed, as at a halt; else an empty block after the head. */
function firstBlock(log: EventLog, crypto: Crypto, state: ChainState): FinalizeBlockRequest {
  const { decided } = log.head();
  const waiting = decided > state.height ? log.blockAt(decided) : undefined;
  if (waiting !== undefined) {
    const { block, blockId, reported } = decisionOf(crypto, waiting.decided.event);
    return finalizeRequest(crypto, state, block, blockId.hash, reported);
  }
  const [validator] = state.validators.validators;
  return {
    height: toHeight(state.height + 1n),
    time: toTimeNs(state.time + NS_PER_SECOND),
    chainId: state.chainId,
    hash: new Uint8Array(32),
    proposerAddress: state.validators.proposer?.address ?? validator?.address ?? new Uint8Array(20),
    nextValidatorsHash: validatorSetHash(crypto, state.nextValidators),
    previousAppHash: state.appHash,
    lastCommitVotes: lastCommitVotes(state.lastCommit, state.lastValidators),
    lastCommitRound: state.lastCommit?.round ?? 0,
    misbehavior: [],
    txs: [],
  };
}

interface Rehearsed {
  readonly name: string;
  readonly height: bigint;
  readonly blocks: number;
  readonly rehearsal: Rehearsal;
  readonly spelling: Spelling;
}

function asJson({ name, height, blocks, rehearsal, spelling }: Rehearsed): string {
  const base = { name, height: height.toString(), works: rehearsal.kind === 'works' };
  if (rehearsal.kind === 'fails') return JSON.stringify({ ...base, step: rehearsal.step, reason: rehearsal.reason });
  const { halt, keys, versions, appHash } = rehearsal;
  return JSON.stringify({
    ...base,
    halt,
    blocks,
    app_hash: upperHex(appHash),
    module_versions: versions.map(({ module, before, after }) => ({
      name: module,
      before: before?.toString() ?? null,
      after: after?.toString() ?? null,
    })),
    state: keys.map((changed) => {
      const { store, key, before, after } = changed;
      return {
        line: describeChange(changed, spelling).line,
        store,
        key: hex(key),
        before: before === undefined ? null : hex(before),
        after: after === undefined ? null : hex(after),
      };
    }),
  });
}

function asText({ name, height, blocks, rehearsal, spelling }: Rehearsed): string {
  if (rehearsal.kind === 'fails')
    return `${name} at height ${height} would fail (${rehearsal.step}): ${rehearsal.reason}`;
  const { halt, keys, versions, appHash } = rehearsal;
  return [
    halt,
    `${name} applied at height ${height}, and ${blocks} more blocks; all invariants hold`,
    `app hash after height ${height}: ${upperHex(appHash)}`,
    'module versions:',
    ...versions.map(({ module, before, after }) => `  ${module}: ${before ?? 'none'} -> ${after ?? 'none'}`),
    'state:',
    ...keys.map((changed) => `  ${printableLine(describeChange(changed, spelling).line)}`),
    `${name} would work; the chain is as it was`,
  ].join('\n');
}
