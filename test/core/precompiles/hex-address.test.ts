/** Addresses that precompiles return in hexadecimal (cosmos/evm v0.6 `utils` HexAddressFromBech32String). */
import { encodeFunctionData, parseAbi, toHex } from 'viem';
import { describe, expect, it } from 'vitest';
import { requireHexAddress } from '../../../src/core/precompiles/hex-address.js';
import { encodeAddress } from '../../../src/core/sdk/codec/address.js';
import type { Context } from '../../../src/core/sdk/module/context.js';
import { account, DevChain } from '../app/dev-chain.js';
import { addressOf, evm } from '../app/ethereum-chain.js';
import { fromHex } from '../app/support.js';
import { outcomeOf } from './refused-call.js';

const ABI = parseAbi([
  'function getProposal(uint64 proposalId) view',
  'function withdrawValidatorCommission(string validator)',
]);
const DISTRIBUTION = '0801';
const GOV = '0805';

const proposal = (id: string, proposer: string): unknown => ({
  id,
  status: 'PROPOSAL_STATUS_REJECTED',
  final_tally_result: { yes_count: '0', abstain_count: '0', no_count: '0', no_with_veto_count: '0' },
  submit_time: '2020-01-01T00:00:00Z',
  deposit_end_time: '2020-01-02T00:00:00Z',
  proposer,
});

const dev = new DevChain({ evm }, 4, true, {
  gov: {
    starting_proposal_id: '4',
    proposals: [
      proposal('1', account(0).address),
      proposal('2', ''),
      proposal('3', encodeAddress('cosmos', new Uint8Array(20))),
    ],
  },
});

const FAILED = 'failed to convert bech32 string to address';

describe('an address in a module’s text', () => {
  const context = { chain: { bech32Prefix: 'chron' } } as Context;

  it.each(['chron', 'chronvaloper', 'chronvalcons'])('may have the prefix %s', (prefix) => {
    expect(requireHexAddress(context, encodeAddress(prefix, addressOf(1)))).toEqual(addressOf(1));
  });

  it('is cut to its last 20 bytes, or padded with zeros', () => {
    const long = Uint8Array.from({ length: 32 }, (_, at) => at);
    expect(requireHexAddress(context, encodeAddress('chron', long))).toEqual(long.slice(12));
    const short = Uint8Array.of(1, 2);
    expect(requireHexAddress(context, encodeAddress('chron', short))).toEqual(fromHex('0102'.padStart(40, '0')));
  });
});

describe('a precompile', () => {
  const getProposal = (id: bigint): string =>
    outcomeOf(dev, GOV, encodeFunctionData({ abi: ABI, functionName: 'getProposal', args: [id] }));
  const withdraw = (validator: string): string =>
    outcomeOf(
      dev,
      DISTRIBUTION,
      encodeFunctionData({ abi: ABI, functionName: 'withdrawValidatorCommission', args: [validator] }),
    );

  it('returns the proposer of a proposal, and refuses a proposer that is no address', () => {
    expect(getProposal(1n)).toContain(toHex(addressOf(0)).slice(2));
    expect(getProposal(2n)).toBe(`${FAILED}: empty address string is not allowed`);
    expect(getProposal(3n)).toBe(`${FAILED}: invalid Bech32 prefix; expected chronvalcons, got cosmos`);
  });

  it('refuses a malformed validator address with the reason', () => {
    expect(withdraw('nobody')).toBe(`${FAILED}: decoding bech32 failed: invalid bech32 string length 6`);
    expect(withdraw(encodeAddress('cosmosvaloper', addressOf(1)))).toBe(
      `${FAILED}: invalid Bech32 prefix; expected chronvalcons, got cosmosvaloper`,
    );
    expect(withdraw(encodeAddress('chronvaloper', addressOf(0)))).toMatch(/^msg.sender address 0x\w+ does not match/);
  });
});
