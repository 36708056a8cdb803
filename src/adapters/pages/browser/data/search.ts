/** Search: determines what a text may refer to, and which of these exist. */
import { isValidDenom } from '../../../../core/sdk/coins/coins.js';
import { addressOf, bech32Bytes } from './crypto.js';
import { type Block, askAll, hexOf, valueOf } from './ethereum.js';
import { restOrNull } from './faces.js';
import type { Route } from './router.js';

/** Something that a text may refer to, by its form. */
export type Candidate =
  | { readonly kind: 'height'; readonly height: bigint }
  | { readonly kind: 'hash'; readonly hash: string }
  | { readonly kind: 'account'; readonly address: string }
  | { readonly kind: 'validator'; readonly address: string }
  | { readonly kind: 'proposal'; readonly id: string }
  | { readonly kind: 'word'; readonly word: string };

/** Maximum length of a search text. */
const LONGEST = 200;

/** Candidates for a text, most likely first; none for an empty text. */
export function candidatesOf(input: string, prefix: string): readonly Candidate[] {
  const text = input.trim().slice(0, LONGEST);
  if (text === '') return [];
  const digits = /^#?([0-9][0-9,_]{0,24})$/.exec(text)?.[1]?.replaceAll(/[,_]/g, '');
  if (digits !== undefined)
    return [
      { kind: 'height', height: BigInt(digits) },
      { kind: 'proposal', id: BigInt(digits).toString() },
    ];
  const block = /^(?:block|height)\s*#?([0-9]{1,19})$/i.exec(text)?.[1];
  if (block !== undefined) return [{ kind: 'height', height: BigInt(block) }];
  const proposal = /^(?:prop|proposal)\s*#?([0-9]{1,19})$/i.exec(text)?.[1];
  if (proposal !== undefined) return [{ kind: 'proposal', id: BigInt(proposal).toString() }];
  const hash = /^(?:0x)?([0-9a-f]{64})$/i.exec(text)?.[1];
  if (hash !== undefined) return [{ kind: 'hash', hash: `0x${hash.toLowerCase()}` }];
  const account = addressOf(text, prefix);
  if (account !== undefined) return [{ kind: 'account', address: account.hex ?? account.bech32 }];
  const bare = /^[0-9a-f]{40}$/i.test(text) ? addressOf(`0x${text}`, prefix) : undefined;
  if (bare?.hex !== undefined) return [{ kind: 'account', address: bare.hex }];
  if (bech32Bytes(text, `${prefix}valoper`) !== undefined) return [{ kind: 'validator', address: text.toLowerCase() }];
  return [{ kind: 'word', word: text }];
}

/** A search result, and why it matches. */
export interface Found {
  readonly label: string;
  readonly route: Route;
}

/** Names that a word may match: of dev accounts, and of contracts with a known ABI. */
export interface Names {
  readonly prefix: string;
  readonly accounts: readonly { readonly hex: string; readonly name?: string }[];
  readonly contracts: readonly { readonly address: string; readonly name: string }[];
}

/** Everything that a text refers to, most likely first. */
export async function find(text: string, names: Names): Promise<readonly Found[]> {
  const found = await Promise.all(candidatesOf(text, names.prefix).map((one) => resolve(one, names)));
  return found.flat();
}

async function resolve(candidate: Candidate, names: Names): Promise<readonly Found[]> {
  switch (candidate.kind) {
    case 'height': {
      const [block] = await askAll([{ method: 'eth_getHeaderByNumber', params: [hexOf(candidate.height)] }]);
      if (valueOf(block) === null) return [];
      const id = candidate.height.toString();
      return [{ label: `Block ${id}`, route: { view: 'block', id } }];
    }
    case 'hash':
      return await byHash(candidate.hash);
    case 'account':
      return [
        {
          label: `Account ${candidate.address}`,
          route: { view: 'account', address: candidate.address, part: 'state' },
        },
      ];
    case 'validator':
      return [{ label: `Validator ${candidate.address}`, route: { view: 'validator', address: candidate.address } }];
    case 'proposal': {
      const { id } = candidate;
      const known = id === '0' ? null : await restOrNull(`/cosmos/gov/v1/proposals/${id}`);
      return known === null ? [] : [{ label: `Proposal ${id}`, route: { view: 'proposal', id } }];
    }
    case 'word':
      return await byWord(candidate.word, names);
  }
}

async function byHash(hash: string): Promise<readonly Found[]> {
  const [[tx, block, waiting], cosmos] = await Promise.all([
    askAll([
      { method: 'eth_getTransactionByHash', params: [hash] },
      { method: 'eth_getHeaderByHash', params: [hash] },
      { method: 'eth_getBlockHashes', params: [hash] },
    ]),
    restOrNull(`/cosmos/tx/v1beta1/txs/${hash}`),
  ]);
  if (cosmos !== null || valueOf(tx) !== null) return [{ label: `Transaction ${hash}`, route: { view: 'tx', hash } }];
  const header = valueOf<Block>(block) ?? valueOf<Block>(waiting);
  if (header === null) return [];
  const id = BigInt(header.number).toString();
  return [{ label: `Block ${id}`, route: { view: 'block', id } }];
}

async function byWord(word: string, names: Names): Promise<readonly Found[]> {
  const lower = word.toLowerCase();
  const accounts = names.accounts
    .filter(({ name }) => name === lower)
    .map(({ hex, name = '' }): Found => ({
      label: `Account ${name}`,
      route: { view: 'account', address: hex, part: 'state' },
    }));
  const contracts = names.contracts
    .filter(({ name }) => name.toLowerCase().includes(lower))
    .map(({ address, name }): Found => ({
      label: `Contract ${name}`,
      route: { view: 'account', address, part: 'contract' },
    }));
  const [supply, validators] = await Promise.all([
    isValidDenom(word)
      ? restOrNull<{ readonly amount?: { readonly amount: string } }>(
          `/cosmos/bank/v1beta1/supply/by_denom?denom=${encodeURIComponent(word)}`,
        )
      : null,
    restOrNull<{
      readonly validators: readonly {
        readonly operator_address: string;
        readonly description: { readonly moniker: string };
      }[];
    }>('/cosmos/staking/v1beta1/validators?pagination.limit=200'),
  ]);
  const denoms: readonly Found[] =
    supply?.amount !== undefined && supply.amount.amount !== '0'
      ? [{ label: `Denomination ${word}`, route: { view: 'denom', denom: word } }]
      : [];
  const operators = (validators?.validators ?? [])
    .filter(({ description }) => description.moniker.toLowerCase().includes(lower))
    .map(({ operator_address: address, description }): Found => ({
      label: `Validator ${description.moniker}`,
      route: { view: 'validator', address },
    }));
  return [...accounts, ...contracts, ...denoms, ...operators];
}
