/**
 * A light client gets no header for ten days and thousands of blocks, in which validators join, leave and change
 * power. It accepts the next header, and Hermes relays with it.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callEthereum } from '../e2e/ethereum-client.js';
import { EVMD } from '../peer/evmd.js';
import { startDaemonProcess } from '../support/daemon.js';
import { Hermes, hasHermes } from './hermes.js';
import {
  balance,
  type CommandedChain,
  commanded,
  escrowed,
  homeOf,
  MINUTES,
  ours,
  type RelayedChain,
  settled,
  theirs,
  voucherOf,
} from './relayed.js';

const CLIENT = '07-tendermint-0';
const DAY_SECONDS = 86_400;
/** Clients trust headers for two weeks: two thirds of the unbonding time. */
const PAUSE_SECONDS = 10 * DAY_SECONDS;
const STEPS = 10;
const BLOCKS_OF_STEP = 500;
const SECONDS_OF_BLOCK = 170;

/** A chain whose time is ten days behind the clock and that mines on request. */
async function late(chainId: string) {
  const begin = Math.floor(Date.now() / 1_000) - PAUSE_SECONDS;
  const home = await homeOf(chainId, (genesis) => {
    genesis.genesis_time = new Date(begin * 1_000).toISOString();
    genesis.app_state.dev.enabled = true;
  });
  const { endpoints } = await startDaemonProcess({ home, args: ['--mining', 'manual'] });
  const ask = (method: string, ...params: readonly unknown[]): Promise<unknown> =>
    callEthereum(endpoints.eth_http ?? '', method, params);
  await ask('evm_mine');
  await ask('evm_setNextBlockTimestamp', begin + SECONDS_OF_BLOCK);
  await ask('evm_mine');
  return { chain: commanded(home, chainId, endpoints, ['dev0']), ask, home };
}

/** Latest height that a light client knows. */
async function knownHeight({ rest }: RelayedChain): Promise<number> {
  const answer: { client_state: { latest_height: { revision_height: string } } } = JSON.parse(
    await (await fetch(`${rest}/ibc/core/client/v1/client_states/${CLIENT}`)).text(),
  );
  return Number(answer.client_state.latest_height.revision_height);
}

/** Validators hash of the last block. */
async function validatorsHash({ comet }: RelayedChain): Promise<string> {
  const answer: { result: { signed_header: { header: { validators_hash: string } } } } = JSON.parse(
    await (await fetch(`${comet}/commit`)).text(),
  );
  return answer.result.signed_header.header.validators_hash;
}

async function relaysAfterwards(b: CommandedChain, pauseOfOther: () => Promise<void>): Promise<void> {
  const { chain: a, ask, home } = await late('alpha_271828-1');
  const hermes = new Hermes([a, b]);
  await hermes.addKeys();
  await hermes.run('create', 'client', '--host-chain', b.chainId, '--reference-chain', a.chainId);
  const before = await knownHeight(b);

  const validator = join(home, 'validator.json');
  writeFileSync(validator, JSON.stringify(VALIDATOR));
  const hashes = new Set<string>();
  for (let step = 0; step < STEPS; step += 1) {
    if (step === 2) await a.send('dev2', 'staking', 'create-validator', validator, '-b', 'sync');
    await a.send('dev1', 'staking', 'delegate', 'dev0', `${step + 1}chr`, '-b', 'sync');
    await ask('hardhat_mine', BLOCKS_OF_STEP, SECONDS_OF_BLOCK);
    hashes.add(await validatorsHash(a));
  }
  expect(hashes.size).toBe(STEPS);
  await ask('evm_setNextBlockTimestamp', Math.floor(Date.now() / 1_000));
  await ask('evm_setIntervalMining', 1_000);

  await hermes.run('update', 'client', '--host-chain', b.chainId, '--client', CLIENT);
  expect(await knownHeight(b)).toBeGreaterThanOrEqual(before + STEPS * BLOCKS_OF_STEP);

  await hermes.run('create', 'client', '--host-chain', a.chainId, '--reference-chain', b.chainId);
  const clients = ['--a-client', CLIENT, '--b-client', CLIENT];
  await hermes.run('create', 'connection', '--a-chain', a.chainId, ...clients);
  const ports = ['--a-port', 'transfer', '--b-port', 'transfer'];
  await hermes.run('create', 'channel', '--a-chain', a.chainId, '--a-connection', 'connection-0', ...ports);
  const known = await knownHeight(a);
  await pauseOfOther();
  const onB = voucherOf('channel-0', a.denom);
  await hermes.start();
  await hermes.transfer(a, 'channel-0', '1000', a.denom);
  expect(await settled(() => balance(b, onB), 1_000n)).toBe(1_000n);
  await hermes.transfer(b, 'channel-0', '400', onB);
  expect(await settled(() => escrowed(a, a.denom), 600n)).toBe(600n);
  expect(await knownHeight(a)).toBeGreaterThan(known);
}

/** A validator that signs nothing, is jailed, and leaves the set. */
const VALIDATOR = {
  pubkey: { '@type': '/cosmos.crypto.ed25519.PubKey', key: Buffer.alloc(32, 7).toString('base64') },
  amount: `${10n ** 18n}achr`,
  moniker: 'absent',
  'commission-rate': '0.1',
  'commission-max-rate': '0.2',
  'commission-max-change-rate': '0.01',
  'min-self-delegation': '1',
};

it.skipIf(!hasHermes())(
  'Hermes relays between two chains of this program after a long pause of one of them',
  async () => relaysAfterwards(await ours('beta_271829-4'), () => Promise.resolve()),
  10 * MINUTES,
);

it.skipIf(!hasHermes() || EVMD === undefined)(
  'Hermes relays between this program and evmd after long pauses of both',
  async () => {
    const other = await theirs('gamma-1', 50);
    await relaysAfterwards(other, async () => {
      const height = async (): Promise<number> => {
        const status: { result: { sync_info: { latest_block_height: string } } } = JSON.parse(
          await (await fetch(`${other.comet}/status`)).text(),
        );
        return Number(status.result.sync_info.latest_block_height);
      };
      const begin = await height();
      await other.send('one', 'staking', 'delegate', await operatorOf(other), `${10n ** 21n}${other.denom}`);
      await expect.poll(height, { timeout: 3 * MINUTES, interval: 500 }).toBeGreaterThan(begin + 300);
    });
  },
  10 * MINUTES,
);

/** The address of the only validator of a chain. */
async function operatorOf({ rest }: RelayedChain): Promise<string> {
  const answer: { validators: readonly { operator_address: string }[] } = JSON.parse(
    await (await fetch(`${rest}/cosmos/staking/v1beta1/validators`)).text(),
  );
  return answer.validators[0]?.operator_address ?? '';
}
