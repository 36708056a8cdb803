import { startNode, type ChronicleNode } from 'chronicled';
import { test as base } from 'vitest';

interface Fixtures {
  /** A chain of the test file's own: started when a test first asks for it, stopped after the last one. */
  readonly chain: ChronicleNode;
}

export const test = base.extend<Fixtures>({
  chain: [
    // vitest finds out from these braces what a fixture needs
    async ({}, use) => {
      const node = await startNode();
      await use(node);
      await node.stop();
    },
    { scope: 'file' },
  ],
});
