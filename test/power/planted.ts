/** Faults planted into a trace: each must make pictures that the judge finds broken. */
import type { Inode, Operation, Trace } from './trace.js';

/** No sync of a write-ahead log reached the disk. */
export function withoutLogSyncs(trace: Trace): Trace {
  const logs = inodesNamed(trace, /\.log$/);
  return without(trace, (operation) => operation.kind === 'sync' && logs.has(operation.inode));
}

/** No table was synced: those that a merge of pruned rows made may be empty, when the old ones are removed. */
export function withoutTableSyncs(trace: Trace): Trace {
  const tables = inodesNamed(trace, /\.ldb$/);
  return without(trace, (operation) => operation.kind === 'sync' && tables.has(operation.inode));
}

/** No folder was synced: names last by luck. */
export function withoutFolderSyncs(trace: Trace): Trace {
  const folders = inodesNamed(trace, /./, true);
  return without(
    trace,
    (operation) => operation.kind === 'sync' && (operation.inode === 0 || folders.has(operation.inode)),
  );
}

/** A client was told that blocks are gone before what says so was synced. */
export function withoutSyncsOfReverts(trace: Trace): Trace {
  let isReverting = false;
  return without(trace, ({ kind }) => {
    if (kind === 'reverting' || kind === 'reverted') isReverting = kind === 'reverting';
    return isReverting && kind === 'sync';
  });
}

/**
 * A write-ahead log was not synced any more as soon as there was the next one: a hole stays before what is synced
 * there.
 */
export function withoutSyncsOfOldLogs(trace: Trace): Trace {
  let newest = -1;
  const logs = inodesNamed(trace, /\.log$/);
  return without(trace, (operation) => {
    if (operation.kind === 'create' && logs.has(operation.inode)) newest = operation.inode;
    return operation.kind === 'sync' && logs.has(operation.inode) && operation.inode !== newest;
  });
}

/** A synced write in the first half of the longest write-ahead log is not on the disk. */
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

/** Removed operations leave a place behind, so that the places of the others stay. */
function without({ name, operations }: Trace, isRemoved: (operation: Operation) => boolean): Trace {
  return {
    name,
    operations: operations.map((operation) => (isRemoved(operation) ? { kind: 'nothing' } : operation)),
  };
}
