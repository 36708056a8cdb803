/** The steps of `docs/NETWORK.md` on two machines, up to the start of the processes. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/daemon.js';
import { ACCOUNTS } from '../e2e/load.js';
import { chronicled } from './cometbft.js';

const json = (...path: readonly string[]): unknown => JSON.parse(readFileSync(join(...path), 'utf8'));

test('gentxs of two machines become one CometBFT genesis, with the keys of each home', () => {
  const [first, second] = [temporaryFolder(), temporaryFolder()];
  const genesis = (home: string): string => join(home, 'config', 'genesis.json');
  chronicled('init', 'node0', '--home', first);
  chronicled('init', 'node1', '--home', second);
  chronicled('genesis', 'add-genesis-account', ACCOUNTS[9]?.bech32 ?? '', '5chr', '--append', '--home', first);
  copyFileSync(genesis(first), genesis(second));
  chronicled('genesis', 'gentx', 'dev0', '100chr', '--ip', '10.0.0.10', '--p2p-port', '26656', '--home', first);
  chronicled('genesis', 'gentx', 'dev1', '100chr', '--ip', '10.0.0.11', '--p2p-port', '26656', '--home', second);
  const signed = join(second, 'config', 'gentx');
  mkdirSync(join(first, 'config', 'gentx'), { recursive: true });
  for (const name of readdirSync(signed)) copyFileSync(join(signed, name), join(first, 'config', 'gentx', name));
  chronicled('genesis', 'collect-gentxs', '--home', first);
  copyFileSync(genesis(first), genesis(second));

  const id = chronicled('comet', 'show-node-id', '--home', first).trim();
  expect(id).toMatch(/^[0-9a-f]{40}$/);
  const peers = `${id}@10.0.0.10:26656`;
  const made = chronicled('comet', 'init', '--persistent-peers', peers, '--home', second);
  const comet = join(second, 'comet');
  expect(JSON.parse(made)).toMatchObject({ comet_home: comet });
  expect(json(comet, 'config', 'genesis.json')).toMatchObject({
    chain_id: 'chronicle_271828-1',
    initial_height: '1',
    app_hash: '',
    app_state: { genutil: { gen_txs: [{}, {}] } },
  });
  expect(json(comet, 'config', 'genesis.json')).not.toHaveProperty('consensus');
  for (const key of ['node_key.json', 'priv_validator_key.json'])
    expect(json(comet, 'config', key)).toEqual(json(second, 'config', key));
  expect(readFileSync(join(comet, 'config', 'config.toml'), 'utf8')).toContain(`persistent_peers = "${peers}"`);

  // A reset never rolls back the record of what the validator has signed.
  const state = join(comet, 'data', 'priv_validator_state.json');
  expect(json(state)).toEqual({ height: '0', round: 0, step: 0 });
  writeFileSync(state, '{"height":"7","round":0,"step":3}');
  chronicled('comet', 'init', '--home', second);
  expect(json(state)).toEqual({ height: '7', round: 0, step: 3 });
});
