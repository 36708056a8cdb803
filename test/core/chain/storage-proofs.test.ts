/** Storage proofs over random blocks that write, remove and recreate accounts and their storage, and over reverts. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { BlockContext } from '../../../src/core/application-requests.js';
import { EMPTY, equal } from '../../../src/core/bytes/bytes.js';
import { bigintOfBytes } from '../../../src/core/bytes/big-endian.js';
import { prefixRange } from '../../../src/core/bytes/key-order.js';
import { type ProvedStates, Proofs } from '../../../src/core/chain/state-proofs.js';
import { trieRoot } from '../../../src/core/ethereum/ordered-trie.js';
import { decodeRlp, encodeRlp, rlpNumber } from '../../../src/core/ethereum/rlp.js';
import type { AccountProof } from '../../../src/core/ethereum/state-proof.js';
import { accountKey, STORE as ACCOUNTS } from '../../../src/core/modules/auth/accounts.js';
import { storageKey, storageOf, STORE as EVM } from '../../../src/core/modules/evm/store.js';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import { type StateReader, type StateWrite } from '../../../src/core/state/state.js';
import { propertyRuns } from '../../support/property-runs.js';
import { verifyTrieProof } from '../../support/trie-proof.js';
import { chain, DevChain } from '../app/dev-chain.js';
import { crypto, stateOf } from '../app/support.js';

const SLOTS = 9;
const NEVER = (): boolean => false;
const dev = new DevChain();
const ethereum = faceOf(dev);

/** Accounts of the genesis, and an address without one. */
const contracts = [...dev.state.range(ACCOUNTS, prefixRange(Uint8Array.of(1)))]
  .filter(({ key }) => key.length === 21)
  .slice(0, 3)
  .map(({ key }) => key.slice(1))
  .concat([new Uint8Array(20).fill(0xab)]);
const contractAt = (index: number): Uint8Array => contracts[index] ?? EMPTY;
const slotAt = (index: number): Uint8Array => new Uint8Array(32).fill(index + 1);
const word = (value: number): Uint8Array => new Uint8Array([...new Uint8Array(31), value]);

function faceOf({ app }: DevChain) {
  if (app.ethereum === undefined) throw new Error('the chain has no EVM');
  return app.ethereum;
}

interface Block {
  readonly at: BlockContext;
  readonly state: StateReader;
  readonly writes: readonly StateWrite[];
}

/** A chain whose blocks write rows. A reverted block can still be read, but is no longer on the branch. */
class Rows {
  readonly #known = new Map<bigint, Block>();
  #branch: readonly Block[] = [];
  /** Number of reads: parts of one contract's storage, and parts of the whole state. */
  readonly parts = { contract: 0, state: 0 };

  constructor() {
    this.add([], dev.state);
  }

  get head(): Block {
    const head = this.#branch.at(-1);
    if (head === undefined) throw new Error('the branch is empty');
    return head;
  }

  add(writes: readonly StateWrite[], over = this.head.state): void {
    const number = BigInt(this.#known.size + 1);
    const at = {
      chainId: chain.chainId,
      height: toHeight(BigInt(this.#branch.length) + 1n),
      time: toTimeNs(number),
      hash: crypto.sha256(word(Number(number))),
      proposer: new Uint8Array(20),
    };
    const block = { at, state: stateOf(writes, over), writes };
    this.#known.set(bigintOfBytes(at.hash), block);
    this.#branch = [...this.#branch, block];
  }

  back(blocks: number): void {
    this.#branch = this.#branch.slice(0, Math.max(1, this.#branch.length - blocks));
  }

  /** Reads of the blocks' states, which time out when `isLate` says so. */
  states(isLate: () => boolean): ProvedStates {
    return {
      read: async (at, run) => {
        if (isLate()) return { ok: false, error: { code: 'timeout', milliseconds: 0 } };
        const block = this.#known.get(bigintOfBytes(at.hash));
        if (block === undefined) throw new Error('read of an unknown block');
        return { ok: true, value: run(block.state) };
      },
      written: async (from, to) => {
        const [first, last] = [from, to].map(({ hash }) =>
          this.#branch.findIndex(({ at }) => equal(at.hash, hash)),
        ) as [number, number];
        return first < 0 || first > last ? undefined : this.#branch.slice(first + 1, last + 1).flatMap((b) => b.writes);
      },
    };
  }

  readonly ethereum: Parameters<Proofs['prove']>[0] = {
    ...ethereum,
    statePart: (state, at, place, rows) => {
      this.parts[place?.table === 'contract' ? 'contract' : 'state'] += 1;
      return ethereum.statePart(state, at, place, Math.min(rows, 4));
    },
  };
}

type Step =
  | { readonly kind: 'block'; readonly writes: readonly StateWrite[] }
  | { readonly kind: 'remove'; readonly contract: number; readonly isMadeAgain: boolean }
  | { readonly kind: 'back'; readonly blocks: number }
  | { readonly kind: 'prove'; readonly contract: number; readonly slots: readonly number[]; readonly turns: number };

const contract = fc.nat({ max: contracts.length - 1 });
const write: fc.Arbitrary<StateWrite> = fc
  .record({ contract, slot: fc.nat({ max: SLOTS - 1 }), value: fc.nat({ max: 4 }), isRow: fc.boolean() })
  .map(({ contract: index, slot, value, isRow }) => ({
    store: EVM,
    key: storageKey(contractAt(index), slotAt(slot)),
    // Zero is an absent row or, in a state that another program wrote, a row of zeros.
    value: value > 0 || isRow ? word(value) : undefined,
  }));
const prove = fc.record({
  kind: fc.constant('prove' as const),
  contract,
  slots: fc.uniqueArray(fc.nat({ max: SLOTS })),
  turns: fc.integer({ min: 1, max: 40 }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({ kind: fc.constant('block' as const), writes: fc.array(write, { maxLength: 8 }) }),
    weight: 4,
  },
  { arbitrary: fc.record({ kind: fc.constant('remove' as const), contract, isMadeAgain: fc.boolean() }), weight: 1 },
  { arbitrary: fc.record({ kind: fc.constant('back' as const), blocks: fc.nat({ max: 3 }) }), weight: 1 },
  { arbitrary: prove, weight: 5 },
);

/** Writes that remove an account with its slots; with `isMadeAgain` the account is recreated with one other slot. */
function removed(state: StateReader, index: number, isMadeAgain: boolean): readonly StateWrite[] {
  const address = contractAt(index);
  const slots = [...state.range(EVM, prefixRange(storageOf(address)))];
  const made: StateWrite = { store: EVM, key: storageKey(address, slotAt(0)), value: word(9) };
  const row = state.get(ACCOUNTS, accountKey(address)) ?? dev.state.get(ACCOUNTS, accountKey(address));
  return [
    ...slots.map(({ key }): StateWrite => ({ store: EVM, key, value: undefined })),
    { store: ACCOUNTS, key: accountKey(address), value: isMadeAgain ? row : undefined },
    ...(isMadeAgain ? [made] : []),
  ];
}

/** Verifies account and storage proofs from the state root, and compares the storage root with one over all slots. */
function verify(state: StateReader, address: Uint8Array, proof: AccountProof): void {
  const slots = [...state.range(EVM, prefixRange(storageOf(address)))].map(({ key, value }) => ({
    key: crypto.keccak256(key.subarray(21)),
    value: encodeRlp(rlpNumber(bigintOfBytes(value))),
    isZero: bigintOfBytes(value) === 0n,
  }));
  const root = trieRoot(
    crypto,
    slots.filter(({ isZero }) => !isZero),
  );
  expect(proof.storageHash, 'the storage root').toEqual(root);
  const top = crypto.keccak256(proof.accountProof[0] ?? EMPTY);
  const leaf = verifyTrieProof(crypto, top, proof.accountProof, crypto.keccak256(address));
  if (leaf !== undefined) {
    const fields = decodeRlp(leaf);
    expect(fields.ok && !(fields.item instanceof Uint8Array) && fields.item[2]).toEqual(root);
  }
  for (const { slot, value, proof: nodes } of proof.storageProof) {
    const proven = verifyTrieProof(crypto, root, nodes, crypto.keccak256(slot));
    expect(proven).toEqual(value === 0n ? undefined : encodeRlp(rlpNumber(value)));
    expect(value).toBe(bigintOfBytes(state.get(EVM, storageKey(address, slot)) ?? EMPTY));
  }
}

it('storage proofs from cached tries equal those from new tries, whatever the size of the cache', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 25 }),
      fc.constantFrom(0, 8_000, 25_000, undefined),
      async (steps, storageBytes) => {
        const rows = new Rows();
        let left = 0;
        const isLate = (): boolean => (left -= 1) < 0;
        const proofs = new Proofs(crypto, isLate, storageBytes);
        for (const one of steps) {
          if (one.kind === 'block') rows.add(one.writes);
          else if (one.kind === 'remove') rows.add(removed(rows.head.state, one.contract, one.isMadeAgain));
          else if (one.kind === 'back') rows.back(one.blocks);
          else {
            const { at, state } = rows.head;
            const asked = { address: contractAt(one.contract), slots: one.slots.map(slotAt) };
            let proof: AccountProof | undefined;
            for (let turns = one.turns; proof === undefined; turns += 20) {
              left = turns;
              const proved = await proofs.prove(rows.ethereum, rows.states(isLate), at, asked);
              if (!proved.ok) throw new Error(proved.error.code);
              proof = proved.value;
            }
            const anew = new Proofs(crypto, NEVER);
            expect({ ok: true, value: proof }).toEqual(await anew.prove(rows.ethereum, rows.states(NEVER), at, asked));
            verify(state, asked.address, proof);
          }
        }
      },
    ),
    { numRuns: propertyRuns(60) },
  );
});

it('storage proofs of later blocks read no part of the state again', async () => {
  const rows = new Rows();
  const write = (slot: number, value: number): StateWrite => ({
    store: EVM,
    key: storageKey(contractAt(0), slotAt(slot)),
    value: word(value),
  });
  rows.add(Array.from({ length: SLOTS }, (_, slot) => write(slot, 1)));
  const proofs = new Proofs(crypto, NEVER);
  const proved = async (): Promise<void> => {
    const { at, state } = rows.head;
    const asked = { address: contractAt(0), slots: [slotAt(1), slotAt(SLOTS)] };
    const proof = await proofs.prove(rows.ethereum, rows.states(NEVER), at, asked);
    if (!proof.ok || proof.value === undefined) throw new Error('a proof');
    verify(state, asked.address, proof.value);
  };
  await proved();
  const { state } = rows.parts;
  for (let block = 2; block < 6; block += 1) {
    rows.add([write(1, block), write(block, 7)]);
    await proved();
    await proved();
  }
  expect(rows.parts).toEqual({ contract: 0, state });
});
