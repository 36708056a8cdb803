/** Calls of precompiles on a dev chain, and the reasons of their reverts. */
import { decodeErrorResult, hexToBytes, parseAbi, toHex, type Hex } from 'viem';
import type { DevChain } from '../app/dev-chain.js';
import { addressOf } from '../app/ethereum-chain.js';
import { fromHex } from '../app/support.js';

const ABI = parseAbi(['error Error(string reason)']);

/** The reason of a call that reverts, or its output. Account 1 calls. */
export function outcomeOf(dev: DevChain, contract: string, data: Hex): string {
  const at = { ...dev.at(), hash: new Uint8Array(32), proposer: new Uint8Array(20) };
  const request = { from: addressOf(1), to: fromHex(contract.padStart(40, '0')), data: hexToBytes(data) };
  const result = dev.app.ethereum?.call(dev.state, at, request, [], {});
  if (result?.kind === 'success') return toHex(result.output);
  if (result?.kind !== 'revert') throw new Error(JSON.stringify(result, (_, value) => String(value)));
  return decodeErrorResult({ abi: ABI, data: toHex(result.output) }).args[0];
}
