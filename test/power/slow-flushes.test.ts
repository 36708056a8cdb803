import { describe, expect, it } from 'vitest';
import { slowFlushes } from './slow-flushes.js';
import { ROOT, type Operation } from './trace.js';

const create = (name: string, inode: number): Operation => ({
  kind: 'create',
  at: { folder: ROOT, name },
  inode,
  isFolder: false,
});
const SHOWN: Operation = { kind: 'shown', block: { height: 1, hash: '0x01' } };

describe('a recording with delayed manifest writes', () => {
  it('syncs the manifest after it is written, also when the sync overlapped other operations', () => {
    const { operations } = slowFlushes({
      name: 'flush',
      operations: [
        create('MANIFEST-000001', 1),
        create('000002.log', 2),
        create('000003.log', 3),
        { kind: 'sync', inode: 2, begun: 3 },
        { kind: 'write', inode: 1, offset: 0, bytes: Uint8Array.of(7) },
        SHOWN,
        { kind: 'sync', inode: 1, begun: 5 },
        { kind: 'remove', at: { folder: ROOT, name: '000002.log' } },
        SHOWN,
        create('000004.log', 4),
      ],
    });
    const written = operations.findIndex(({ kind }) => kind === 'write');
    const synced = operations.find((operation) => operation.kind === 'sync' && operation.inode === 1);
    expect(synced).toMatchObject({ kind: 'sync' });
    expect(synced?.kind === 'sync' && synced.begun).toBeGreaterThan(written);
    expect(operations.map(({ kind }) => kind)).toEqual([
      ...['create', 'create', 'create', 'sync', 'shown', 'shown'],
      ...['write', 'sync', 'remove', 'create'],
    ]);
  });
});
