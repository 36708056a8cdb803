/** Contracts that self-destruct in their creating transaction, and the results of evmd v0.6.0. */
import { getContractAddress, type Hex } from 'viem';
import { callsOf } from './blob-base-fee.js';
import { SENDER } from './signer.js';

const made = (from: Hex, nonce: number): Hex => getContractAddress({ from, nonce: BigInt(nonce) });
/** Init code that self-destructs. */
const ENDING: Hex = '0x6000ff';
/** Creates a contract with the init code `ENDING`. */
const MAKING: Hex = '0x626000ff5f526003601d5ff000';
/** Creates a contract whose code self-destructs, and calls it. */
const MAKING_AND_CALLING: Hex = '0x696133ff5f526002601ef35f52600a60165ff05f5f5f5f5f855af100';

/** Init code that asks an address, which makes an account of it. */
const asking = (to: Hex): Hex => `0x5f5f5f5f73${to.slice(2)}5afa00`;

/** Transactions, and whether evmd refuses them at the commit; the first nonce is 1. */
export async function txsOfSelfDestructions(): Promise<
  readonly { readonly tx: Uint8Array; readonly fails: boolean }[]
> {
  const pay = (to: Hex) => ({ to, value: 1n, gas: 21_000n });
  const calls = [
    { call: { data: ENDING }, fails: false },
    { call: { data: MAKING }, fails: false },
    { call: { data: MAKING_AND_CALLING }, fails: false },
    { call: pay(made(SENDER, 5)), fails: false },
    { call: { data: ENDING }, fails: true },
    { call: pay(made(made(SENDER, 7), 1)), fails: false },
    { call: { data: MAKING }, fails: true },
    { call: pay(made(made(SENDER, 9), 1)), fails: false },
    { call: { data: MAKING_AND_CALLING }, fails: true },
    { call: { data: asking(made(SENDER, 11)) }, fails: false },
    { call: { data: ENDING }, fails: true },
    { call: pay(SENDER), fails: false },
  ];
  const txs = await callsOf(calls.map(({ call }) => call));
  return calls.flatMap(({ fails }, index) => {
    const tx = txs[index];
    return tx === undefined ? [] : [{ tx, fails }];
  });
}
