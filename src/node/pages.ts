/** The web pages of the node: files of the build, facts of the chain, and the faucet. */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { readFileSync } from 'node:fs';
import {
  APP_VIEWS,
  withFaucet,
  withPage,
  withProcessHeader,
  type PageName,
  type ReadAddress,
  type SendAnswer,
} from '../adapters/pages/index.js';
import type { StreamingHttpHandler } from '../adapters/transport/index.js';
import type { Face } from '../config/daemon-options.js';
import type { EthereumApi } from '../core/ethereum/api.js';
import { highest, MIN_COSMOS_GAS_PRICE, suggestedPrice } from '../core/ethereum/suggested-price.js';
import { deriveDevAccounts, type DevAccount } from '../core/keys/accounts.js';
import { addressTypo } from '../core/keys/address-typo.js';
import { checksumAddress } from '../core/keys/address.js';
import { DEV_MNEMONIC, NAMED_DEV_ACCOUNTS } from '../core/keys/dev-mnemonic.js';
import type { Timers } from '../core/ports/time.js';
import {
  QueryDenomMetadataRequestSchema,
  QueryDenomMetadataResponseSchema,
} from '../core/proto/cosmos/bank/v1beta1/query_pb.js';
import { encodeAddress, parseAddress } from '../core/sdk/codec/address.js';
import { hex } from '../core/bytes/hex.js';
import type { RunningNode } from './node.js';
import type { ProxiedFaces } from './proxied-faces.js';
import { createHostKeyCrypto } from '../runtime/host/key-crypto.js';
import { PACKAGE_ROOT } from '../runtime/host/package-root.js';
import { VERSION } from '../runtime/host/version.js';

/** Amount of one faucet payment: 100 coins with 18 decimals. */
const FAUCET_AMOUNT = 100n * 10n ** 18n;
const ETHER_DECIMALS = 18;
const ADDRESS_BYTES = 20;

/** Ports of the open faces; they are filled in while the faces open. */
export type BoundPorts = Partial<Readonly<Record<Face, number>>>;

/** Adds a page that shows only the addresses of the other faces. */
export function withPlainPage(page: PageName, ports: BoundPorts, next: StreamingHttpHandler): StreamingHttpHandler {
  return withPage({ page, read: readPageFile, facts: () => Promise.resolve({ ports }) }, next);
}

/** The application at the root of the Ethereum face, and the faucet where the node holds accounts. */
export function withStartPage(
  node: RunningNode,
  ethereum: EthereumApi,
  { ports, proxied, timers }: { readonly ports: BoundPorts; readonly proxied: ProxiedFaces; readonly timers: Timers },
  rpc: StreamingHttpHandler,
): StreamingHttpHandler {
  const faucet = withFaucet(
    {
      accounts: () => payersOf(ethereum),
      balanceOf: (address) => balanceOf(ethereum, address),
      amount: FAUCET_AMOUNT,
      read: (address) => readAddress(node, address),
      send: (tx) => sendBy(rpc, tx),
      timers,
    },
    rpc,
  );
  let known: KnownAccounts | undefined;
  const facts = () => factsOf(node, ethereum, ports, () => (known ??= knownAccounts(node)));
  const proxiedFace = (name: string): StreamingHttpHandler | undefined =>
    (name === 'comet' || name === 'rest' || name === 'metrics') && ports[name] !== undefined
      ? proxied[name]
      : undefined;
  const application = withPage({ page: 'app', read: readPageFile, facts, views: APP_VIEWS, proxiedFace }, faucet);
  return withProcessHeader(`${process.pid} ${performance.timeOrigin}`, application);
}

/** First path segments of the web application, to which other sites may link. */
export const LINKED_PAGES: ReadonlySet<string> = new Set(['', ...APP_VIEWS]);

function readPageFile(file: string): string {
  return readFileSync(new URL(`dist/pages/${file}`, PACKAGE_ROOT), 'utf8');
}

/** The object of `/_page/node.json`, which is read by `src/adapters/pages/browser/data/node-facts.ts`. */
async function factsOf(node: RunningNode, ethereum: EthereumApi, ports: BoundPorts, known: () => KnownAccounts) {
  const { chain } = node.chain;
  const accounts = ethereum.accounts();
  const denom = await denomOf(node, chain.baseDenom);
  return {
    version: VERSION,
    chain_id: chain.chainId,
    evm_chain_id: chain.evmChainId.toString(),
    bech32_prefix: chain.bech32Prefix,
    denom,
    is_dev: ethereum.dev !== undefined,
    gas_price: cosmosPrice(node, ethereum, denom.decimals),
    ports,
    accounts: accounts.map((address) => {
      const text = checksumAddress(node.crypto, address);
      const { name, privateKey } = known().get(text) ?? {};
      return {
        hex: text,
        bech32: encodeAddress(chain.bech32Prefix, address),
        ...(privateKey !== undefined && { name, private_key: `0x${hex(privateKey)}` }),
      };
    }),
    ...(payersOf(ethereum).length > 0 && { faucet_amount: FAUCET_AMOUNT.toString() }),
  };
}

/** Accounts that pay for the faucet: dev accounts only, never keys that a client added. */
function payersOf({ dev }: EthereumApi): readonly Uint8Array[] {
  return dev?.startAccounts() ?? [];
}

function balanceOf(ethereum: EthereumApi, address: Uint8Array): bigint {
  const read = ethereum.account(address, ethereum.blockNumber());
  return read.ok ? read.value.balance : 0n;
}

type KnownAccounts = ReadonlyMap<string, DevAccount>;

/**
 * Accounts of the well-known mnemonic by address. Only their private keys are shown, because they are public anyway.
 */
function knownAccounts({ crypto, chain: { chain } }: RunningNode): KnownAccounts {
  const options = { mnemonic: DEV_MNEMONIC, count: NAMED_DEV_ACCOUNTS, bech32Prefix: chain.bech32Prefix };
  return new Map(deriveDevAccounts(createHostKeyCrypto(crypto), options).map((one) => [one.hex, one]));
}

/** Gas price for Cosmos wallets, in the base denom; `decimals`: decimals of the coin. */
function cosmosPrice({ chain: { chain } }: RunningNode, ethereum: EthereumApi, decimals: number): string {
  const unit = 10n ** BigInt(ETHER_DECIMALS - decimals);
  const wei = highest(chain.minGasPrice * unit, MIN_COSMOS_GAS_PRICE, suggestedPrice(ethereum));
  const fraction = (wei % unit).toString().padStart(ETHER_DECIMALS - decimals, '0');
  return unit === 1n ? wei.toString() : `${wei / unit}.${fraction}`;
}

/** Parses the faucet's recipient: an address of 20 bytes in hex or bech32. */
function readAddress({ crypto, chain: { chain } }: RunningNode, text: string): ReadAddress {
  const prefix = chain.bech32Prefix;
  const slip = addressTypo(crypto, text, prefix);
  const address = slip === undefined ? parseAddress(prefix, text) : undefined;
  if (address?.length === ADDRESS_BYTES) return { ok: true, address };
  const found = address && `expected ${ADDRESS_BYTES} bytes, found ${address.length}`;
  return { ok: false, reason: slip ?? found ?? `expected 0x and 40 hexadecimal digits, or ${prefix}1...` };
}

/** Display names of the base denom from its bank metadata; the base denom if there is none. */
async function denomOf(node: RunningNode, base: string) {
  const plain = { base, display: base, symbol: base, decimals: ETHER_DECIMALS };
  const { app, chain } = node.api.queries;
  const answer = await app.query(
    '/cosmos.bank.v1beta1.Query/DenomMetadata',
    toBinary(QueryDenomMetadataRequestSchema, create(QueryDenomMetadataRequestSchema, { denom: base })),
    chain.head().height,
  );
  if (!answer.ok || !answer.value.ok) return plain;
  const { metadata } = fromBinary(QueryDenomMetadataResponseSchema, answer.value.value);
  if (metadata === undefined) return plain;
  const { display, symbol, denomUnits } = metadata;
  const decimals = denomUnits.find(({ denom }) => denom === display)?.exponent ?? ETHER_DECIMALS;
  return { base, display, symbol: symbol === '' ? display : symbol, decimals };
}

/** Calls `eth_sendTransaction` through the JSON-RPC handler, as any client does. */
async function sendBy(rpc: StreamingHttpHandler, transaction: Readonly<Record<string, string>>): Promise<SendAnswer> {
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_sendTransaction', params: [transaction] };
  const answer = await rpc({
    method: 'POST',
    path: '/',
    query: '',
    headers: new Map([['content-type', 'application/json']]),
    body: Buffer.from(JSON.stringify(call)),
  });
  if ('stream' in answer) throw new Error('invariant: a hash is not streamed');
  const { body } = answer;
  const text = typeof body === 'string' ? body : Buffer.from(body).toString();
  const { result, error }: { readonly result?: string; readonly error?: { readonly message: string } } =
    JSON.parse(text);
  return result === undefined ? { ok: false, message: error?.message ?? 'no answer' } : { ok: true, hash: result };
}
