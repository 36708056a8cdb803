import { createRehearsal, type Rehearsal } from '../chain/rehearsal.js';
import { presets } from '../../core/app/presets.js';
import type { FinalizeBlockRequest } from '../../core/application.js';
import { hex } from '../../core/bytes/hex.js';
import { lastCommitVotes } from '../../core/chain/block-facts.js';
import type { ChainState } from '../../core/chain/chain-state.js';
import { decisionOf } from '../../core/chain/decision.js';
import type { DaemonOptions } from '../../core/config/daemon-options.js';
import { invariant } from '../../core/errors.js';
import { FIXED_LIMITS } from '../../core/limits.js';
import { handlersOf } from '../../core/modules/upgrade/handlers.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { toHeight, toTimeNs } from '../../core/primitives.js';
import type { EventLog } from '../../store/event-log.js';
import { History } from '../../store/history/history.js';
import { readStateAt } from '../../store/state/query-reader.js';
import { finalizeRequest } from '../chain/execution.js';
import { chainConfigOf, firstEvent, stateAtHead } from '../chain/open-chain.js';
import { engineOnDemand } from '../evm/engine-on-demand.js';
import type { CommandOutput } from './run.js';
import { EXIT_NOT_FOUND, withLog } from './with-log.js';

const EXIT_FAILED = 1;
const LIMITS = { rangeRows: FIXED_LIMITS.rehearsalRows, searchRows: FIXED_LIMITS.rehearsalRows };

/**
 * `upgrade rehearse NAME`: runs an upgrade on a copy of the home's state and prints what it changes; ends with 0 when
 * it would work. The home stays as it is, and a node may be running on it.
 */
export function upgradeRehearse(options: DaemonOptions, output: CommandOutput): Promise<number> {
  return withLog(options, output, async ({ log, store, crypto }) => {
    const { name = '', blocks } = options.command;
    if (log.head().position === 0n) {
      output.stderr(`no chain in ${options.home}\n`);
      return EXIT_NOT_FOUND;
    }
    output.status?.(`rehearsing ${name}`);
    const started = await firstEvent(log);
    const version = presets[started.preset];
    invariant(version !== undefined, `unknown preset ${started.preset}`);
    const state = stateAtHead({ log, crypto }, started, await History.open(store));
    const first = firstBlock(log, crypto, state);
    const application = { version, chain: chainConfigOf(started, 0n), crypto, evm: engineOnDemand(crypto) };
    const handlers = await readStateAt(
      store,
      'latest',
      (at) => {
        handlersOf(version, at, name);
        return handlersOf(version, at, undefined);
      },
      LIMITS,
    );
    const rehearsal =
      handlers.ok &&
      (await readStateAt(
        store,
        'latest',
        createRehearsal({ application, handlers: handlers.value, name, first, blocks }),
        LIMITS,
      ));
    output.status?.('');
    if (rehearsal === false || !rehearsal.ok) {
      output.stderr('the state of the home cannot be read\n');
      return EXIT_FAILED;
    }
    const facts = { name, height: first.height, blocks, rehearsal: rehearsal.value };
    output.stdout(options.command.output === 'json' ? `${asJson(facts)}\n` : `${asText(facts)}\n`);
    return rehearsal.value.kind === 'works' ? 0 : EXIT_FAILED;
  });
}

/** The block that the log has decided and not executed, as at a halt; else an empty one after the head. */
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
    time: toTimeNs(state.time + 1_000_000_000n),
    chainId: state.chainId,
    hash: new Uint8Array(32),
    proposerAddress: state.validators.proposer?.address ?? validator?.address ?? new Uint8Array(20),
    nextValidatorsHash: new Uint8Array(32),
    previousAppHash: new Uint8Array(32),
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
}

function asJson({ name, height, blocks, rehearsal }: Rehearsed): string {
  const base = { name, height: height.toString(), works: rehearsal.kind === 'works' };
  if (rehearsal.kind === 'fails') return JSON.stringify({ ...base, step: rehearsal.step, reason: rehearsal.reason });
  const { halt, keys, versions } = rehearsal;
  return JSON.stringify({
    ...base,
    halt,
    blocks,
    module_versions: versions.map(({ module, before, after }) => ({
      name: module,
      before: before?.toString() ?? null,
      after: after?.toString() ?? null,
    })),
    state: keys.map(({ store, key, before, after }) => ({
      store,
      key: hex(key),
      before: before === undefined ? null : hex(before),
      after: after === undefined ? null : hex(after),
    })),
  });
}

function asText({ name, height, blocks, rehearsal }: Rehearsed): string {
  if (rehearsal.kind === 'fails')
    return `${name} at height ${height} would fail (${rehearsal.step}): ${rehearsal.reason}`;
  const { halt, keys, versions } = rehearsal;
  const valueOf = (value: Uint8Array | undefined): string => (value === undefined ? 'none' : hex(value) || 'empty');
  return [
    halt,
    `${name} applied at height ${height}, and ${blocks} more blocks`,
    'module versions:',
    ...versions.map(({ module, before, after }) => `  ${module}: ${before ?? 'none'} -> ${after ?? 'none'}`),
    'state:',
    ...keys.map(({ store, key, before, after }) => `  ${store}/${hex(key)}: ${valueOf(before)} -> ${valueOf(after)}`),
    `${name} would work; the chain is as it was`,
  ].join('\n');
}
