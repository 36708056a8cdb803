/** Calls of the chain's precompiles, compared with calls of a contract that writes its storage. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodeFunctionData, hexToBytes, parseAbi } from 'viem';
import { createApplication } from '../build/core/app/create-application.js';
import { presets } from '../build/core/app/presets.js';
import { devGenesis } from '../build/core/genesis/dev-genesis.js';
import { parseGenesis } from '../build/core/genesis/genesis-document.js';
import { toHeight, toTimeNs } from '../build/core/primitives.js';
import { encodeAddress } from '../build/core/sdk/codec/address.js';
import { CacheStore, EMPTY_STATE } from '../build/core/state/overlay.js';
import { createEngineFactory } from '../build/runtime/evm/create-engine-factory.js';
import { loadEngineModule } from '../build/runtime/evm/load-engine.js';
import { createHostCrypto } from '../build/runtime/host/crypto.js';
import { devAccounts } from './accounts.js';
import { CHAIN_ID, DENOM, PREFIX } from './node-options.js';
import { inTurns, middle, ratios } from './turns.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TURNS = { warm: 8, rounds: 11 };
/** Calls in a turn. */
const CALLS = 1_000;
const ABI = parseAbi([
  'function increment()',
  'function transfer(address to, uint256 value) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
  'function delegate(address delegator, string validator, uint256 amount) returns (bool)',
  'function delegation(address delegator, string validator) view returns (uint256 shares, (string denom, uint256 amount) balance)',
]);
const STAKING = '0x0000000000000000000000000000000000000800';
const COIN = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
const WORKER = '0x00000000000000000000000000000000000b0b01';

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  const crypto = await createHostCrypto();
  const [account] = devAccounts(1, PREFIX);
  const own = hexToBytes(account.hex);
  const parsed = parseGenesis(
    JSON.parse(
      JSON.stringify(
        devGenesis(crypto, {
          chainId: CHAIN_ID,
          time: toTimeNs(1_700_000_000_000_000_000n),
          accounts: [encodeAddress(PREFIX, own)],
          validators: [{ publicKey: new Uint8Array(32).fill(7), power: 1000n, name: 'dev' }],
        }),
      ),
    ),
  );
  if (!parsed.ok) throw new Error(parsed.message);
  const chain = { chainId: CHAIN_ID, evmChainId: 271_828n, bech32Prefix: PREFIX, baseDenom: DENOM, minGasPrice: 0n };
  const evm = createEngineFactory(loadEngineModule(), crypto);
  const { ethereum, ...app } = createApplication({ version: presets.chronicle, chain, crypto, evm });
  const state = new CacheStore(EMPTY_STATE);
  for (const { store, key, value } of app.initChain(parsed.genesis).writes) if (value) state.set(store, key, value);
  const at = {
    chainId: CHAIN_ID,
    height: toHeight(1n),
    time: toTimeNs(1_700_000_001_000_000_000n),
    hash: new Uint8Array(32),
    proposer: new Uint8Array(20),
  };
  const { Worker } = JSON.parse(readFileSync(join(ROOT, 'test/contracts/contracts.json'), 'utf8'));
  const made = ethereum.call(state, at, { data: hexToBytes(Worker.bytecode) }, [], {});
  const overrides = [{ address: hexToBytes(WORKER), code: made.output }];
  const validator = encodeAddress(`${PREFIX}valoper`, own);
  const calls = {
    'storage contract': [WORKER, 'increment', []],
    'token of the coin: transfer': [COIN, 'transfer', [WORKER, 5n]],
    'token of the coin: balanceOf': [COIN, 'balanceOf', [account.hex]],
    'staking: delegate': [STAKING, 'delegate', [account.hex, validator, 5n]],
    'staking: delegation': [STAKING, 'delegation', [account.hex, validator]],
  };
  const kinds = Object.entries(calls).map(([name, [to, functionName, args]]) => {
    const data = hexToBytes(encodeFunctionData({ abi: ABI, functionName, args }));
    const request = { from: own, to: hexToBytes(to), data };
    const calls = () => {
      for (let count = 0; count < CALLS; count += 1) {
        const { kind } = ethereum.call(state, at, request, overrides, {});
        if (kind !== 'success') throw new Error(`${name}: ${kind}`);
      }
    };
    return { name, units: CALLS, turn: () => ({ run: (clock) => clock(calls) }) };
  });
  const measured = inTurns(kinds, TURNS);
  const plain = measured['storage contract'];
  return Object.entries(measured).flatMap(([name, samples]) => [
    { name: `eth_call, ${name}`, ...middle(samples), unit: 'us CPU' },
    ...(samples === plain
      ? []
      : [{ name: `${name}, times a storage contract`, ...middle(ratios(samples, plain)), unit: 'times', goal: '3' }]),
  ]);
}
