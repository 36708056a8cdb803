/** Calls with authorizations (EIP-7702), by the rules of go-ethereum v1.17 (`core/state_transition.go`). */
import { hexToBytes } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import type { EthereumCall } from '../../../../src/core/ethereum/call.js';
import { bytesOfDigits, hex } from '../../../../src/core/bytes/hex.js';
import type { SignedAuthorization } from '../../../../src/core/ethereum/transaction.js';
import { runSimulation } from '../../../../src/runtime/pool/run-simulation.js';
import { addressOf, bytesOf, ethereumChain } from '../../app/ethereum-chain.js';

const authority = privateKeyToAccount(`0x${'07'.repeat(32)}`);
const AUTHORITY = hexToBytes(authority.address);
const DELEGATE = bytesOf('cc'.repeat(20));
/** Returns the address of the account whose code runs. */
const OWN_ADDRESS = bytesOf('305f5260205ff3');
const word = (address: Uint8Array): string => hex(address).padStart(64, '0');

async function authorization(nonce: number, chainId = 0): Promise<SignedAuthorization> {
  const { r, s, yParity = 0 } = await authority.signAuthorization({ chainId, address: `0x${'cc'.repeat(20)}`, nonce });
  return { chainId: BigInt(chainId), address: DELEGATE, nonce: BigInt(nonce), yParity, r: BigInt(r), s: BigInt(s) };
}

function chain() {
  const dev = ethereumChain();
  const { ethereum } = dev.app;
  if (ethereum === undefined) throw new Error('no EVM');
  const at = { ...dev.at(), hash: new Uint8Array(32), proposer: new Uint8Array(20) };
  const edits = [{ address: DELEGATE, code: OWN_ADDRESS }];
  const options = '{"tracer":"callTracer"}';
  return {
    call: (call: EthereumCall) => ethereum.call(dev.state, at, call, edits, {}),
    estimate: (call: EthereumCall) => ethereum.estimateGas(dev.state, at, call, edits),
    list: (call: EthereumCall) => ethereum.createAccessList(dev.state, at, call, edits),
    gasOfTrace: (call: EthereumCall): bigint => {
      const traced = ethereum.traceCall(dev.state, at, call, edits, {}, options);
      if (!traced.ok) throw new Error(traced.message);
      return BigInt((JSON.parse(traced.json) as { readonly gasUsed: string }).gasUsed);
    },
    gasOfSimulation: (call: EthereumCall): bigint | undefined => {
      const simulation = {
        blocks: [{ block: {}, accounts: edits, calls: [call] }],
        traceTransfers: false,
        validation: false,
        fullTransactions: false,
        failureCodes: { revert: 3, halt: -32_015 },
      };
      const work = ethereum.simulate(dev.state, at, simulation);
      const result = runSimulation(work, { simulation, maxBytes: 1_000_000 }, () => false);
      if (result.kind !== 'blocks') throw new Error('not simulated');
      return (JSON.parse(result.json) as [{ calls: [{ gasUsed: string }] }])[0].calls.map(({ gasUsed }) =>
        BigInt(gasUsed),
      )[0];
    },
  };
}

describe('a call with authorizations', () => {
  it('runs delegated code, and skips invalid authorizations as a block does', async () => {
    const { call } = chain();
    const output = async (...list: readonly SignedAuthorization[]): Promise<string> => {
      const result = call({ from: addressOf(0), to: AUTHORITY, authorizations: list });
      return result.kind === 'success' ? hex(result.output) : result.kind;
    };
    expect(await output(await authorization(0))).toBe(word(AUTHORITY));
    expect(await output(await authorization(1))).toBe('');
    expect(await output(await authorization(0, 5))).toBe('');
    expect(await output({ ...(await authorization(0)), s: 0n })).toBe('');
  });

  it('needs the nonce after its own when the sender authorizes itself', async () => {
    const { call } = chain();
    const output = async (nonce: number): Promise<unknown> => {
      const own = { from: AUTHORITY, to: AUTHORITY, authorizations: [await authorization(nonce)] };
      const result = call(own);
      return result.kind === 'success' ? hex(result.output) : result;
    };
    expect(await output(1)).toBe(word(AUTHORITY));
    expect(await output(0)).toBe('');
  });

  it('costs the gas of a block in calls and traces, and is accepted in lists and estimates', async () => {
    const { call, estimate, list, gasOfTrace, gasOfSimulation } = chain();
    const asked = { from: addressOf(0), to: AUTHORITY, gas: 200_000n, authorizations: [await authorization(0)] };
    const gas = gasOfSimulation(asked);
    expect(gas).toBeGreaterThan(21_000n + 25_000n);
    expect(gasOfTrace(asked)).toBe(gas);
    expect(call(asked)).toMatchObject({ kind: 'success', gasUsed: gas });
    expect(list(asked)).toMatchObject({ kind: 'list' });
    const estimated = estimate(asked);
    expect(estimated.kind === 'gas' && call({ ...asked, gas: estimated.gas })).toMatchObject({ kind: 'success' });
    expect(call({ ...asked, gas: 45_999n })).toEqual({
      kind: 'refused',
      message: expect.stringMatching(/intrinsic gas too low: have 45999, want 46000/),
    });
  });

  it('is refused with an empty list, and when it creates a contract', async () => {
    const { call } = chain();
    expect(call({ to: AUTHORITY, authorizations: [] })).toMatchObject({
      kind: 'refused',
      message: expect.stringMatching(/EIP-7702 transaction with empty auth list \(sender 0x0{40}\)/),
    });
    expect(call({ data: bytesOfDigits('00'), authorizations: [await authorization(0)] })).toMatchObject({
      kind: 'refused',
      message: expect.stringMatching(/EIP-7702 transaction cannot be used to create contract \(sender 0x0{40}\)/),
    });
  });
});
