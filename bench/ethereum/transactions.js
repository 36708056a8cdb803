/**
 * Signed transactions of the dev accounts, the same bytes for every peer, and functions that wait until they are mined.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import secp256k1 from 'secp256k1';
import {
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  hexToBytes,
  keccak256,
  serializeTransaction,
  toHex,
} from 'viem';
import { devAccounts } from '../accounts.js';
import { ACCOUNTS, PREFIX } from '../node-options.js';
import { EVM_CHAIN_ID } from './peers.js';

const { Token, Worker } = JSON.parse(
  readFileSync(new URL('../../test/contracts/contracts.json', import.meta.url), 'utf8'),
);
const GWEI = 1_000_000_000n;

export const accounts = devAccounts(ACCOUNTS, PREFIX).map(({ hex, privateKey }) => ({
  address: hex,
  privateKey,
  nonce: 0,
}));

/** Resets the nonces for new peers. */
export function fromGenesis() {
  for (const account of accounts) account.nonce = 0;
}

/**
 * Signs with the next nonce of dev account `index`. Send each signed transaction to every peer.
 * @param {number} index @param {{ to?: string, value?: bigint, data?: string, gas?: bigint }} fields
 */
export function sign(index, { to, value = 0n, data, gas = 21_000n }) {
  const account = accounts[index];
  const transaction = {
    type: 'eip1559',
    chainId: EVM_CHAIN_ID,
    nonce: account.nonce,
    to,
    value,
    data,
    gas,
    maxFeePerGas: 100n * GWEI,
    maxPriorityFeePerGas: GWEI,
  };
  const { signature, recid } = secp256k1.ecdsaSign(
    hexToBytes(keccak256(serializeTransaction(transaction))),
    account.privateKey,
  );
  const raw = serializeTransaction(transaction, {
    r: toHex(signature.subarray(0, 32)),
    s: toHex(signature.subarray(32)),
    yParity: recid,
  });
  account.nonce += 1;
  return { raw, hash: keccak256(raw) };
}

export const transfer = (index) => sign(index, { to: accounts[(index + 1) % ACCOUNTS].address, value: 1n });

/** Deploys a contract with account `index`. Resolves with its address. */
export function deployment(index, data, gas) {
  const { address, nonce } = accounts[index];
  return { ...sign(index, { data, gas }), address: getContractAddress({ from: address, nonce: BigInt(nonce) }) };
}

export const token = {
  deploy: (index) =>
    deployment(
      index,
      encodeDeployData({ abi: Token.abi, bytecode: Token.bytecode, args: ['Token', 'TKN', 10n ** 27n] }),
      3_000_000n,
    ),
  sending: (to, amount) => encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [to, amount] }),
  transfer: (index, address) =>
    sign(index, { to: address, gas: 80_000n, data: token.sending(accounts[(index + 1) % ACCOUNTS].address, 1n) }),
  give: (index, address, to) => sign(index, { to: address, gas: 80_000n, data: token.sending(to, 10n ** 20n) }),
  balanceOf: (owner) => encodeFunctionData({ abi: Token.abi, functionName: 'balanceOf', args: [owner] }),
};

export const worker = {
  deploy: (index) => deployment(index, Worker.bytecode, 3_000_000n),
  call: (functionName, args) => encodeFunctionData({ abi: Worker.abi, functionName, args }),
};

export const request = (method, params, id = 1) => JSON.stringify({ jsonrpc: '2.0', id, method, params });
export const sendRequest = ({ raw }, id = 1) => request('eth_sendRawTransaction', [raw], id);

/** Sends signed transactions as one JSON-RPC batch. */
export async function sendBatch(connection, signed) {
  const answers = await connection.send(`[${signed.map((one, index) => sendRequest(one, index + 1)).join(',')}]`);
  const refused = answers.find(({ error }) => error !== undefined);
  if (refused !== undefined) throw new Error(`refused: ${JSON.stringify(refused.error)}`);
}

/** Milliseconds after which a missing transaction counts as lost. */
const LOST = 30_000;

/** Polls for the receipt of a transaction, every `pause` milliseconds. */
export async function receiptOf(connection, hash, pause = 0) {
  const body = request('eth_getTransactionReceipt', [hash]);
  for (const begun = performance.now(); performance.now() - begun < LOST;) {
    const { result, error } = await connection.send(body);
    if (error !== undefined) throw new Error(`no receipt: ${JSON.stringify(error)}`);
    if (result !== null) return result;
    if (pause > 0) await delay(pause);
  }
  throw new Error(`no receipt of ${hash}`);
}

/** Sends transactions in order and waits until all are mined; throws if one failed. */
export async function perform(connection, signed) {
  for (const one of signed) {
    const { error } = await connection.send(sendRequest(one));
    if (error !== undefined) throw new Error(`refused: ${JSON.stringify(error)}`);
  }
  for (const { hash } of signed) {
    const receipt = await receiptOf(connection, hash);
    if (receipt.status !== '0x1') throw new Error(`failed: ${JSON.stringify(receipt)}`);
  }
}
