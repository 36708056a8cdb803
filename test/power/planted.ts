/** Faults planted into a trace: the judge must find broken pictures for each. */
import type { Inode, Operation, Trace } from './trace.js';

/** No sync of a write-ahead log takes effect. */
export function withoutLogSyncs(trace: Trace): Trace {
  const logs = inodesNamed(trace, /\.log$/);
  return without(trace, (operation) => operation.kind === 'sync' && logs.has(operation.inode));
}

/** No sync of a table takes effect: tables merged from pruned rows may be empty when the old ones are removed. */
export function withoutTableSyncs(trace: Trace): Trace {
  const tables = inodesNamed(trace, /\.ldb$/);
  return without(trace, (operation) => operation.kind === 'sync' && tables.has(operation.inode));
}

/** No sync of a folder takes effect: names survive only by chance. */
export function withoutFolderSyncs(trace: Trace): Trace {
  const folders = inodesNamed(trace, /./, true);
  return without(
    trace,
    (operation) => operation.kind === 'sync' && (operation.inode === 0 || folders.has(operation.inode)),
  );
}

/** A client is told that blocks are reverted before the record of the revert is synced. */
export function withoutSyncsOfReverts(trace: Trace): Trace {
  let isReverting = false;
  return without(trace, ({ kind }) => {
    if (kind === 'reverting' || kind === 'reverted') isReverting = kind === 'reverting';
    return isReverting && kind === 'sync';
  });
}

/**
 * Syncs of a write-ahead log stop when the next log exists, which leaves a hole before synced data.
 */
export function withoutSyncsOfOldLogs(trace: Trace): Trace {
  let newest = -1;
  const logs = inodesNamed(trace, /\.log$/);
  return without(trace, (operation) => {
    if (operation.kind === 'create' && logs.has(operation.inode)) newest = operation.inode;
    return operation.kind === 'sync' && logs.has(operation.inode) && operation.inode !== newest;
  });
}

/** A synced write in the first half of the longest write-ahead log is missing on the disk. */
export function withHole(trace: Trace): Trace {
  const writes = [...inodesNamed(trace, /\.log$/)]
    .map((log) => trace.operations.filter((operation) => operation.kind === 'write' && operation.inode === log))
    .reduce((longest, one) => (one.length > longest.length ? one : longest), []);
  const hole = writes[Math.floor(writes.length / 3)];
  return without(trace, (operation) => operation === hole);
}

function inodesNamed({ operations }: Trace, name: RegExp, isFolder = false): ReadonlySet<Inode> {
  return new Set(
    operations.flatMap((operation) =>
      operation.kind === 'create' && operation.isFolder === isFolder && name.test(operation.at.name)
        ? [operation.inode]
        : [],
    ),
  );
}

/** Removed operations keep their position, so that the other positions do not change. */
function without({ name, operations }: Trace, isRemoved: (operation: Operation) => boolean): Trace {
  return {
    name,
    operations: operations.map((operation) => (isRemoved(operation) ? { kind: 'nothing' } : operation)),
  };
}
