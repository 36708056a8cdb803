import { fromBinary } from '@bufbuild/protobuf';
import { fromTimestamp } from '../../core/comet/time.js';
import type { CommandArguments } from '../../config/command-arguments.js';
import type { DaemonOptions } from '../../config/daemon-options.js';
import { EXIT } from '../../config/exit-codes.js';
import { asObject } from '../../core/text/json-object.js';
import { invariant } from '../../core/errors.js';
import type { ChainStarted } from '../../core/log-events.js';
import { shownJson } from '../../core/text/json-text.js';
import { exportDocument, exportRefusal } from '../../core/genesis/export-genesis.js';
import { type Height, type TimeNs, toHeight, toPosition } from '../../core/primitives.js';
import { BlockSchema } from '../../core/proto/tendermint/types/block_pb.js';
import { CacheStore, EMPTY_STATE } from '../../core/state/overlay.js';
import type { StateWrite } from '../../core/state/state.js';
import type { EventLog } from '../../store/log/event-log.js';
import { prunedHeight } from '../../store/log/pruned-position.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { chainConfigOf } from '../../core/chain/chain-config.js';
import { writeFileAtomic } from '../../runtime/home/write-file-atomic.js';
import { snapshotValues } from '../../runtime/snapshots/chunks.js';
import type { CommandOutput } from './command-output.js';
import { withLog } from './with-log.js';
import { loadVersionOf } from '../../runtime/load-preset.js';

/**
 * `export`: writes a genesis with the state of a home after a block, from which a chain can continue, to standard
 * output or a file.
 */
export function exportState(
  options: DaemonOptions,
  args: CommandArguments<'export'>,
  output: CommandOutput,
): Promise<number> {
  return withLog(options, output, async ({ log, crypto }) => {
    const head = log.head().executed;
    const height = args.height === undefined ? head : toHeight(args.height);
    if (height > head || (log.blockAt(height) === undefined && log.restored()?.event.data.height !== height)) {
      const reason =
        height > head
          ? `blocks are executed up to ${head}`
          : (prunedHeight(log, height) ?? 'the chain has no block of this height');
      output.stderr(`no state after height ${height}: ${reason}\n`);
      return EXIT.notFound;
    }
    const exported = await genesisAfter(log, height, crypto);
    if (!exported.ok) {
      output.stderr(`no export after height ${height}: ${exported.reason}\n`);
      return EXIT.failed;
    }
    const text = `${shownJson(JSON.stringify(exported.document, undefined, 2))}\n`;
    if (args.outputDocument === undefined) output.stdout(text);
    else writeFileAtomic(args.outputDocument, text);
    return 0;
  });
}

type Exported = { readonly ok: true; readonly document: object } | { readonly ok: false; readonly reason: string };

/** The genesis document of the chain with the state, parameters and time after a block. */
async function genesisAfter(log: EventLog, height: Height, crypto: Crypto): Promise<Exported> {
  const { started, state } = await stateAfter(log, height);
  const version = await loadVersionOf(started);
  const reason = exportRefusal(state, { version });
  if (reason !== undefined) return { ok: false, reason };
  const document = exportDocument(state, {
    version,
    chain: chainConfigOf(started, 0n),
    crypto,
    at: { chainId: started.chainId, height, time: timeOf(log, height) },
    founding: asObject(JSON.parse(new TextDecoder().decode(started.genesis))) ?? {},
  });
  return { ok: true, document };
}

/** Time of a block, or of the snapshot that the log begins with. */
function timeOf(log: EventLog, height: Height): TimeNs {
  const restored = log.restored()?.event.data;
  if (restored?.height === height) return restored.time;
  const decided = log.blockAt(height)?.decided.event;
  invariant(decided !== undefined, 'an executed block has its bytes');
  const { header } = fromBinary(BlockSchema, decided.data.block);
  invariant(header?.time !== undefined, 'a block has a time');
  return fromTimestamp(header.time);
}

/** The whole state after a block: applies the writes of the log on the current branch, in order. */
async function stateAfter(
  log: EventLog,
  height: Height,
): Promise<{ readonly started: ChainStarted['data']; readonly state: CacheStore }> {
  let state = new CacheStore(EMPTY_STATE);
  let started: ChainStarted['data'] | undefined;
  const apply = (writes: readonly StateWrite[]): void => {
    for (const { store, key, value } of writes) {
      if (value === undefined) state.delete(store, key);
      else state.set(store, key, value);
    }
  };
  for await (const recorded of log.read({ from: toPosition(1n) })) {
    for (const { event, position } of recorded) {
      if (event.type === 'ChainStarted') {
        started = event.data;
        apply(event.data.writes);
      } else if (event.type === 'SnapshotRestored') {
        state = new CacheStore(EMPTY_STATE);
        for await (const values of snapshotValues(event.data)) apply(values);
      } else if (event.type === 'BlockExecuted' && event.data.height <= height && log.isOnBranch({ event, position }))
        apply(event.data.writes);
    }
  }
  invariant(started !== undefined, 'a log begins with ChainStarted');
  return { started, state };
}
