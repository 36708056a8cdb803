import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FinalizeBlockRequest } from '../../../src/core/application-requests.js';
import { createApplication } from '../../../src/core/app/create-application.js';
import { chronicle } from '../../../src/core/app/presets.js';
import type { Crypto } from '../../../src/core/ports/crypto.js';
import { propertyRuns } from '../../support/property-runs.js';
import {
  accountRule,
  baseFeeIn,
  baseFeeRule,
  blockGas,
  changesRule,
  ethereumView,
  feeRule,
  gasRule,
  headerRule,
  oneWorldRule,
  receiptRule,
  shown,
  supplyRule,
  type Executed,
} from './block-rules.js';
import { chain, DevChain } from './dev-chain.js';
import { bytesOf, evm } from './ethereum-chain.js';
import { expectFoundedAgain } from './founded-again.js';
import { BlockWriter, everybody, histories, proposer } from './mixed-blocks.js';
import { crypto as slow, toHex } from './support.js';

/** Crypto that recovers each signature once: CheckTx, the block and its re-execution ask for the same ones. */
function remembering(): Crypto {
  const known = new Map<string, Uint8Array | undefined>();
  return {
    ...slow,
    recoverSecp256k1: (digest, signature, yParity) => {
      const key = `${toHex(digest)}${toHex(signature)}${yParity}`;
      if (!known.has(key)) known.set(key, slow.recoverSecp256k1(digest, signature, yParity));
      return known.get(key);
    },
  };
}

/** Executes a block in a warm application and in a new one; the results must be equal. */
function executeTwice(dev: DevChain, request: FinalizeBlockRequest, crypto: Crypto): Executed {
  const check = dev.app.createCheckState(dev.state, dev.at());
  for (const tx of request.txs) dev.app.checkTx(check, tx);
  const anew = createApplication({ version: chronicle, chain, crypto, evm }).finalizeBlock(dev.state, request);
  const warm = dev.execute(request);
  expect(shown(warm)).toBe(shown(anew));
  if (warm.kind !== 'executed') throw new Error(warm.reason);
  return warm;
}

// A failure is reported as found: shrinking takes minutes (repeat it with its seed and path, without `endOnFailure`).
describe('random blocks of Ethereum and Cosmos transactions', () => {
  it('keep supply, fees, accounts, gas, base fee, receipts and headers consistent', async () => {
    const addresses = everybody.map((address) => address.slice(2).toLowerCase());
    await fc.assert(
      fc.asyncProperty(histories, async ({ contracts, blocks }) => {
        const crypto = remembering();
        const dev = new DevChain({ evm, crypto });
        let parent: Executed | undefined;
        let parentHash: Uint8Array | undefined;
        const block = (txs: readonly Uint8Array[]): void => {
          const before = dev.state;
          const request = dev.next(txs, bytesOf(proposer));
          const executed = executeTwice(dev, request, crypto);
          changesRule(dev, before, request, executed);
          const view = ethereumView(request, executed);
          supplyRule(before, dev.state, executed, view);
          feeRule(dev.state, executed, view);
          accountRule(before, dev.state);
          oneWorldRule(dev, addresses);
          gasRule(executed);
          baseFeeRule(
            parent === undefined
              ? { baseFee: 10n ** 27n, gas: 0n }
              : { baseFee: baseFeeIn(parent.results.events), gas: blockGas(parent.results.events) },
            executed,
          );
          receiptRule(executed, view);
          headerRule(view, parentHash);
          parentHash = view.hash;
          parent = executed;
        };
        block(new BlockWriter(dev).beginning(contracts));
        for (const actions of blocks) {
          const writer = new BlockWriter(dev);
          const txs: Uint8Array[] = [];
          for (const action of actions) txs.push(await writer.write(action));
          block(txs);
        }
        expectFoundedAgain(dev.state, { version: chronicle, chain, at: dev.at(), founding: dev.founding });
      }),
      { numRuns: propertyRuns(20), endOnFailure: true },
    );
  });
});
