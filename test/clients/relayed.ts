/** Chains between which third-party relayers relay, and the balances of the relayer's account. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { fromHex } from '../../src/core/bytes/hex.js';
import { denomOfPath, localDenom } from '../../src/core/modules/transfer/denom.js';
import { encodeAddress } from '../../src/core/sdk/codec/address.js';
import { CHAIN_ID } from '../e2e/load.js';
import { makeNetwork } from '../network/cometbft.js';
import { genesisOf, Validator } from '../network/validators.js';
import { EVMD } from '../peer/evmd.js';
import { GO_DENOM, startGoValidator } from '../peer/network/go-node.js';
import { chronicled } from '../support/command.js';
import { startDaemonProcess } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';

export const MINUTES = 60_000;
/** Longest wait for an action of a relayer. */
export const WAITED_MS = 90_000;
const MNEMONIC = 'test test test test test test test test test test test junk';
/** The first account of the mnemonic. */
const RELAYER = fromHex('f39fd6e51aad88f6f4ce6ab8827279cfffb92266');
const OURS = { prefix: 'chron', denom: 'achr', mnemonic: MNEMONIC };
const COINS = 10n ** 19n;

/** A chain as a relayer accesses it. */
export interface RelayedChain {
  readonly chainId: string;
  /** URLs. */
  readonly comet: string;
  readonly grpc: string;
  readonly rest: string;
  readonly prefix: string;
  readonly denom: string;
  /** Mnemonic of the relayer's key, which pays its fees. */
  readonly mnemonic: string;
}

/** A chain with commands. */
export interface CommandedChain extends RelayedChain {
  /** Signs a transaction by a command of an account, and waits until a block includes it. */
  send(from: string, ...words: readonly string[]): Promise<void>;
  /** Accounts whose votes pass a proposal, and the voting period in seconds. */
  readonly voters: readonly string[];
}

const sha256 = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest();
const urlOf = (address: string): string => `http://${address.replace('http://', '')}`;

/** Denomination of another chain's coin that arrived over a channel. */
export const voucherOf = (channelId: string, denom: string): string =>
  localDenom(sha256, denomOfPath(`transfer/${channelId}/${denom}`));

/** Runs a command of this program until it exits. */
export async function run(...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await chronicled(words);
  expect(code, stderr).toBe(0);
  return stdout;
}

/** Home of a new chain, with changes to its genesis. */
export async function homeOf(chainId: string, change: (genesis: Genesis) => void = () => undefined): Promise<string> {
  const home = temporaryFolder();
  await run('init', '--home', home, '--chain-id', chainId);
  changeGenesis(home, change);
  return home;
}

/** Parts of a genesis that tests change. */
export interface Genesis {
  genesis_time: string;
  readonly app_state: {
    readonly dev: { enabled: boolean };
    readonly gov: { readonly params: Record<string, unknown> };
    readonly staking: { readonly params: Record<string, unknown> };
  };
}

function changeGenesis(home: string, change: (genesis: Genesis) => void): void {
  const file = join(home, 'config', 'genesis.json');
  const genesis: Genesis = JSON.parse(readFileSync(file, 'utf8'));
  change(genesis);
  writeFileSync(file, JSON.stringify(genesis));
}

/** Shortens the voting period to seconds. */
export function shortVotes({ app_state: { gov } }: { readonly app_state: Pick<Genesis['app_state'], 'gov'> }): void {
  Object.assign(gov.params, { voting_period: '20s', expedited_voting_period: '10s' });
}

/** A chain of `chronicled start`, with blocks each second. */
export async function ours(chainId: string): Promise<CommandedChain> {
  const home = await homeOf(chainId, shortVotes);
  const { endpoints } = await startDaemonProcess({ home, command: 'start', args: ['--block-time', '1'] });
  return commanded(home, chainId, endpoints, ['dev0']);
}

/** A chain of ours as a relayer accesses it, with the commands of a home. */
export function commanded(
  home: string,
  chainId: string,
  { comet, grpc = '', rest = '' }: { readonly comet: string; readonly grpc?: string; readonly rest?: string },
  voters: readonly string[],
): CommandedChain {
  return {
    ...OURS,
    chainId,
    comet,
    grpc: urlOf(grpc),
    rest,
    voters,
    async send(from, ...words) {
      const wait = words.includes('-b') ? [] : ['-b', 'block'];
      const flags = ['-y', ...wait, '--node', comet, '--keyring-backend', 'test', '--home', home];
      await run('tx', ...words, '--from', from, ...flags);
    },
  };
}

/** A chain of evmd with its own engine; `commitMs` is its pause between blocks. */
export async function theirs(chainId: string, commitMs = 1_000): Promise<CommandedChain> {
  const node = await startGoValidator(EVMD ?? '', chainId, MNEMONIC, { change: shortVotes, commitMs });
  const { rpc, grpc, rest } = node;
  return {
    chainId,
    comet: rpc,
    grpc,
    rest,
    prefix: 'cosmos',
    denom: GO_DENOM,
    mnemonic: MNEMONIC,
    send: (from, ...words) => node.send(from, ...words),
    voters: ['one'],
  };
}

/** Four validators over CometBFT; the periods of this chain are those of a dev chain, unless its genesis is changed. */
export async function network(change: (genesis: Genesis) => void = () => undefined): Promise<CommandedChain> {
  const machines = await makeNetwork(4, (homes) => {
    genesisOf(homes);
    for (const home of homes) changeGenesis(home, change);
  });
  const [first] = await Promise.all(machines.map((machine) => Validator.start(machine)));
  if (first === undefined) throw new Error('a validator');
  await first.reached(2);
  const { grpc = '', rest = '' } = first.endpoints;
  const { home, rpc } = first.machine;
  return commanded(home, CHAIN_ID, { comet: rpc, grpc, rest }, ['dev0', 'dev1', 'dev2']);
}

/** Sets the unbonding time to three weeks, the SDK's default; clients trust headers for less. */
export function longUnbonding({ app_state: { staking } }: Genesis): void {
  staking.params['unbonding_time'] = '1814400s';
}

/** The status of a client. */
export async function statusOf({ rest }: RelayedChain, clientId: string): Promise<string> {
  return JSON.parse(await (await fetch(`${rest}/ibc/core/client/v1/client_status/${clientId}`)).text()).status;
}

/** Lets governance recover a client from another one. */
export async function recover(chain: CommandedChain, clientId: string, substitute: string): Promise<void> {
  const texts = ['--title', 'a client', '--summary', 'a client', '--deposit', `${COINS}${chain.denom}`];
  const [first = ''] = chain.voters;
  await chain.send(first, 'ibc', 'client', 'recover-client', clientId, substitute, ...texts);
  for (const voter of chain.voters) await chain.send(voter, 'gov', 'vote', '1', 'yes');
  await expect.poll(() => statusOf(chain, clientId), { timeout: WAITED_MS, interval: 500 }).toBe('Active');
}

/** Address of the first account of a chain's mnemonic. */
export const relayerOn = ({ prefix }: RelayedChain): string => encodeAddress(prefix, RELAYER);

/** Balance of that account in one coin. */
export async function balance(chain: RelayedChain, denom: string): Promise<bigint> {
  const { rest } = chain;
  const path = `/cosmos/bank/v1beta1/balances/${relayerOn(chain)}/by_denom?denom=${encodeURIComponent(denom)}`;
  const answer: { balance?: { amount: string } } = JSON.parse(await (await fetch(`${rest}${path}`)).text());
  return BigInt(answer.balance?.amount ?? 0);
}

/** Amount of a coin in escrow of all channels of a chain. */
export async function escrowed({ rest }: RelayedChain, denom: string): Promise<bigint> {
  const answer: { amount?: { amount: string } } = JSON.parse(
    await (await fetch(`${rest}/ibc/apps/transfer/v1/total_escrow/${denom}`)).text(),
  );
  return BigInt(answer.amount?.amount ?? 0);
}

/** Waits until a number has the expected value. Returns the last number. */
export async function settled(read: () => Promise<bigint>, expected: bigint): Promise<bigint> {
  const end = Date.now() + WAITED_MS;
  for (;;) {
    const value = await read();
    if (value === expected || Date.now() > end) return value;
    await sleep(500);
  }
}
