/** Snapshots of a node and of the SDK's store; each restores the snapshots of the other. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { hex } from '../../src/core/bytes/hex.js';
import { readItems } from '../../src/core/multistore/snapshot-items.js';
import { SnapshotStore } from '../../src/runtime/snapshots/store.js';
import { MemoryStore } from '../support/memory-store.js';
import { started } from '../node/abci/engine-node.js';
import { ACCEPTED, appHashAt, block, source } from '../runtime/snapshots/source.js';
import { temporaryFolder } from '../support/temporary.js';
import { CLIENTS, isInstalled, projectOf, run } from './clients.js';

const HEIGHT = 6n;
const MS_MAX = 300_000;

describe.skipIf(!isInstalled("the SDK's stores", 'sdk-store/go.sum'))("the SDK's store", () => {
  it(
    'restores a snapshot of a node with its app hash, and a node restores a snapshot of the store',
    async () => {
      const home = temporaryFolder();
      const first = await source({ home });
      const [newest] = await first.engine.listSnapshots();
      if (newest === undefined) throw new Error('there is a snapshot');
      const { height, format } = newest;
      const chunk = await first.engine.loadSnapshotChunk({ height, format, chunk: 0 });
      const stores = [...readItems(inflateSync(chunk))].flatMap((item) =>
        item.case === 'store' ? [item.value.name] : [],
      );
      const cwd = projectOf('snapshots', 'contracts');
      for (const name of ['go.mod', 'go.sum']) cpSync(join(CLIENTS, 'sdk-store', name), join(cwd, name));
      const taken = temporaryFolder();
      const { code, output } = await run(
        'go',
        ['run', '-mod=mod', 'main.go', join(home, 'data', 'snapshots', `${height}`), taken, ...stores],
        // This also removes Go's temporary folders.
        { cwd, env: { TMPDIR: temporaryFolder() } },
      );
      const appHash = appHashAt(first, HEIGHT);
      expect(output).toContain(`{"height":${HEIGHT},"appHash":"${hex(appHash)}"}`);
      expect(code).toBe(0);

      const store = new SnapshotStore(taken);
      const [theirs] = store.list();
      if (theirs === undefined) throw new Error('the store has taken a snapshot');
      const second = await started(new MemoryStore());
      expect(await second.engine.offerSnapshot(theirs, appHash)).toBe('accept');
      for (let index = 0; index < theirs.chunks; index += 1) {
        const bytes = (await store.chunk({ height, format, chunk: index })) ?? new Uint8Array();
        expect(await second.engine.applySnapshotChunk({ index, chunk: bytes, sender: 'peer' })).toEqual(ACCEPTED);
      }
      expect(await second.engine.info()).toMatchObject({ lastBlockHeight: HEIGHT, lastBlockAppHash: appHash });
      expect((await second.engine.finalizeBlock(block(first, 7n))).appHash).toEqual(appHashAt(first, 7n));
      await second.engine.commit();
      for (const { node } of [first, second]) await node.stop();
    },
    MS_MAX,
  );
});
