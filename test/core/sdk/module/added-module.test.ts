import { create } from '@bufbuild/protobuf';
import {
  EmptySchema,
  file_google_protobuf_wrappers,
  StringValueSchema,
  UInt64ValueSchema,
} from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { createApplication } from '../../../../src/core/app/create-application.js';
import { chronicle, ofModules } from '../../../../src/core/app/presets.js';
import { be64, readBe64 } from '../../../../src/core/bytes/big-endian.js';
import { MsgExecSchema } from '../../../../src/core/proto/cosmos/authz/v1beta1/tx_pb.js';
import { MsgGrantAllowanceSchema } from '../../../../src/core/proto/cosmos/feegrant/v1beta1/tx_pb.js';
import { exportGenesis } from '../../../../src/core/genesis/export-genesis.js';
import { asObject } from '../../../../src/core/text/json-object.js';
import { createMultistore } from '../../../../src/core/multistore/multistore.js';
import { toHeight } from '../../../../src/core/primitives.js';
import { abciEvent } from '../../../../src/core/sdk/module/abci-event.js';
import { packAny } from '../../../../src/core/sdk/codec/any.js';
import type { AppVersion } from '../../../../src/core/sdk/module/app-version.js';
import { decodeTx } from '../../../../src/core/sdk/codec/decode-tx.js';
import { GenesisError } from '../../../../src/core/sdk/module/genesis-section.js';
import { MessageRouter } from '../../../../src/core/sdk/module/message-router.js';
import { messageOf, queryAt, type Module } from '../../../../src/core/sdk/module/module.js';
import type { StateReader, StateStore } from '../../../../src/core/state/state.js';
import { account, chain, codes, DevChain, signed } from '../../app/dev-chain.js';
import { crypto, toHex } from '../../app/support.js';

const STORE = 'counter';
const KEY = Uint8Array.of(1);
const getCount = (store: StateReader): bigint => readBe64(store.get(STORE, KEY) ?? be64(0n));
const setCount = (store: StateStore, count: bigint): void => store.set(STORE, KEY, be64(count));

/** A whole module: a number that every signer may raise by one. The message holds the address of its signer. */
const counter: Module = {
  name: 'counter',
  store: STORE,
  consensusVersion: 3n,
  initGenesis(context, section) {
    const start = asObject(section)?.['start'] ?? '0';
    if (typeof start !== 'string' || !/^\d+$/.test(start))
      throw new GenesisError('app_state.counter.start', 'is not a number');
    setCount(context.store, BigInt(start));
  },
  exportGenesis: ({ store }) => ({ start: getCount(store).toString() }),
  messages: [
    messageOf(
      { input: StringValueSchema, output: UInt64ValueSchema },
      {
        signers: ({ value }) => [value],
        handle(context) {
          const count = getCount(context.store) + 1n;
          setCount(context.store, count);
          context.events.push(abciEvent('counted', [['count', count.toString()]]));
          return { value: count };
        },
      },
    ),
  ],
  queries: [
    queryAt(
      '/test.counter.v1.Query/Count',
      () => ({ input: EmptySchema, output: UInt64ValueSchema }),
      ({ store }) => ({ value: getCount(store) }),
    ),
  ],
  types: [file_google_protobuf_wrappers],
};

/** The preset of this project with one line more. */
const preset: AppVersion = { ...chronicle, ...ofModules([...chronicle.modules, counter]) };

const raise = (from: number, sequence: bigint): Uint8Array =>
  signed(from, sequence, StringValueSchema, { value: account(from).address });
const countOf = (dev: DevChain): bigint =>
  dev.query('/test.counter.v1.Query/Count', EmptySchema, {}, UInt64ValueSchema).value;

describe('a module that one line adds to a preset', () => {
  it('reads its section of the genesis, or has its default', () => {
    expect(countOf(new DevChain({ version: preset }))).toBe(0n);
    expect(countOf(new DevChain({ version: preset }, 4, true, { counter: { start: '40' } }))).toBe(40n);
    expect(() => new DevChain({ version: preset }, 4, true, { counter: { start: 'many' } })).toThrow(
      'app_state.counter.start: is not a number',
    );
  });

  it('executes its message with signature, fee and gas, and emits its events', () => {
    const dev = new DevChain({ version: preset });
    const block = dev.block(raise(0, 0n), raise(1, 0n), raise(0, 0n));
    expect(codes(block)).toEqual([0, 0, 32]);
    expect(countOf(dev)).toBe(2n);
    if (block.kind !== 'executed') throw new Error(block.reason);
    const shown = block.results.txResults.map(({ events, gasUsed }) => [
      events.filter(({ type }) => type === 'counted').map(({ attributes }) => attributes[0]?.value),
      gasUsed > 50_000n,
    ]);
    expect(shown).toEqual([
      [['1'], true],
      [['2'], true],
      [[], true],
    ]);
    expect(block.writes.filter(({ store }) => store === STORE).map(({ value }) => value)).toEqual([be64(2n)]);
  });

  it('refuses unknown fields of its message, as the SDK does of every message', () => {
    const value = create(StringValueSchema, { value: account(0).address });
    value.$unknown = [{ no: 2, wireType: 0, data: Uint8Array.of(1) }];
    const block = new DevChain({ version: preset }).block(signed(0, 0n, StringValueSchema, value));
    if (block.kind !== 'executed') throw new Error(block.reason);
    expect(block.results.txResult(0)).toMatchObject({ code: 2, log: expect.stringContaining('errUnknownField') });
  });

  it('is checked by the mempool and simulated as others are', () => {
    const dev = new DevChain({ version: preset });
    const check = dev.app.createCheckState(dev.state, dev.at());
    expect(dev.app.checkTx(check, raise(0, 0n)).code).toBe(0);
    expect(dev.app.nextNonce(check, dev.app.describe(raise(0, 0n))?.accounts[0]?.address ?? '')).toBe(1n);
    expect(dev.app.simulate(dev.state, dev.at(), raise(0, 0n))).toMatchObject({ ok: true });
    expect(countOf(dev)).toBe(0n);
  });

  it('has a store under the app hash, a reported version, and a section of the exported genesis', () => {
    const dev = new DevChain({ version: preset });
    dev.block(raise(0, 0n));
    const hashOf = (stores: readonly string[]): string => {
      const multistore = createMultistore({ stores, crypto });
      multistore.apply(dev.genesisWrites.filter(({ store }) => stores.includes(store)));
      return toHex(multistore.commit(toHeight(1n)).appHash);
    };
    expect(preset.stores).toContain(STORE);
    expect(hashOf(preset.stores)).not.toBe(hashOf(chronicle.stores));
    expect(preset.moduleVersions).toEqual({ ...chronicle.moduleVersions, counter: 3n });
    const sections = exportGenesis(dev.state, { version: preset, chain, crypto, at: dev.at() });
    expect(sections).toMatchObject({ counter: { start: '1' }, bank: { supply: [{ denom: 'achr' }] } });
  });

  it('may have its message inside other messages, and not in place of another type', () => {
    const inner = packAny(StringValueSchema, create(StringValueSchema, { value: account(0).address }));
    const dev = new DevChain({ version: preset });
    const exec = { grantee: account(0).address, msgs: [inner] };
    expect(codes(dev.block(signed(0, 0n, MsgExecSchema, exec)))).toEqual([0]);
    expect(countOf(dev)).toBe(1n);
    const allowance = { granter: account(0).address, grantee: account(1).address, allowance: inner };
    expect(() => decodeTx(signed(0, 1n, MsgGrantAllowanceSchema, allowance), new MessageRouter(preset))).toThrow(
      'no concrete type registered for type URL /google.protobuf.StringValue against interface *feegrant.FeeAllowanceI',
    );
  });

  it('has no message in a preset with its types and without the module', () => {
    const { types } = new MessageRouter(preset);
    const without = { types, typeUrlAliases: {}, knows: () => false };
    expect(() => decodeTx(raise(0, 0n), without)).toThrow(
      'no concrete type registered for type URL /google.protobuf.StringValue against interface *types.Msg',
    );
  });

  it('is unknown to other presets', () => {
    const dev = new DevChain();
    expect(codes(dev.block(raise(0, 0n)))).toEqual([2]);
    expect(dev.app.queryPaths.has('/test.counter.v1.Query/Count')).toBe(false);
  });
});

describe('a module with a hook', () => {
  const ending: Module = { ...counter, endBlock: ({ store }) => setCount(store, getCount(store) + 10n) };
  const version: AppVersion = { ...chronicle, ...ofModules([...chronicle.modules, ending]) };

  it('runs at its place in the order', () => {
    const dev = new DevChain({ version: { ...version, endBlockOrder: [...version.endBlockOrder, 'counter'] } });
    dev.block();
    dev.block(raise(0, 0n));
    expect(countOf(dev)).toBe(21n);
  });

  it('is refused when the order leaves it out', () => {
    expect(() => createApplication({ version, chain, crypto })).toThrow(
      'preset chronicle gives the endBlock of module counter a place in its order',
    );
  });
});
