/**
 * Every Ethereum transaction of golden chain-a, executed over the recorded state before its block, and every base fee.
 *
 * Left out, because they call Cosmos modules that this build does not have: staking, distribution, gov, slashing,
 * ics20, werc20, bank and bech32 precompiles, and evmd's P-256 precompile at 0x100 (`NEEDS_PRECOMPILES`).
 */
import { describe, expect, it } from 'vitest';
import { BlockScope } from '../../../../src/core/sdk/module/block-scope.js';
import { GasMeter } from '../../../../src/core/sdk/module/gas.js';
import { MessageRouter } from '../../../../src/core/sdk/module/message-router.js';
import { decodeTransaction } from '../../../../src/core/ethereum/transaction-codec.js';
import { recoverSender } from '../../../../src/core/ethereum/transaction-sender.js';
import { wrapEthereumTransaction } from '../../../../src/core/modules/evm/ethereum-message.js';
import { beginBlock, endBlock } from '../../../../src/core/modules/feemarket/base-fee.js';
import { toHeight, toTimeNs } from '../../../../src/core/primitives.js';
import { goldenLines, hasGolden } from '../../../support/golden.js';
import {
  applyWrites,
  chain,
  isEthereum,
  newApp,
  shown,
  timeOf,
  version,
  type RecordedBlock,
  type RecordedStep,
  type RecordedWrites,
} from '../../app/recorded-evm.js';
import { crypto, fromBase64, fromHex, stateOf, toHex, PLAIN_BLOCK } from '../../app/support.js';
import { recordedWrites } from '../../app/recorded-state.js';

interface Refused {
  readonly step: string;
  readonly raw?: string;
  readonly send?: { readonly message: string };
}

const NEEDS_PRECOMPILES = /^(pc-|contract-calls-|eth-bank-view$|eth-contract-stakes)/;
/** evmd creates an account for a beneficiary that receives nothing; Ethereum (EIP-161) and the engine do not. */
const CREATES_EMPTY_ACCOUNT = 'eth-selfdestruct-later';
const FEE_COLLECTOR_BALANCE = '0214f1829676db577682e944fc3493d451b67ff3e29f6174657374';

describe.skipIf(!hasGolden)('golden chain-a', () => {
  const blocks = new Map(
    (hasGolden ? goldenLines<RecordedBlock>('chain-a/blocks.jsonl') : []).map((block) => [block.height, block]),
  );
  const writes = hasGolden ? goldenLines<RecordedWrites>('chain-a/writes.jsonl') : [];

  it('Ethereum transactions give the recorded code, gas, data, logs, events and EVM state', () => {
    const names = new Map(
      goldenLines<RecordedStep>('chain-a/scenario.jsonl').flatMap(({ step, receipt }) =>
        receipt ? [[Number(receipt.blockNumber), step] as const] : [],
      ),
    );
    const app = newApp();
    const state = stateOf(recordedWrites('state-000040'));
    const compared: string[] = [];
    for (const recordedWrites of writes.filter(({ height }) => height > 40 && height < 224)) {
      const { height } = recordedWrites;
      const block = blocks.get(height);
      if (block === undefined) throw new Error(`no block ${height}`);
      const { header, data } = block.block.block;
      const name = names.get(height) ?? '';
      if (data.txs.some(isEthereum) && !NEEDS_PRECOMPILES.test(name)) {
        // distribution empties the fee collector when a block begins.
        state.delete('bank', fromHex(FEE_COLLECTOR_BALANCE));
        const got = app.finalizeBlock(state, {
          ...PLAIN_BLOCK,
          height: toHeight(BigInt(height)),
          time: toTimeNs(timeOf(header.time)),
          chainId: chain.chainId,
          hash: fromHex(block.block.block_id.hash.toLowerCase()),
          proposerAddress: fromHex(header.proposer_address.toLowerCase()),
          txs: data.txs.map(fromBase64),
        });
        if (got.kind !== 'executed') throw new Error(got.reason);
        data.txs.forEach((tx, index) => {
          const recorded = block.block_results?.txs_results?.[index];
          const result = got.results.txResults[index];
          if (recorded === undefined || result === undefined) throw new Error(`no result ${height}/${index}`);
          if (!isEthereum(tx)) return;
          expect({
            height,
            name,
            code: result.code,
            log: result.log,
            used: String(result.gasUsed),
            wanted: String(result.gasWanted),
            data: Buffer.from(result.data).toString('base64'),
            events: shown(result.events),
          }).toEqual({
            height,
            name,
            code: recorded.code,
            log: recorded.log,
            used: recorded.gas_used,
            wanted: recorded.gas_wanted,
            data: recorded.data ?? '',
            events: shown(recorded.events),
          });
          compared.push(name);
        });
        const stored = (all: readonly (readonly [string, string | null])[]): readonly string[] =>
          all.map(([key, value]) => `${key}=${value}`);
        const ours = (store: string): (readonly [string, string | null])[] =>
          got.writes
            .filter((write) => write.store === store)
            // A key without a value is deleted without a change of the store.
            .filter(({ key, value }) => value !== undefined || state.get(store, key) !== undefined)
            .map(({ key, value }) => [toHex(key), value === undefined ? null : toHex(value)]);
        if (data.txs.every(isEthereum)) {
          for (const store of ['evm', 'feemarket', ...(name === CREATES_EMPTY_ACCOUNT ? [] : ['acc'])])
            expect([height, name, store, ...stored(ours(store))]).toEqual([
              height,
              name,
              store,
              ...stored(recordedWrites.writes[store] ?? []),
            ]);
        }
      }
      applyWrites(state, recordedWrites);
    }
    expect(compared.length).toBeGreaterThan(45);
    for (const step of [
      'eth-type0-transfer',
      'eth-type1-transfer',
      'eth-type2-transfer',
      'eth-deploy-kitchen',
      'eth-type4-call-delegated',
      'eth-create2',
      'eth-env',
      'eth-selfdestruct-same-tx',
    ]) {
      expect(compared).toContain(step);
    }
  });

  it('refused transactions get the recorded texts', () => {
    const state = stateOf(recordedWrites('state-000040'));
    for (const line of writes) if (line.height > 40 && line.height <= 139) applyWrites(state, line);
    const app = newApp();
    const checkState = app.createCheckState(state, {
      chainId: chain.chainId,
      height: toHeight(139n),
      time: toTimeNs(0n),
    });
    const refusals = goldenLines<Refused>('chain-a/scenario.jsonl').flatMap(({ step, raw, send }) => {
      if (!/^eth-fail-(funds|fee-low|tip-above-cap|gas-over-block|garbage|empty)$/.test(step)) return [];
      const bytes = fromHex((raw ?? '').slice(2));
      const decoded = decodeTransaction(bytes);
      if (!decoded.ok) return [{ step, got: decoded.message, recorded: send }];
      const sender = recoverSender(crypto, decoded.transaction, chain.evmChainId);
      if (!sender.ok) throw new Error(sender.message);
      const { code, log } = app.checkTx(
        checkState,
        wrapEthereumTransaction(bytes, decoded.transaction, sender.sender, chain.baseDenom),
      );
      // Its step has the wrong name: the node admitted it, and its sender's next nonce shows that.
      if (step === 'eth-fail-tip-above-cap') return code === 0 ? [] : [{ step, got: log, recorded: undefined }];
      // The node's JSON-RPC wraps the log of CheckTx and repeats the registered error.
      return [
        {
          step,
          got: `failed to broadcast transaction: ${log}: ${log.slice(log.lastIndexOf(': ') + 2)} [cosmossdk.io/errors@v1.0.2/errors.go:77]`,
          recorded: send,
        },
      ];
    });
    expect(refusals.map(({ step, got }) => ({ step, message: got }))).toEqual(
      refusals.map(({ step, recorded }) => ({ step, message: recorded?.message })),
    );
    expect(refusals.length).toBe(5);
  });

  it('every base fee and block gas is the recorded one', () => {
    const state = stateOf(recordedWrites('state-000001'));
    let compared = 0;
    for (const recordedWrites of writes.filter(({ height }) => height > 1)) {
      const { height } = recordedWrites;
      const block = blocks.get(height);
      const results = block?.block_results?.txs_results ?? [];
      const scope = new BlockScope(new Uint8Array(32), new Uint8Array(20), new GasMeter(10_000_000n));
      const context = {
        store: state,
        gas: new GasMeter(undefined),
        events: [],
        mode: 'block' as const,
        chainId: chain.chainId,
        height: toHeight(BigInt(height)),
        time: toTimeNs(0n),
        chain,
        version,
        crypto,
        router: new MessageRouter(version),
        block: scope,
        evm: undefined,
        txBytes: new Uint8Array(0),
      };
      beginBlock(context);
      for (const { gas_used, gas_wanted, events } of results) {
        const [used, wanted] = [BigInt(gas_used), BigInt(gas_wanted)];
        scope.gas.consume(used < wanted ? used : wanted, '');
        // A transaction that the ante chain refused has no events and wanted no gas.
        if (events.length > 0) scope.tally = { ...scope.tally, gasWanted: scope.tally.gasWanted + wanted };
      }
      endBlock(context);
      if (block?.block_results !== undefined) {
        const recorded = shown(block.block_results.finalize_block_events)
          .filter((text) => /^(fee_market|block_gas) /.test(text))
          .map((text) => text.replace(/ mode=.*$/, ''));
        expect([height, ...shown(context.events)]).toEqual([height, ...recorded]);
        compared += 1;
      }
      const place = (key: string): string => toHex(state.get('feemarket', fromHex(key)) ?? new Uint8Array(0));
      // In block 220 a proposal changes the parameters after the fee market has run.
      for (const [key, value] of height === 220 ? [] : (recordedWrites.writes['feemarket'] ?? []))
        expect([height, key, place(key)]).toEqual([height, key, value]);
      applyWrites(state, recordedWrites);
    }
    expect(compared).toBeGreaterThan(220);
  });
});
