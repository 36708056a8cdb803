import type { Inode, Operation, Trace } from './trace.js';

/**
 * A run on a machine where LevelDB takes long to make a table of an old write-ahead log: what it tells its
 * manifest, and the removal of the log, come as late as they can, which is before the next switch. In a short run a
 * table is made in milliseconds; of a log of the real length it takes up to seconds. Switches whose old log nobody
 * synced stay, because a store that finds the log gone need not sync it.
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
 * The operations in another order of their places. A sync brings to the disk no more than it did; a late one begins
 * after everything that was not late, and after what was late before it began.
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
