/** The key of a new validator (cosmos/evm v0.6 `precompiles/staking/types.go` NewMsgCreateValidator). */
import { encodeFunctionData, parseAbi } from 'viem';
import { expect, it } from 'vitest';
import { ethereumChain, signer } from '../app/ethereum-chain.js';
import { outcomeOf } from './refused-call.js';

const ABI = parseAbi([
  'struct Description { string moniker; string identity; string website; string securityContact; string details; }',
  'struct Rates { uint256 rate; uint256 maxRate; uint256 maxChangeRate; }',
  'function createValidator(Description, Rates, uint256, address, string, uint256) returns (bool)',
]);
const DESCRIPTION = { moniker: 'one', identity: '', website: '', securityContact: '', details: '' };
const RATES = { rate: 0n, maxRate: 0n, maxChangeRate: 0n };
const dev = ethereumChain();

it.each([
  ['!', 'illegal base64 data at input byte 0'],
  ['YWI', 'illegal base64 data at input byte 0'],
  ['YWJjYQ=', 'illegal base64 data at input byte 7'],
  ['YWI=', 'consensus pubkey len is invalid, got: 2, expected: 32'],
  // the last bits are no part of a byte: Go skips them
  ['YR==', 'consensus pubkey len is invalid, got: 1, expected: 32'],
])('createValidator refuses the key %j with the text of Go', (key, reason) => {
  const args = [DESCRIPTION, RATES, 1n, signer(1).address, key, 1n] as const;
  const data = encodeFunctionData({ abi: ABI, functionName: 'createValidator', args });
  expect(outcomeOf(dev, '0800', data)).toBe(reason);
});
