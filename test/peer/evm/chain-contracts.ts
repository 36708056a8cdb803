/** Precompiles that are called in frames of contracts. */
import { bech32 } from '@scure/base';
import { encodeFunctionData, getContractAddress, type Hex, parseAbi } from 'viem';
import { callsOf } from './blob-base-fee.js';
import { deploying, SENDER } from './signer.js';

const NATIVE_TOKEN = 'eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
const DYNAMIC_TOKEN = '80b5a32e4f032b2a058b4f29ec95eefeeb87adcd';
const STAKING = '0000000000000000000000000000000000000800';
/** Puts `transfer(RECEIVER, 1)` into memory from 0. */
const TRANSFER = '63a9059cbb60e01b5f5260bb6004526001602452';
const RECEIVER = '60bb';
const WAYS = {
  call: { before: '5f5f60445f5f', opcode: 'f1' },
  staticcall: { before: '5f5f60445f', opcode: 'fa' },
  delegatecall: { before: '5f5f60445f', opcode: 'f4' },
} as const;

/** Moves a token of its own, and returns whether it could. */
const moving = ({ before, opcode }: (typeof WAYS)[keyof typeof WAYS]): string =>
  `${TRANSFER}${before}73${NATIVE_TOKEN}61ea60${opcode}5f5260205ff3`;
/** Asks a contract by STATICCALL, and keeps its answer in slot 0. */
const asking = (to: Hex): string => `60205f5f5f73${to.slice(2)}5afa505f515f5500`;
/** Keeps what a look at the receiver's balance takes: in slot 0 after a transfer, in slot 1 the next one. */
const looking = (token: string): string =>
  `${TRANSFER}5f5f60445f5f73${token}5af1505a${RECEIVER}31505a90035f555a${RECEIVER}31505a900360015500`;
/** Passes its input to staking by STATICCALL with this gas, and logs the answer. */
const passing = (gas: number): string =>
  `365f5f375f5f365f73${STAKING}61${gas.toString(16).padStart(4, '0')}fa3d5f5f3e3d5fa100`;
const OPERATOR = bech32.encode('cosmosvaloper', bech32.toWords(new Uint8Array(20).fill(0xbb)));
/** Asks for the redelegations of nobody from a validator to it. */
const REDELEGATIONS = encodeFunctionData({
  abi: parseAbi([
    'function redelegations(address, string, string, (bytes key, uint64 offset, uint64 limit, bool countTotal, bool reverse))',
  ]),
  args: [
    `0x${'bb'.repeat(20)}`,
    OPERATOR,
    OPERATOR,
    { key: '0x', offset: 0n, limit: 5n, countTotal: false, reverse: false },
  ],
});

/**
 * Gas that evmd v0.6.0 took: inside of a STATICCALL a transfer and a slot that is set for CALL, else a quarter of the
 * limit; for a receiver that a transfer does not make warm; and for a log of what a query says that has too little
 * gas.
 */
export const GAS_OF_CHAIN_CONTRACTS: readonly string[] = [
  'call inside of a STATICCALL: 57394',
  'staticcall inside of a STATICCALL: 50000',
  'delegatecall inside of a STATICCALL: 50000',
  'a receiver of a native token: 79594',
  'a receiver of a dynamic token: 79594',
  'redelegations of 2600 gas: 31544',
  'redelegations of 4000 gas: 33357',
];

/** Deployments, and calls with their names. */
export async function txsOfChainContracts(): Promise<readonly { readonly name: string; readonly tx: Uint8Array }[]> {
  const calls: { readonly name: string; readonly call: Parameters<typeof callsOf>[0][number] }[] = [];
  const deployed = (code: string, value = 0n): Hex => {
    const at = getContractAddress({ from: SENDER, nonce: BigInt(calls.length + 1) });
    calls.push({ name: 'deployment', call: { data: deploying(code), value } });
    return at;
  };
  for (const [name, way] of Object.entries(WAYS)) {
    const to = deployed(asking(deployed(moving(way), 5n)));
    calls.push({ name: `${name} inside of a STATICCALL`, call: { to, gas: 200_000n } });
  }
  for (const [name, token] of Object.entries({ native: NATIVE_TOKEN, dynamic: DYNAMIC_TOKEN })) {
    const to = deployed(looking(token), 5n);
    calls.push({ name: `a receiver of a ${name} token`, call: { to, gas: 200_000n } });
  }
  for (const gas of [2_600, 4_000])
    calls.push({
      name: `redelegations of ${gas} gas`,
      call: { to: deployed(passing(gas)), data: REDELEGATIONS, gas: 80_000n },
    });
  const txs = await callsOf(calls.map(({ call }) => call));
  return calls.flatMap(({ name }, index) => {
    const tx = txs[index];
    return tx === undefined ? [] : [{ name, tx }];
  });
}
