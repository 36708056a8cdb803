import type { Inode, Operation, Trace } from './trace.js';

/**
 * A run in which LevelDB is slow to write the table of an old write-ahead log. The manifest writes and the removal of
 * the log come as late as possible, which is before the next switch. A short run writes a table in milliseconds; a
 * log of normal length takes up to seconds. Switches with an unsynced old log are kept, because a store that finds
 * the log gone need not sync it.
 */
export function slowFlushes({ name, operations }: Trace): Trace {
  const order: number[] = [];
  const late = new Set<number>();
  let held: number[] = [];
  const manifests = new Set<Inode>();
  let old: Inode | undefined;
  let newest: Inode | undefined;
  let isHolding = false;
  const release = (): void => {
    order.push(...held);
    held = [];
    isHolding = false;
  };
  for (const [place, operation] of operations.entries()) {
    if (operation.kind === 'life') release();
    if (operation.kind === 'create' && operation.at.name.startsWith('MANIFEST')) manifests.add(operation.inode);
    if (operation.kind === 'create' && operation.at.name.endsWith('.log')) {
      release();
      old = newest;
      newest = operation.inode;
    }
    if (operation.kind === 'sync' && operation.inode === old) isHolding = true;
    if (isHolding && isOfFlush(operation, manifests)) {
      held.push(place);
      late.add(place);
    } else order.push(place);
  }
  release();
  return { name, operations: inOrder(operations, order, late) };
}

function isOfFlush(operation: Operation, manifests: ReadonlySet<Inode>): boolean {
  if (operation.kind === 'remove') return /\.(log|ldb)$/.test(operation.at.name);
  return (operation.kind === 'write' || operation.kind === 'sync') && manifests.has(operation.inode);
}

/**
 * Reorders the operations by their new positions. A sync covers no more than it did before; a late sync begins after
 * everything that was not late, and after everything late before it.
 */
function inOrder(
  operations: readonly Operation[],
  order: readonly number[],
  late: ReadonlySet<number>,
): readonly Operation[] {
  const moved: Operation[] = [];
  const places = new Map(order.map((from, to) => [from, to]));
  for (const [to, from] of order.entries()) {
    const operation = operations[from];
    if (operation === undefined) continue;
    if (operation.kind !== 'sync') {
      moved.push(operation);
      continue;
    }
    let begun = to;
    for (let at = operation.begun; at <= from; at += 1)
      if (!late.has(from) || late.has(at)) begun = Math.min(begun, places.get(at) ?? to);
    moved.push({ ...operation, begun });
  }
  return moved;
}
