/** Contracts of the chain that are called in frames of contracts. */
import { getContractAddress, type Hex } from 'viem';
import { callsOf } from './blob-base-fee.js';
import { deploying, SENDER } from './signer.js';

const NATIVE_TOKEN = 'eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
const DYNAMIC_TOKEN = '80b5a32e4f032b2a058b4f29ec95eefeeb87adcd';
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

/**
 * What evmd v0.6.0 took: inside of a STATICCALL a transfer and a slot that is set for CALL, else a quarter of the
 * limit; and for a receiver that a transfer does not make warm.
 */
export const GAS_OF_CHAIN_CONTRACTS: readonly string[] = [
  'call inside of a STATICCALL: 57394',
  'staticcall inside of a STATICCALL: 50000',
  'delegatecall inside of a STATICCALL: 50000',
  'a receiver of a native token: 79594',
  'a receiver of a dynamic token: 79594',
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
  const txs = await callsOf(calls.map(({ call }) => call));
  return calls.flatMap(({ name }, index) => {
    const tx = txs[index];
    return tx === undefined ? [] : [{ name, tx }];
  });
}
