/** A dev chain and cosmjs wallets over its public faces, for scenarios of the Cosmos modules. */
import { create, type DescMessage, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { stringToPath } from '@cosmjs/crypto';
import {
  DirectEthSecp256k1HdWallet,
  type EncodeObject,
  type GeneratedType,
  type OfflineDirectSigner,
  Registry,
} from '@cosmjs/proto-signing';
import {
  assertIsDeliverTxSuccess,
  defaultRegistryTypes,
  type DeliverTxResponse,
  SigningStargateClient,
  type StdFee,
} from '@cosmjs/stargate';
import { expect } from 'vitest';
import { MsgVerifyInvariantSchema } from '../../src/core/proto/cosmos/crisis/v1beta1/tx_pb.js';
import { MsgUnjailSchema } from '../../src/core/proto/cosmos/slashing/v1beta1/tx_pb.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { afterwards } from '../support/temporary.js';

export const MNEMONIC = 'test test test test test test test test test test test junk';
export const DENOM = 'achr';
export const CHR = 10n ** 18n;
export const FEE: StdFee = { amount: [{ denom: DENOM, amount: '2000000000000000' }], gas: '1000000' };
export const coins = (amount: bigint) => [{ denom: DENOM, amount: amount.toString() }];

export interface DevChain {
  readonly daemon: DaemonProcess;
  readonly client: SigningStargateClient;
  /** Addresses of the funded accounts; the first operates the validator. */
  readonly accounts: readonly string[];
  /** Sends messages and expects that they are executed. */
  send(from: string, ...messages: readonly EncodeObject[]): Promise<DeliverTxResponse>;
  /** Sends messages and expects that they fail, with this text in the log. */
  refuse(log: string | RegExp, from: string, ...messages: readonly EncodeObject[]): Promise<void>;
  balance(address: string): Promise<bigint>;
  /** Moves the clock of the chain and makes a block. */
  pass(seconds: number): Promise<void>;
  /** Makes blocks. */
  mine(count: number): Promise<void>;
  /** Asks a method of the Ethereum face. */
  call(method: string, ...params: readonly unknown[]): Promise<unknown>;
  /** The JSON of a REST route. */
  rest(path: string): Promise<Json>;
}

export type Json = { readonly [name: string]: unknown };

/** Starts `chronicled dev`; a process and a client that end after the file or test. */
export async function startDevChain(accountCount: number): Promise<DevChain> {
  // a clock that only blocks and commands move: no voting period ends because the machine is busy
  const daemon = await startDaemonProcess({ args: ['--deterministic'] });
  const wallet = await DirectEthSecp256k1HdWallet.fromMnemonic(MNEMONIC, {
    prefix: 'chron',
    hdPaths: Array.from({ length: accountCount }, (_, index) => stringToPath(`m/44'/60'/0'/0/${index}`)),
  });
  const client = await connect(daemon, wallet);
  const rpc = async (method: string, ...params: readonly unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(daemon.endpoints.eth_http ?? '', { method: 'POST', headers, body });
    const answer: unknown = await response.json();
    expect(answer).not.toHaveProperty('error');
    return (answer as { readonly result: unknown }).result;
  };
  const deliver = (from: string, messages: readonly EncodeObject[]) => client.signAndBroadcast(from, messages, FEE);
  return {
    daemon,
    client,
    accounts: (await wallet.getAccounts()).map(({ address }) => address),
    async send(from, ...messages) {
      const sent = await deliver(from, messages);
      assertIsDeliverTxSuccess(sent);
      return sent;
    },
    async refuse(log, from, ...messages) {
      const sent = await deliver(from, messages);
      expect(sent.code).not.toBe(0);
      expect(sent.rawLog).toMatch(log);
    },
    balance: async (address) => BigInt((await client.getBalance(address, DENOM)).amount),
    async pass(seconds) {
      await rpc('evm_increaseTime', seconds);
      await rpc('evm_mine');
    },
    async mine(count) {
      await rpc('hardhat_mine', `0x${count.toString(16)}`);
    },
    call: rpc,
    async rest(path) {
      const response = await fetch(`${daemon.endpoints.rest ?? ''}${path}`);
      expect(response.status, path).toBe(200);
      return (await response.json()) as Json;
    },
  };
}

/** A client of the chain for a wallet of its own. */
export async function connect(
  { endpoints }: DaemonProcess,
  wallet: OfflineDirectSigner,
): Promise<SigningStargateClient> {
  const registry = new Registry([
    ...defaultRegistryTypes,
    ...[MsgUnjailSchema, MsgVerifyInvariantSchema].map((schema: DescMessage): [string, GeneratedType] => [
      `/${schema.typeName}`,
      generatedType(schema),
    ]),
  ]);
  const client = await SigningStargateClient.connectWithSigner(endpoints.comet, wallet, {
    registry,
    broadcastPollIntervalMs: 20,
  });
  afterwards(() => client.disconnect());
  return client;
}

/** A message type that cosmjs has no codec for; its declarations name another copy of the writer's type. */
function generatedType(schema: DescMessage): GeneratedType {
  const type: unknown = {
    encode: (message: MessageInitShape<DescMessage>) =>
      new BinaryWriter().raw(toBinary(schema, create(schema, message))),
    decode: (input: Uint8Array) => fromBinary(schema, input),
    fromPartial: (object: MessageInitShape<DescMessage>) => create(schema, object),
  };
  return type as GeneratedType;
}

/** A fresh account with its wallet. */
export async function newWallet(): Promise<{ readonly wallet: OfflineDirectSigner; readonly address: string }> {
  const wallet = await DirectEthSecp256k1HdWallet.generate(12, {
    prefix: 'chron',
    hdPaths: [stringToPath("m/44'/60'/0'/0/0")],
  });
  const [account] = await wallet.getAccounts();
  if (account === undefined) throw new Error('a wallet has an account');
  return { wallet, address: account.address };
}

/** An address that nobody has. */
export const newAddress = async (): Promise<string> => (await newWallet()).address;

/** A message in an `Any`, of a type that the chain knows. */
export function packed<Schema extends DescMessage>(schema: Schema, value: MessageInitShape<Schema>) {
  return { typeUrl: `/${schema.typeName}`, value: toBinary(schema, create(schema, value)) };
}
