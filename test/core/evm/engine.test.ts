import { describe, expect, test } from 'vitest';
import {
  BLOCK,
  COINBASE,
  EMPTY_CODE_HASH,
  NO_BYTES,
  SENDER,
  address,
  asBigInt,
  crypto,
  executed,
  fromHex,
  toHex,
  transact,
  tx,
  word,
  world,
} from './support.js';

/** Init code of 10 bytes that returns the code after it. */
const deploying = (runtime: string): Uint8Array =>
  fromHex(`61${(runtime.length / 2).toString(16).padStart(4, '0')}80600a5f395ff3${runtime}`);
const THERE = address(0xd00d);

/** CREATE's address: the last 20 bytes of keccak256(rlp([sender, nonce])), for nonces below 128. */
const createAddress = (sender: Uint8Array, nonce: number): string =>
  toHex(
    crypto
      .keccak256(fromHex(`d694${toHex(sender)}${nonce === 0 ? '80' : nonce.toString(16).padStart(2, '0')}`))
      .slice(12),
  );

describe('EVM engine that takes the fees (Ethereum rules)', () => {
  test('charges 21,000 gas for a transfer, burns the base fee and pays the tip to the coinbase', () => {
    const at = world();
    const result = transact(at, tx({ to: THERE, value: 5n }));
    expect(result).toMatchObject({ status: 'success', gasUsed: 21_000n, gasRefunded: 0n, reason: undefined });
    expect(at.state.balance(THERE)).toBe(5n);
    expect(at.state.balance(SENDER)).toBe(10n ** 24n - 5n - 21_000n * 10n);
    expect(at.state.balance(COINBASE)).toBe(21_000n * 3n);
    expect(at.state.nonce(SENDER)).toBe(1n);
  });

  test('charges a type 2 transaction base fee plus tip, capped by maxFeePerGas', () => {
    for (const [tip, price] of [
      [1n, 8n],
      [9n, 10n],
    ] as const) {
      const at = world();
      transact(at, tx({ type: 2, to: THERE, maxPriorityFeePerGas: tip }));
      expect(at.state.balance(SENDER)).toBe(10n ** 24n - 21_000n * price);
    }
  });

  test.each([
    ['nonce-too-low', { nonce: 2n }, 3n],
    ['nonce-too-high', { nonce: 4n }, 3n],
    ['insufficient-funds', { nonce: 3n, value: 10n ** 24n }, 3n],
    ['fee-below-base-fee', { nonce: 3n, maxFeePerGas: 6n }, 3n],
    ['tip-above-fee', { nonce: 3n, type: 2, maxPriorityFeePerGas: 11n }, 3n],
    ['intrinsic-gas', { nonce: 3n, gasLimit: 20_999n }, 3n],
    ['floor-gas', { nonce: 3n, data: new Uint8Array(1000).fill(1), gasLimit: 50_000n }, 3n],
    ['initcode-size', { nonce: 3n, to: undefined, data: new Uint8Array(49_153), gasLimit: 10_000_000n }, 3n],
    ['gas-above-block', { nonce: 3n, gasLimit: 100_000_001n }, 3n],
    ['empty-authorizations', { nonce: 3n, type: 4, maxPriorityFeePerGas: 0n }, 3n],
    ['nonce-overflow', { nonce: (1n << 64n) - 1n }, 3n],
    ['overflow', { nonce: 3n, value: 1n << 256n }, 3n],
    ['overflow', { nonce: 3n, maxFeePerGas: 1n << 128n }, 3n],
    ['overflow', { nonce: 3n, gasLimit: 1n << 64n }, 3n],
  ] as const)('refuses a transaction with %s', (reason, fields, nonce) => {
    const at = world();
    at.state.fund(SENDER, 10n ** 24n, nonce);
    const outcome = at.engine.transact(at.state, tx({ to: THERE, ...fields }), { fees: 'engine' });
    expect(outcome).toMatchObject({ kind: 'refused', reason });
  });

  test('refuses gas above the cap of EIP-7825, transaction types of later forks and senders with code', () => {
    const capped = world({ block: { txGasCap: 1n << 24n } });
    expect(
      capped.engine.transact(capped.state, tx({ to: THERE, gasLimit: (1n << 24n) + 1n }), { fees: 'engine' }),
    ).toMatchObject({ reason: 'gas-above-cap' });
    const old = world({ block: { fork: 'cancun' } });
    const authorizations = [{ chainId: 0n, address: THERE, nonce: 0n, authority: undefined }];
    expect(
      old.engine.transact(old.state, tx({ type: 4, to: THERE, maxPriorityFeePerGas: 0n, authorizations }), {
        fees: 'engine',
      }),
    ).toMatchObject({ reason: 'unsupported-type' });
    const coded = world();
    coded.state.putCode(SENDER, '00', 10n ** 24n);
    expect(coded.engine.transact(coded.state, tx({ to: THERE, nonce: 1n }), { fees: 'engine' })).toMatchObject({
      reason: 'sender-has-code',
    });
  });
});

describe('EVM engine with fees taken by the host (the ante handler)', () => {
  test('moves no fee in a call and keeps the nonce that the ante handler raised', () => {
    const at = world();
    at.state.fund(SENDER, 100n, 8n);
    // GASPRICE returned
    at.state.putCode(THERE, '3a5f5260205ff3');
    const result = transact(
      at,
      tx({ to: THERE, nonce: 7n, value: 60n, maxFeePerGas: 10n ** 20n, maxPriorityFeePerGas: 5n, type: 2 }),
      'host',
    );
    expect(asBigInt(result.output)).toBe(12n);
    expect([at.state.balance(SENDER), at.state.nonce(SENDER), at.state.balance(COINBASE)]).toEqual([40n, 8n, 0n]);
  });

  test('creates a contract at the address of the transaction nonce and keeps the raised nonce', () => {
    for (const [data, status] of [
      [deploying('00'), 'success'],
      [fromHex('fe'), 'halt'],
      [fromHex('5f5ffd'), 'revert'],
    ] as const) {
      const at = world();
      at.state.fund(SENDER, 100n, 8n);
      const outcome = at.engine.transact(at.state, tx({ nonce: 7n, data, maxFeePerGas: 10n ** 20n }), { fees: 'host' });
      const result = executed(outcome);
      expect(result.status).toBe(status);
      const made = createAddress(SENDER, 7);
      if (outcome.kind === 'executed') at.state.apply(outcome.changes);
      expect(at.state.nonce(SENDER)).toBe(8n);
      expect(at.state.balance(SENDER)).toBe(100n);
      expect(at.state.accounts.has(made)).toBe(status === 'success');
      if (status === 'success') expect(toHex(result.created ?? NO_BYTES)).toBe(made);
    }
  });

  test('charges and refunds the same gas as when it takes the fees itself', () => {
    const used = (['engine', 'host'] as const).map((fees) => {
      const at = world();
      at.state.fund(SENDER, 10n ** 24n, fees === 'host' ? 1n : 0n);
      at.state.putCode(THERE, '5f5f55').putSlot(THERE, word(0), word(1));
      const result = transact(at, tx({ to: THERE }), fees);
      expect(result.gasRefunded).toBeGreaterThan(0n);
      return [result.gasUsed, result.gasRefunded];
    });
    expect(used[0]).toEqual(used[1]);
  });

  test('refuses a value above the balance that the ante handler left', () => {
    const at = world();
    at.state.fund(SENDER, 59n, 1n);
    expect(at.engine.transact(at.state, tx({ to: THERE, value: 60n }), { fees: 'host' })).toMatchObject({
      kind: 'refused',
      reason: 'insufficient-funds',
    });
  });
});

describe('EVM engine calls', () => {
  const at = world({ block: { txGasCap: 1n << 24n } });
  // GASPRICE, BASEFEE, ORIGIN
  at.state.putCode(THERE, '3a5f52486020523260405260605ff3');

  test('need no balance, may exceed the block gas limit, and see base fee zero when they name no price', () => {
    const poor = address(0xaaaa);
    const result = executed(
      at.engine.call(
        at.state,
        tx({ from: poor, to: THERE, maxFeePerGas: 0n, gasLimit: 1n << 40n }),
        { fees: 'none' },
        [],
      ),
    );
    expect(toHex(result.output)).toBe(toHex(word(0)) + toHex(word(0)) + toHex(word(0xaaaa)));
    const priced = executed(
      at.engine.call(at.state, tx({ from: poor, to: THERE, maxFeePerGas: 9n }), { fees: 'none' }, []),
    );
    expect(toHex(priced.output).slice(0, 128)).toBe(toHex(word(9)) + toHex(word(7)));
  });

  test('restore the base fee for the next transaction', () => {
    at.engine.call(at.state, tx({ to: THERE, maxFeePerGas: 0n }), { fees: 'none' }, []);
    expect(toHex(transact(at, tx({ to: THERE })).output).slice(64, 128)).toBe(toHex(word(7)));
  });

  test('change no state, neither by execution nor by overrides', () => {
    const counter = address(0xcc);
    at.state.putCode(counter, '5f54600101805f555f5260205ff3');
    const call = (overrides: Parameters<typeof at.engine.call>[3] = []): bigint =>
      asBigInt(executed(at.engine.call(at.state, tx({ to: counter }), { fees: 'none' }, overrides)).output);
    expect([call(), call()]).toEqual([1n, 1n]);
    expect(call([{ address: counter, slots: [{ slot: word(0), value: word(41) }] }])).toBe(42n);
    expect(call([{ address: counter, code: fromHex('602a5f5260205ff3') }])).toBe(42n);
    expect(call()).toBe(1n);
  });

  test('with a storage override zero the other slots; with slot overrides they keep them', () => {
    const both = address(0xcd);
    at.state.putCode(both, '5f54600154015f5260205ff3').putSlot(both, word(0), word(2)).putSlot(both, word(1), word(3));
    const sum = (edit: object): bigint =>
      asBigInt(
        executed(at.engine.call(at.state, tx({ to: both }), { fees: 'none' }, [{ address: both, ...edit }])).output,
      );
    expect(sum({})).toBe(5n);
    expect(sum({ slots: [{ slot: word(0), value: word(10) }] })).toBe(13n);
    expect(sum({ storage: [{ slot: word(0), value: word(10) }] })).toBe(10n);
  });

  test('take their value from an overridden balance', () => {
    const poor = address(0xabab);
    const call = (balance: bigint): unknown =>
      at.engine.call(at.state, tx({ from: poor, to: address(1234), value: 10n }), { fees: 'none' }, [
        { address: poor, balance },
      ]);
    expect(call(9n)).toMatchObject({ kind: 'refused', reason: 'insufficient-funds' });
    expect(call(10n)).toMatchObject({ kind: 'executed' });
  });
});

describe('EVM engine results', () => {
  test('have address and code of a deployment, and changes sorted by address', () => {
    const at = world();
    const outcome = at.engine.transact(at.state, tx({ data: deploying('602a5f5260205ff3'), value: 3n }), {
      fees: 'engine',
    });
    const result = executed(outcome);
    expect(toHex(result.output)).toBe('602a5f5260205ff3');
    expect(toHex(result.created ?? NO_BYTES)).toBe(createAddress(SENDER, 0));
    if (outcome.kind !== 'executed') throw new Error('refused');
    const made = outcome.changes.find((change) => toHex(change.address) === createAddress(SENDER, 0));
    expect(made).toMatchObject({ kind: 'changed', created: true, nonce: 1n, balance: 3n });
    expect(outcome.changes.map((change) => toHex(change.address))).toEqual(
      outcome.changes.map((change) => toHex(change.address)).toSorted(),
    );
  });

  test('have logs with address, topics and data in order, and none after a revert', () => {
    const at = world();
    // LOG2(0,32,topics 1,2) then LOG0(0,1)
    at.state.putCode(THERE, '60ff5f526002600160205fa260015fa0');
    const result = transact(at, tx({ to: THERE }));
    expect(result.logs.map((log) => [toHex(log.address), log.topics.map(asBigInt), toHex(log.data)])).toEqual([
      [toHex(THERE), [1n, 2n], toHex(word(255))],
      [toHex(THERE), [], '00'],
    ]);
    at.state.putCode(address(0xdd), '60ff5f5260015fa05f5ffd');
    expect(transact(at, tx({ to: address(0xdd), nonce: 1n }))).toMatchObject({ status: 'revert', logs: [] });
  });

  test('of a revert have its data, charge only the gas used and change only sender and coinbase', () => {
    const at = world();
    at.state.putCode(THERE, '60015f5560aa5f5260205ffd');
    const outcome = at.engine.transact(at.state, tx({ to: THERE, value: 1n }), { fees: 'engine' });
    const result = executed(outcome);
    expect([result.status, asBigInt(result.output)]).toEqual(['revert', 0xaan]);
    expect(result.gasUsed).toBeLessThan(100_000n);
    expect(outcome.kind === 'executed' && outcome.changes.map((change) => toHex(change.address))).toEqual([
      toHex(COINBASE),
      toHex(SENDER),
    ]);
  });

  test.each([
    ['fe', 'invalid opcode: INVALID'],
    ['0c', 'invalid opcode: opcode 0xc not defined'],
    ['5b5f56', 'out of gas'],
    ['600456', 'invalid jump destination'],
    ['01', 'stack underflow (0 <=> 2)'],
    [`${'5f'.repeat(1025)}`, 'stack limit reached 1024 (1023)'],
    ['60015f5f3e', 'return data out of bounds'],
    // Starts like a delegation (EIP-7702) and is not one.
    ['ef0100', 'invalid opcode: opcode 0xef not defined'],
    [`ef01ff${'11'.repeat(20)}`, 'invalid opcode: opcode 0xef not defined'],
  ])('of a halt in code %s have the reason "%s"', (code, reason) => {
    const at = world();
    at.state.putCode(THERE, code);
    const result = transact(at, tx({ to: THERE, gasLimit: 100_000n }));
    expect(result).toMatchObject({ status: 'halt', reason, gasUsed: 100_000n });
    expect(result.output).toHaveLength(0);
  });

  test('of SSTORE with no more gas than the stipend name the reentrancy sentry', () => {
    const at = world();
    at.state.putCode(THERE, '60015f55');
    expect(transact(at, tx({ to: THERE, gasLimit: 21_000n + 2_303n }))).toMatchObject({
      status: 'halt',
      reason: 'out of gas: not enough gas for reentrancy sentry',
    });
  });

  test.each([
    ['is too long', 24_577, 'fe', 30_000_000n, 'max code size exceeded'],
    ['begins with 0xef', 2, 'ef', 30_000_000n, 'invalid code: must not begin with 0xef'],
    ['costs more than the remaining gas', 1_000, '00', 150_000n, 'contract creation code storage out of gas'],
  ])(
    'of a creation whose code %s have that code beside the error, as in geth',
    (_, length, first, gasLimit, reason) => {
      const at = world();
      const code = `${first}${'00'.repeat(length - 1)}`;
      const result = transact(
        at,
        tx({ data: fromHex(`60${first}5f5361${length.toString(16).padStart(4, '0')}5ff3`), gasLimit }),
      );
      expect(result).toMatchObject({ status: 'halt', reason, gasUsed: gasLimit, created: undefined });
      expect(toHex(result.output)).toBe(code);
    },
  );

  test('of overridden code that starts like a delegation and is not one are invalid opcode halts', () => {
    const at = world();
    for (const code of ['ef01', 'ef0100', `ef01ff${'11'.repeat(20)}`, `ef0100${'11'.repeat(21)}`]) {
      const result = executed(
        at.engine.call(at.state, tx({ to: THERE }), { fees: 'none' }, [{ address: THERE, code: fromHex(code) }]),
      );
      expect(result).toMatchObject({ status: 'halt', reason: 'invalid opcode: opcode 0xef not defined' });
    }
  });

  test('of SELFDESTRUCT delete only contracts of the same transaction; others lose their balance (EIP-6780)', () => {
    const at = world();
    at.state.putCode(THERE, `73${toHex(address(0xeeee))}ff`, 9n).putSlot(THERE, word(1), word(1));
    transact(at, tx({ to: THERE }));
    expect([at.state.balance(address(0xeeee)), at.state.balance(THERE), at.state.slot(THERE, 1)]).toEqual([9n, 0n, 1n]);
    const outcome = at.engine.transact(
      at.state,
      tx({ nonce: 1n, value: 4n, data: fromHex(`73${toHex(address(0xeeee))}ff`) }),
      { fees: 'engine' },
    );
    if (outcome.kind !== 'executed') throw new Error('refused');
    at.state.apply(outcome.changes);
    expect(at.state.accounts.has(createAddress(SENDER, 1))).toBe(false);
    expect(at.state.balance(address(0xeeee))).toBe(13n);
  });

  test('of SELFDESTRUCT in London delete the account with its storage', () => {
    const at = world({ block: { fork: 'london' } });
    at.state.putCode(THERE, `73${toHex(address(0xeeee))}ff`, 9n).putSlot(THERE, word(1), word(1));
    transact(at, tx({ to: THERE }));
    expect([at.state.accounts.has(toHex(THERE)), at.state.slots.has(toHex(THERE))]).toEqual([false, false]);
  });

  test('of a transaction with an access list count its slots as warm', () => {
    const gas = [[], [{ address: THERE, storageKeys: [word(0)] }]].map((accessList) => {
      const at = world();
      at.state.putCode(THERE, '5f54');
      return transact(at, tx({ type: 1, to: THERE, accessList })).gasUsed;
    });
    // EIP-2930: 2,400 for the address and 1,900 for the key, then a warm slot (100) instead of a cold one (2,100).
    expect((gas[1] ?? 0n) - (gas[0] ?? 0n)).toBe(2_400n + 1_900n - 2_000n);
  });

  test('of a set-code transaction have the delegation and run the code as the authority (EIP-7702)', () => {
    const at = world();
    const authority = address(0xa0a0);
    at.state.fund(authority, 1n).putCode(THERE, '305f5260205ff3');
    const authorizations = [
      { chainId: 271828n, address: THERE, nonce: 0n, authority },
      { chainId: 1n, address: THERE, nonce: 0n, authority: address(0xa0a1) },
      { chainId: 0n, address: THERE, nonce: 0n, authority: undefined },
    ];
    const result = transact(at, tx({ type: 4, to: authority, maxPriorityFeePerGas: 0n, authorizations }));
    expect(asBigInt(result.output)).toBe(0xa0a0n);
    const account = at.state.accounts.get(toHex(authority));
    expect(account?.nonce).toBe(1n);
    expect(toHex(at.state.code(account?.codeHash ?? EMPTY_CODE_HASH))).toBe(`ef0100${toHex(THERE)}`);
    expect(at.state.accounts.has(toHex(address(0xa0a1)))).toBe(false);
  });

  test('of a set-code transaction without a target are a refusal', () => {
    const at = world();
    expect(at.engine.transact(at.state, tx({ type: 4 }), { fees: 'engine' })).toMatchObject({
      kind: 'refused',
      reason: 'other',
    });
  });

  test('of block opcodes come from the block, and of BLOCKHASH from the state', () => {
    const at = world({ block: { number: 300n, prevRandao: word(77) } });
    at.state.putCode(THERE, '61012b405f52436020524160405242606052466080524460a05260c05ff3');
    const output = toHex(transact(at, tx({ to: THERE })).output);
    const words = Array.from({ length: 6 }, (_, index) => output.slice(index * 64, index * 64 + 64));
    expect(words[0]).toBe(toHex(at.state.blockHash(299n)));
    expect(words.slice(1).map((text) => BigInt(`0x${text}`))).toEqual([
      300n,
      asBigInt(COINBASE),
      BLOCK.timestamp,
      BLOCK.chainId,
      77n,
    ]);
  });
});
