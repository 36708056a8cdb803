/** Block hashes as a genesis chooses them, and the hashes of the last block that a state keeps. */
import { describe, expect, it } from 'vitest';
import { chronicle } from '../../../../src/core/app/presets.js';
import { headerHashesOf } from '../../../../src/core/ethereum/header-facts.js';
import { genesisEthereumBlock } from '../../../../src/core/ethereum/block-of.js';
import { headerJson } from '../../../../src/core/ethereum/json/block-json.js';
import { getBlockHashes, hashOfGenesis } from '../../../../src/core/modules/evm/block-hashes.js';
import { HISTORY_ADDRESS, historySlot } from '../../../../src/core/modules/evm/state.js';
import { getStorage } from '../../../../src/core/modules/evm/store.js';
import { readingContext } from '../../../../src/core/sdk/module/reading-context.js';
import { stateFacts } from '../../../../src/core/snapshot/state-facts.js';
import { CacheStore } from '../../../../src/core/state/overlay.js';
import { genesisValidatorSet } from '../../../../src/core/comet/validator-updates.js';
import { hashOfShown } from '../../../support/shown-header.js';
import { chain, DevChain } from '../../app/dev-chain.js';
import { evm } from '../../app/ethereum-chain.js';
import { exported, founded } from '../../app/founded-again.js';
import { crypto, toHex } from '../../app/support.js';

const CONSENSUS = new Uint8Array(32).fill(0xc0);

/** Executes a block with that consensus hash. */
function next(dev: DevChain): Uint8Array | undefined {
  const executed = dev.execute({ ...dev.next([]), hash: CONSENSUS });
  if (executed.kind !== 'executed') throw new Error(executed.reason);
  return headerHashesOf(executed.results)?.hash;
}

const hashesOf = (dev: DevChain) => getBlockHashes({ store: new CacheStore(dev.state) });

/** The hash of the last block as a node that restores the state derives it. */
function restoredHash(dev: DevChain): Uint8Array {
  const made = genesisValidatorSet(crypto, dev.genesis.validators);
  if (!made.ok) throw new Error('no validators');
  const { time, consensusParams } = dev.genesis;
  const options = { version: chronicle, chain, crypto, at: dev.at() };
  return stateFacts(dev.state, options, { time, consensusParams, validators: made.set }).blockHash;
}

describe('blocks', () => {
  it('have the hash of their Ethereum header when the genesis says so, from block 0 on', () => {
    const dev = new DevChain({ evm });
    const zero = genesisEthereumBlock(crypto, {
      timestamp: 1_700_000_000n,
      maxGas: 30_000_000n,
      baseFeePerGas: 10n ** 9n,
    });
    expect(hashOfShown(JSON.parse(headerJson(zero)))).toBe(`0x${toHex(zero.hash)}`);
    expect(hashOfGenesis(dev.genesisWrites)).toEqual(zero.hash);
    const hash = next(dev);
    expect(hash).toBeDefined();
    expect(hashesOf(dev)).toEqual({ ethereum: hash, consensus: CONSENSUS });
    expect(restoredHash(dev)).toEqual(CONSENSUS);
  });

  it('have block 0 as parent of the first block after an export, also in the history contract', () => {
    const dev = new DevChain({ evm });
    for (let height = 1; height <= 3; height += 1) next(dev);
    const document = exported(dev.state, { version: chronicle, chain, at: dev.at(), founding: dev.founding });
    const { begun, state, chain: again } = founded(document, chronicle);
    const context = readingContext(state, { version: chronicle, chain: again, crypto, at: dev.at() });
    const zero = hashOfGenesis(begun.writes);
    expect(zero).toBeDefined();
    const hashes = [0n, 1n, 2n, 3n].map((height) => getStorage(context, HISTORY_ADDRESS, historySlot(context, height)));
    expect(hashes).toEqual([undefined, undefined, undefined, zero]);
  });

  it('keep the consensus hash when the genesis does not say so', () => {
    const dev = new DevChain({ evm }, 4, true, { dev: { enabled: true } });
    expect(hashOfGenesis(dev.genesisWrites)).toBeUndefined();
    expect(next(dev)).toBeUndefined();
    expect(hashesOf(dev)).toBeUndefined();
    expect(restoredHash(dev)).toEqual(CONSENSUS);
  });
});
