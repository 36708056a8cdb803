/**
 * A chain set up by the commands of the local script of evmd v0.6.0 with their flags, in the environment in which
 * this program stands in for the Go node.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chronicled } from '../support/command.js';
import { chronicledHere } from '../support/command-here.js';
import { startDaemonProcess, temporaryFolder } from '../support/daemon.js';

const WORDS = 'test test test test test test test test test test test junk';
/** Address that evmd v0.6.0 derives from this mnemonic: `evmd init --recover`. */
const VALIDATOR = '247BF2CB892B8AA23E37D8E208EF17995E0C22F0';
/** A published test vector of BIP-39. */
const ACCOUNT = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const OTHER_ACCOUNT = 'letter advice cage absurd amount doctor acoustic avoid letter advice cage above';
const DENOM = 'atest';

test('edits of the files that init writes take effect', async () => {
  const home = temporaryFolder();
  const env = { CHRONICLED_PRESET: 'evmd', CHRONICLED_BECH32_PREFIX: 'cosmos' };
  const shown = async (): Promise<Readonly<Record<string, unknown>>> => {
    const { code, stdout } = await chronicledHere(['config', 'show', '-o', 'json', '--home', home], { env });
    expect(code).toBe(0);
    return JSON.parse(stdout);
  };
  const edit = (name: string, edits: readonly (readonly [RegExp | string, string])[]): void => {
    const path = join(home, 'config', name);
    let text = readFileSync(path, 'utf8');
    for (const [from, to] of edits) {
      const edited: string = text.replaceAll(from, to);
      expect(edited, `${name}: ${String(from)}`).not.toBe(text);
      text = edited;
    }
    writeFileSync(path, text);
  };
  await chronicledHere(['init', 'm', '--chain-id', '9001', '--default-denom', DENOM, '--home', home], { env });
  expect(await shown()).toMatchObject({
    'block-time': '5',
    'evm-chain-id': '262144',
    'minimum-gas-price': `0${DENOM}`,
    'metrics.address': '127.0.0.1:26660',
  });

  edit('config.toml', [
    ['timeout_commit = "5s"', 'timeout_commit = "1s"'],
    ['timeout_propose = "3s"', 'timeout_propose = "2s"'],
    ['timeout_prevote_delta = "500ms"', 'timeout_prevote_delta = "200ms"'],
    ['laddr = "tcp://127.0.0.1:26657"', 'laddr = "tcp://0.0.0.0:1"'],
    ['cors_allowed_origins = []', 'cors_allowed_origins = ["*"]'],
    ['prometheus = false', 'prometheus = true'],
    [':26660', ':2'],
    ['log_level = "info"', 'log_level = "error"'],
  ]);
  edit('app.toml', [
    [/^minimum-gas-prices = ".*"$/gm, `minimum-gas-prices = "7${DENOM}"`],
    ['address = "tcp://localhost:1317"', 'address = "tcp://0.0.0.0:3"'],
    ['address = "localhost:9090"', 'address = "localhost:4"'],
    ['127.0.0.1:8545', '0.0.0.0:5'],
    ['127.0.0.1:8546', '0.0.0.0:6'],
    ['evm-chain-id = 262144', 'evm-chain-id = 9001'],
    [/^api = ".*"$/gm, 'api = "eth"'],
  ]);
  expect(await shown()).toMatchObject({
    'block-time': '1',
    'rpc.laddr': 'tcp://0.0.0.0:1',
    'cors-allowed-origins': '*',
    'metrics.address': '127.0.0.1:2',
    'log-level': 'error',
    'minimum-gas-price': `7${DENOM}`,
    'api.address': 'tcp://0.0.0.0:3',
    'grpc.address': 'localhost:4',
    'json-rpc.address': '0.0.0.0:5',
    'json-rpc.ws-address': '0.0.0.0:6',
    'evm-chain-id': '9001',
    'evm.rpc.api': 'eth',
  });
});

test('the set-up script of the Go node creates a chain, and start runs it', async () => {
  const home = temporaryFolder();
  const env = { CHRONICLED_PRESET: 'evmd', CHRONICLED_BECH32_PREFIX: 'cosmos' };
  const run = async (line: string, input = '') => {
    const ended = await chronicled([...line.split(' '), '--home', home], { env, input });
    expect(ended.code, `${line}: ${ended.stderr}`).toBe(0);
    return ended;
  };
  const files = (name: string): string => join(home, 'config', name);

  await run('config set client chain-id 9001');
  await run('config set client keyring-backend test');
  await run('keys add mykey --recover --keyring-backend test --algo eth_secp256k1', `${ACCOUNT}\n`);
  await run('init localtestnet -o --chain-id 9001 --recover', `${WORDS}\n`);
  expect(JSON.parse(readFileSync(files('priv_validator_key.json'), 'utf8'))).toMatchObject({ address: VALIDATOR });
  for (const name of ['app.toml', 'config.toml']) expect(existsSync(files(name)), name).toBe(true);

  const genesis = JSON.parse(readFileSync(files('genesis.json'), 'utf8'));
  const { staking, gov, evm, mint, bank, erc20 } = genesis.app_state;
  staking.params.bond_denom = DENOM;
  gov.deposit_params = { min_deposit: [{ denom: DENOM }] };
  gov.params.min_deposit[0].denom = DENOM;
  gov.params.expedited_min_deposit[0].denom = DENOM;
  evm.params.evm_denom = DENOM;
  mint.params.mint_denom = DENOM;
  bank.denom_metadata = [
    {
      description: 'The native staking token for evmd.',
      denom_units: [
        { denom: DENOM, exponent: 0, aliases: ['attotest'] },
        { denom: 'test', exponent: 18, aliases: [] },
      ],
      base: DENOM,
      display: 'test',
      name: 'Test Token',
      symbol: 'TEST',
      uri: '',
      uri_hash: '',
    },
  ];
  const wrapped = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
  erc20.native_precompiles = [wrapped];
  erc20.token_pairs = [{ contract_owner: 1, erc20_address: wrapped, denom: DENOM, enabled: true }];
  genesis.consensus.params.block.max_gas = '10000000';
  writeFileSync(files('genesis.json'), JSON.stringify(genesis));

  await run('keys add dev0 --recover --keyring-backend test --algo eth_secp256k1', `${OTHER_ACCOUNT}\n`);
  await run(`genesis add-genesis-account dev0 5${DENOM} --keyring-backend test`);
  await run(`genesis add-genesis-account mykey 100000000000000000000000000${DENOM} --keyring-backend test`);
  await run(
    `genesis gentx mykey 1000000000000000000000${DENOM} --gas-prices 10000000${DENOM} --keyring-backend test --chain-id 9001`,
  );
  await run('genesis collect-gentxs');
  await run('genesis validate-genesis');

  const flags = ['--pruning', 'nothing', '--log_level', 'error', `--minimum-gas-prices=0${DENOM}`, '--evm.min-tip=0'];
  const namespaces = ['--json-rpc.api', 'eth,txpool,personal,net,debug,web3'];
  const daemon = await startDaemonProcess({
    command: 'start',
    home,
    env,
    args: ['', ...flags, ...namespaces, '--chain-id', '9001', '--block-time', '0.1'],
  });
  const answer = await fetch(daemon.endpoints.eth_http ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
  });
  expect(await answer.json()).toMatchObject({ result: '0x40000' });
  const { stdout } = await run(`query staking validators -o json --node ${daemon.endpoints.comet}`);
  expect(JSON.parse(stdout)).toMatchObject({
    validators: [
      { tokens: '1000000000000000000000', status: 'BOND_STATUS_BONDED', description: { moniker: 'localtestnet' } },
    ],
  });
  expect((await daemon.kill('SIGTERM')).code).toBe(0);
});
