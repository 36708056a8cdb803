/** Account proofs of a later block: its tries are those of an earlier block, updated with the later changes. */
import { expect, it } from 'vitest';
import { fromHex } from '../../../src/core/bytes/hex.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import type { AccountProof } from '../../../src/core/ethereum/state-proof.js';
import { toHeight } from '../../../src/core/primitives.js';
import { accounts, simulate } from '../simulated-node.js';
import { devOf, firing, head, value } from './support.js';
import { reopenable } from '../../support/reopenable.js';

const HOLDER = new Uint8Array(20).fill(0x11);
const CONTRACT = new Uint8Array(20).fill(0x22);
const word = (byte: number): Uint8Array => new Uint8Array(32).fill(byte, 31);

it(
  'proofs from updated tries equal those from rebuilt tries, also after a rollback and a reset',
  { timeout: 30_000 },
  async () => {
    const simulated = await simulate({ store: reopenable() });
    const dev = devOf(simulated);
    const { api } = simulated.node.ethereum ?? {};
    const asked = [HOLDER, CONTRACT, fromHex(accounts[0]?.hex.slice(2) ?? ''), new Uint8Array(20).fill(0x33)];
    const provedAt = async (height: bigint) => {
      const answers = [];
      for (const address of asked) {
        const proof = api?.proof(address, [word(1), word(2)], toHeight(height));
        if (proof === undefined) throw new Error('the node has no Ethereum face');
        answers.push(await value(proof));
      }
      return answers;
    };
    const steps = [
      () => dev.setBalance([HOLDER], 5n),
      () => dev.setAccount(CONTRACT, { code: Uint8Array.of(0x60, 0x00), slots: [{ slot: word(1), value: word(7) }] }),
      () => dev.setAccount(CONTRACT, { slots: [{ slot: word(1), value: word(0) }] }),
      () => dev.setAccount(CONTRACT, { slots: [{ slot: word(2), value: word(9) }] }),
      () => dev.setBalance([HOLDER], 0n),
    ];
    const changed: [bigint, readonly AccountProof[]][] = [];
    for (const step of steps) {
      await firing(simulated, step());
      await firing(simulated, dev.mine(1, undefined));
      const { height } = head(simulated);
      changed.push([height, await provedAt(height)]);
    }
    const slots = changed.map(([, proved]) => proved[1]?.storageProof.map((one) => one.value));
    expect(slots).toEqual([
      [0n, 0n],
      [7n, 0n],
      [0n, 0n],
      [0n, 9n],
      [0n, 9n],
    ]);
    // an earlier block is proved from rebuilt tries
    for (const [height, proved] of changed.toReversed()) expect(await provedAt(height), `${height}`).toEqual(proved);
    const [height, before] = changed.at(-2) ?? [0n, undefined];
    await provedAt(head(simulated).height);
    await firing(simulated, dev.rollbackTo(toHeight(height)));
    await firing(simulated, dev.setBalance([HOLDER], 6n));
    await firing(simulated, dev.setAccount(CONTRACT, { slots: [{ slot: word(1), value: word(3) }] }));
    await firing(simulated, dev.mine(1, undefined));
    const after = await provedAt(head(simulated).height);
    expect(after[0]).toMatchObject({ balance: 6n });
    expect(after[1]?.storageProof.map((one) => one.value)).toEqual([3n, 9n]);
    expect(await provedAt(height)).toEqual(before);
    expect(await provedAt(head(simulated).height)).toEqual(after);
    await firing(simulated, dev.reset());
    await firing(simulated, dev.setAccount(CONTRACT, { slots: [{ slot: word(2), value: word(4) }] }));
    await firing(simulated, dev.mine(1, undefined));
    const again = await provedAt(head(simulated).height);
    expect(again[1]?.storageProof.map((one) => one.value)).toEqual([0n, 4n]);
    // the thread with the tries ends, and another one rebuilds them
    await simulated.time.advance(FIXED_LIMITS.poolIdleMs + 1);
    expect(await provedAt(head(simulated).height)).toEqual(again);
    await simulated.node.stop();
  },
);
