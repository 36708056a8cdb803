import { describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { createApplication } from '../../../src/core/app/create-application.js';
import { missingModules } from '../../../src/core/sdk/module/app-version.js';
import { evmd } from '../../../src/core/app/presets.js';
import type { ChainConfig } from '../../../src/core/sdk/module/chain-config.js';
import { parseGenesis, detectBaseDenom, detectBech32Prefix } from '../../../src/core/genesis/genesis-document.js';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import type { StateWrite } from '../../../src/core/state/state.js';
import { goldenLines, goldenPath, hasGolden } from '../../support/golden.js';
import { crypto, fromBase64, fromHex, stateOf, toHex, PLAIN_BLOCK } from './support.js';
import { recordedWrites } from './recorded-state.js';

interface Attribute {
  readonly key: string;
  readonly value: string;
}
interface TxResult {
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  readonly data: string | null;
  readonly gas_used: string;
  readonly events: readonly { readonly type: string; readonly attributes: readonly Attribute[] }[];
}
interface Block {
  readonly height: number;
  readonly block: { readonly block: { readonly data: { readonly txs: readonly string[] } } };
  readonly block_results?: { readonly txs_results: readonly TxResult[] | null };
}
interface Step {
  readonly step: string;
  readonly kind?: string;
  readonly tx_base64?: string;
  readonly broadcast?: { readonly code: number; readonly codespace: string; readonly log: string };
  readonly included?: { readonly height: string; readonly index: number };
}
interface Writes {
  readonly height: number;
  readonly writes: Readonly<Record<string, readonly (readonly [string, string | null])[]>>;
}

const chain: ChainConfig = {
  chainId: '9001',
  evmChainId: 262144n,
  bech32Prefix: 'cosmos',
  baseDenom: 'atest',
  minGasPrice: 0n,
};
const FEE_COLLECTOR = 'f1829676db577682e944fc3493d451b67ff3e29f';
const ours = new Set(['auth', 'bank', 'consensus', 'upgrade']);
/** The preset evmd with only these modules: enough to execute recorded bank transactions. */
const version = { ...evmd, initOrder: evmd.initOrder.filter((name) => ours.has(name)) };
const app = createApplication({ version, chain, crypto });

describe.skipIf(!hasGolden)('recorded chain of evmd', () => {
  const genesis = hasGolden
    ? parseGenesis(JSON.parse(readFileSync(goldenPath('chain-a/genesis.json'), 'utf8')))
    : undefined;

  it('InitChain fails and names the module that the genesis has and the build lacks', () => {
    const version = { ...evmd, modules: evmd.modules.filter(({ name }) => name !== 'genutil') };
    expect(missingModules(version)).toContain('genutil');
    if (genesis?.ok !== true) throw new Error('genesis');
    const { time, consensusParams, appState, initialHeight } = genesis.genesis;
    expect(() =>
      createApplication({ version, chain, crypto }).initChain({
        chainId: '9001',
        initialHeight,
        time,
        consensusParams,
        validators: [],
        appState,
      }),
    ).toThrow(/genutil/);
  });

  it('the bech32 prefix and the base denom are read from the genesis', () => {
    if (genesis?.ok !== true) throw new Error('genesis');
    expect(detectBech32Prefix(genesis.genesis.appState)).toBe('cosmos');
    expect(detectBaseDenom(genesis.genesis.appState)).toBe('atest');
  });

  it('InitChain writes the recorded rows, except those that modules left out here decide', () => {
    if (genesis?.ok !== true) throw new Error('genesis');
    const { time, consensusParams, appState, initialHeight } = genesis.genesis;
    const { writes } = app.initChain({
      chainId: '9001',
      initialHeight,
      time,
      consensusParams,
      validators: [],
      appState,
    });
    const name = ({ store, key }: StateWrite): string => `${store} ${toHex(key)}`;
    const recorded = new Map(
      recordedWrites('state-000001').map((entry) => [name(entry), toHex(entry.value ?? new Uint8Array())]),
    );
    const different = writes
      .filter((write) => recorded.get(name(write)) !== toHex(write.value ?? new Uint8Array()))
      .map(name);
    expect(different.sort()).toEqual(
      [
        // genutil delivers the genesis transaction: the validator's account has its key and sequence 1 and pays its
        // stake.
        'acc 017cb61d4117ae31a12e393a1cfa3bac666481d02e',
        // Other modules create their accounts after those of the modules here.
        'acc 02',
        // mint adds to the supply in block 1, genutil takes stake and fee from the validator's account.
        'bank 006174657374',
        'bank 02147cb61d4117ae31a12e393a1cfa3bac666481d02e6174657374',
      ].sort(),
    );
    const missing = [...recorded.keys()].filter(
      (key) => /^(bank|consensus|upgrade) /.test(key) && !writes.some((write) => name(write) === key),
    );
    // Pools and the fee collector, filled by staking and mint.
    expect(
      missing.filter(
        (key) =>
          !key.includes('4fea76427b8345861e80a3540a8a9d936fd39391') &&
          !key.includes('f1829676db577682e944fc3493d451b67ff3e29f'),
      ),
    ).toEqual([]);
  });

  it('bank transactions produce the recorded gas, events and account writes', () => {
    const state = stateOf(recordedWrites('state-000010'));
    const blocks = new Map(
      goldenLines<Block>('chain-a/blocks.jsonl')
        .filter(({ height }) => height <= 30)
        .map((block) => [block.height, block]),
    );
    const writes = goldenLines<Writes>('chain-a/writes.jsonl').filter(({ height }) => height > 10 && height <= 30);
    const direct = new Set(
      goldenLines<Step>('chain-a/scenario.jsonl')
        .filter(({ step }) =>
          /^(bank-send|bank-send-fund-j|bank-multisend|bank-send-plain-secp256k1|burst-same-sender|multi-signer|fail-(insufficient-funds|second-msg|oog-exec2?|zero-amount|bad-address|blocked-recipient|unauthorized-authority))$/.test(
            step,
          ),
        )
        .flatMap(({ included }) => (included === undefined ? [] : [Number(included.height)])),
    );
    let compared = 0;
    for (const { height, writes: stores } of writes) {
      const block = blocks.get(height);
      const txs = block?.block.block.data.txs ?? [];
      if (txs.length > 0 && direct.has(height)) {
        // distribution empties the fee collector at the begin of every block.
        state.delete('bank', fromHex(`0214${FEE_COLLECTOR}6174657374`));
        const result = app.finalizeBlock(state, {
          ...PLAIN_BLOCK,
          height: toHeight(BigInt(height)),
          time: toTimeNs(0n),
          chainId: '9001',
          txs: txs.map(fromBase64),
        });
        if (result.kind !== 'executed') throw new Error(result.reason);
        block?.block_results?.txs_results?.forEach((recorded, index) => {
          const got = result.results.txResults[index];
          if (got === undefined) throw new Error('no result');
          expect({
            height,
            code: got.code,
            codespace: got.codespace,
            log: got.log,
            gas: String(got.gasUsed),
            data: Buffer.from(got.data).toString('base64'),
            events: got.events.map(({ type, attributes }) => [
              type,
              ...attributes.map(({ key, value }) => `${key}=${value}`),
            ]),
          }).toEqual({
            height,
            code: recorded.code,
            codespace: recorded.codespace,
            log: recorded.log,
            gas: recorded.gas_used,
            data: recorded.data ?? '',
            events: recorded.events.map(({ type, attributes }) => [
              type,
              ...attributes.map(({ key, value }) => `${key}=${value}`),
            ]),
          });
          compared += 1;
        });
        const recordedAccounts = (stores['acc'] ?? []).map(([key, value]) => `${key}=${value ?? 'deleted'}`);
        expect(
          result.writes
            .filter(({ store }) => store === 'acc')
            .map(({ key, value }) => `${toHex(key)}=${value === undefined ? 'deleted' : toHex(value)}`),
        ).toEqual(recordedAccounts);
      }
      for (const [store, changes] of Object.entries(stores)) {
        for (const [key, value] of changes) {
          if (value === null) state.delete(store, fromHex(key));
          else state.set(store, fromHex(key), fromHex(value));
        }
      }
    }
    expect(compared).toBeGreaterThan(10);
  });

  it('CheckTx refuses transactions with the recorded codes and logs', () => {
    const steps = goldenLines<Step>('chain-a/scenario.jsonl').filter(
      ({ step, broadcast }) =>
        (broadcast?.code ?? 0) !== 0 &&
        /^(fail-(wrong-.*|memo|timeout-height|no-msgs|gas-over-block|fee-denom|two-fee-coins|garbage|empty|text)|unordered)$/.test(
          step,
        ),
    );
    const state = stateOf(recordedWrites('state-000010'));
    for (const { height, writes } of goldenLines<Writes>('chain-a/writes.jsonl')) {
      if (height <= 10 || height > 26) continue;
      for (const [store, changes] of Object.entries(writes))
        for (const [key, value] of changes) {
          if (value === null) state.delete(store, fromHex(key));
          else state.set(store, fromHex(key), fromHex(value));
        }
    }
    const at = { chainId: '9001', height: toHeight(26n), time: toTimeNs(0n) };
    const got = steps.map(({ step, tx_base64 }) => {
      const { code, codespace, log } = app.checkTx(app.createCheckState(state, at), fromBase64(tx_base64 ?? ''));
      return { step, code, codespace, log };
    });
    expect(got).toEqual(
      steps.map(({ step, broadcast }) => ({
        step,
        code: broadcast?.code,
        codespace: broadcast?.codespace,
        log: broadcast?.log,
      })),
    );
    expect(got.length).toBeGreaterThan(8);
  });
});
