import { Command } from 'commander';
import { describe, expect, test, vi } from 'vitest';
import { Secp256k1, Secp256k1Signature, keccak256 } from '@cosmjs/crypto';
import { decodeTxRaw, makeSignBytes, makeSignDoc } from '@cosmjs/proto-signing';
import { fromBinary } from '@bufbuild/protobuf';
import { DEV_MNEMONIC } from '../../src/core/keys/dev-mnemonic.js';
import {
  QueryAllBalancesResponseSchema,
  QueryDenomsMetadataResponseSchema,
} from '../../src/core/proto/cosmos/bank/v1beta1/query_pb.js';
import { QueryConfigResponseSchema } from '../../src/core/proto/cosmos/evm/vm/v1/query_pb.js';
import { TxRawSchema } from '../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { MsgSoftwareUpgradeSchema } from '../../src/core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import * as upgrade from '../../src/core/proto/cosmos/upgrade/v1beta1/query_pb.js';
import { encoded, fakeNode, runCli, statusMethod, txServices } from './support.js';
import { devAccounts } from '../support/accounts.js';

const [dev0, dev1] = devAccounts({ mnemonic: DEV_MNEMONIC, count: 2, bech32Prefix: 'chron' });
if (dev0 === undefined || dev1 === undefined) throw new Error('two accounts');
const UPGRADE = '/cosmos.upgrade.v1beta1.Query';

/** A node that admits every transaction, or refuses it with the given answer. */
function txNode(
  answer: object = { code: 0, data: '', log: '', codespace: '', hash: 'AB'.repeat(32) },
  services: Readonly<Record<string, Uint8Array>> = {},
) {
  return fakeNode({ ...statusMethod, broadcast_tx_sync: () => ({ result: answer }) }, { ...txServices(), ...services });
}

function sentTx(
  asked: readonly { readonly method: string; readonly params: Readonly<Record<string, unknown>> }[],
): Uint8Array {
  const sent = asked.find(({ method }) => method.startsWith('broadcast'));
  return Buffer.from(String(sent?.params['tx']), 'base64');
}

describe('tx bank send', () => {
  test('signs the message with the account number, sequence, gas and gas price from the chain', async () => {
    const node = await txNode();
    const run = await runCli([
      'tx',
      'bank',
      'send',
      'dev0',
      'dev1',
      '7achr',
      '-y',
      '--note',
      'hi',
      '--node',
      node.address,
    ]);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    const bytes = sentTx(node.asked);
    const decoded = decodeTxRaw(bytes);
    expect(decoded.body.memo).toBe('hi');
    expect(decoded.body.messages[0]?.typeUrl).toBe('/cosmos.bank.v1beta1.MsgSend');
    expect(Buffer.from(decoded.body.messages[0]?.value ?? []).toString()).toContain(dev1.bech32);
    // 100,001 * 1.5 rounded up, at two gwei
    expect(decoded.authInfo.fee).toMatchObject({
      gasLimit: 150_002n,
      amount: [{ denom: 'achr', amount: '300004000000000' }],
    });
    expect(decoded.authInfo.signerInfos[0]?.sequence).toBe(2n);
    const raw = fromBinary(TxRawSchema, bytes);
    const signBytes = makeSignBytes(makeSignDoc(raw.bodyBytes, raw.authInfoBytes, 'chronicle_271828-1', 4));
    const signature = Secp256k1Signature.fromFixedLength((raw.signatures[0] ?? new Uint8Array()).slice(0, 64));
    expect(Secp256k1.verifySignature(signature, keccak256(signBytes), dev0.publicKey)).toBe(true);
  });

  test('prints the transaction response, as JSON by default and as YAML on request', async () => {
    const node = await txNode();
    const json = await runCli(['tx', 'bank', 'send', 'dev0', 'dev1', '7achr', '-y', '--node', node.address]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      height: '0',
      txhash: 'AB'.repeat(32),
      code: 0,
      raw_log: '',
      gas_wanted: '0',
    });
    const text = await runCli([
      'tx',
      'bank',
      'send',
      'dev0',
      'dev1',
      '7achr',
      '-y',
      '-o',
      'text',
      '--node',
      node.address,
    ]);
    expect(text.stdout).toContain(`txhash: ${'AB'.repeat(32)}\n`);
    expect(text.stdout).toMatch(/^code: 0\ncodespace: ""\ndata: ""\nevents: \[\]\ngas_used: "0"\n/);
  });

  test('ends with 9 and the log on standard error when the transaction is rejected', async () => {
    const node = await txNode({
      code: 5,
      codespace: 'sdk',
      data: '',
      log: 'insufficient funds',
      hash: 'CD'.repeat(32),
    });
    const run = await runCli(['tx', 'bank', 'send', 'dev0', 'dev1', '7achr', '-y', '--node', node.address]);
    expect(run.code).toBe(9);
    expect(run.stderr).toBe('Error: insufficient funds\n');
    expect(JSON.parse(run.stdout)).toMatchObject({ code: 5, codespace: 'sdk' });
  });

  test('waits for the block with --broadcast-mode block, and prints its result', async () => {
    const node = await fakeNode(
      {
        ...statusMethod,
        broadcast_tx_commit: () => ({
          result: {
            check_tx: { code: 0 },
            tx_result: { code: 11, log: 'out of gas', gas_used: '9' },
            hash: 'EF',
            height: '42',
          },
        }),
      },
      txServices(),
    );
    const run = await runCli([
      'tx',
      'bank',
      'send',
      'dev0',
      'dev1',
      '7achr',
      '-y',
      '-b',
      'block',
      '--node',
      node.address,
    ]);
    expect(run).toMatchObject({ code: 9, stderr: 'Error: out of gas\n' });
    expect(JSON.parse(run.stdout)).toMatchObject({ height: '42', gas_used: '9' });
  });

  test('ends with 9 when its simulation is refused, with 1 when the node fails', async () => {
    const refusing = await fakeNode(statusMethod, {
      ...txServices(),
      '/cosmos.tx.v1beta1.Service/Simulate': 'insufficient funds',
    });
    const line = ['tx', 'bank', 'send', 'dev0', 'dev1', '7achr', '-y', '--node'];
    expect(await runCli([...line, refusing.address])).toMatchObject({ code: 9, stderr: 'Error: insufficient funds\n' });
    const failing = await fakeNode(
      {
        ...statusMethod,
        broadcast_tx_sync: () => ({ error: { code: -32603, message: 'Internal error', data: 'mempool is full' } }),
      },
      txServices(),
    );
    expect(await runCli([...line, failing.address])).toMatchObject({
      code: 1,
      stderr: 'Error: RPC error -32603 - Internal error: mempool is full\n',
    });
  });

  test('removes control characters from an error of the node', async () => {
    const driving = await fakeNode({
      status: () => ({ error: { code: -32603, message: 'Internal error', data: 'a\u001b[2J\u009b2J' } }),
    });
    expect(await runCli(['status', '--node', driving.address])).toMatchObject({
      code: 1,
      stderr: 'Error: RPC error -32603 - Internal error: a [2J 2J\n',
    });
  });

  test('uses fees and gas as given, without a simulation', async () => {
    const node = await txNode();
    await runCli([
      'tx',
      'bank',
      'send',
      'dev0',
      dev1.hex,
      '7achr',
      '-y',
      '--gas',
      '90000',
      '--fees',
      '5achr',
      '--node',
      node.address,
    ]);
    expect(node.asked.some(({ params }) => String(params['path']).endsWith('/Simulate'))).toBe(false);
    expect(decodeTxRaw(sentTx(node.asked)).authInfo.fee).toMatchObject({
      gasLimit: 90_000n,
      amount: [{ denom: 'achr', amount: '5' }],
    });
  });

  test.each([
    ['0.5gchr', 45_000_000_000_000n],
    ['0.0000000015chr', 135_000_000_000_000n],
    ['7achr', 630_000n],
  ])('accepts a gas price of %s in a unit of the denom metadata', async (price, fee) => {
    const units = ['achr', 'gchr', 'chr'].map((denom, index) => ({ denom, exponent: index * 9 }));
    const node = await txNode(undefined, {
      '/cosmos.bank.v1beta1.Query/DenomsMetadata': encoded(QueryDenomsMetadataResponseSchema, {
        metadatas: [{ base: 'achr', display: 'chr', denomUnits: units }],
      }),
    });
    const line = ['tx', 'bank', 'send', 'dev0', dev1.hex, '7achr', '-y', '--gas', '90000', '--node', node.address];
    expect(await runCli([...line, '--gas-prices', price])).toMatchObject({ code: 0 });
    expect(decodeTxRaw(sentTx(node.asked)).authInfo.fee).toMatchObject({
      amount: [{ denom: 'achr', amount: String(fee) }],
    });
  });

  const evmCoin = (denom: string, decimals: bigint) => ({
    '/cosmos.evm.vm.v1.Query/Config': encoded(QueryConfigResponseSchema, { config: { denom, decimals } }),
  });

  // 150,002 of gas at two gwei, of which a coin of six decimals is 10^12
  test.each([
    ['with 18 decimals', 'atest', 18n, 'atest', '300004000000000'],
    ['with 6 decimals', 'utest', 6n, 'utest', '301'],
    ['with unknown decimals', 'atest', 0n, 'atest', '300004000000000'],
    ['without a name', '', 0n, 'achr', '300004000000000'],
    ['with more decimals than an ether', 'atest', 10n ** 18n, 'atest', '300004000000000'],
  ])('pays fees by default in the EVM coin of the chain: a coin %s', async (_, stated, decimals, denom, amount) => {
    const node = await txNode(undefined, evmCoin(stated, decimals));
    const line = ['tx', 'bank', 'send', 'dev0', 'dev1', '7atest', '--node', node.address];
    for (const gas of [[], ['--gas', 'auto']]) {
      let asked = '';
      const confirm = (question: string) => {
        asked = question;
        return Promise.resolve(true);
      };
      expect(await runCli([...line, ...gas], { confirm })).toMatchObject({ code: 0 });
      expect(asked).toContain(`gas 150002, fee ${amount}${denom}\n`);
    }
    for (const { params } of node.asked.filter(({ method }) => method.startsWith('broadcast')))
      expect(decodeTxRaw(Buffer.from(String(params['tx']), 'base64')).authInfo.fee?.amount).toEqual([
        { denom, amount },
      ]);
    const unsigned = await runCli([...line, '--generate-only', '--gas', '1000000']);
    expect(JSON.parse(unsigned.stdout)).toMatchObject({ auth_info: { fee: { amount: [{ denom }] } } });
  });

  test('queries the EVM coin of the chain only if the fee denom is not given', async () => {
    const node = await txNode(undefined, evmCoin('atest', 18n));
    const line = ['tx', 'bank', 'send', 'dev0', 'dev1', '7achr', '--gas', '1000', '--generate-only'];
    const feeWith = async (...flags: readonly string[]): Promise<unknown> =>
      JSON.parse((await runCli([...line, ...flags])).stdout).auth_info.fee.amount;
    expect(await feeWith('--node', node.address, '--fees', '5achr')).toEqual([{ denom: 'achr', amount: '5' }]);
    expect(await feeWith('--node', node.address, '--gas-prices', '3achr')).toEqual([{ denom: 'achr', amount: '3000' }]);
    expect(await feeWith('--offline')).toEqual([{ denom: 'achr', amount: '2000000000000' }]);
    expect(node.asked.some(({ params }) => String(params['path']).endsWith('/Config'))).toBe(false);
  });

  test('shows recipient, amount, memo, gas and fee before it asks for confirmation', async () => {
    const node = await txNode();
    let asked = '';
    const confirm = (question: string) => {
      asked = question;
      return Promise.resolve(false);
    };
    await runCli(['tx', 'bank', 'send', 'dev0', 'dev1', '7achr', '--note', 'rent: May', '--node', node.address], {
      confirm,
    });
    expect(asked).toMatch(
      new RegExp(
        `^- '@type': /cosmos.bank.v1beta1.MsgSend\n {2}amount:\n {2}- amount: "7"\n {4}denom: achr\n {2}from_address: ${dev0.bech32}\n {2}to_address: ${dev1.bech32}\nmemo: rent: May\ngas [0-9]+, fee [0-9]+achr\nconfirm transaction`,
      ),
    );
  });

  test('sends nothing unless it is confirmed', async () => {
    const node = await txNode();
    const line = ['tx', 'bank', 'send', 'dev0', 'dev1', '7achr', '--node', node.address];
    expect((await runCli(line)).code).toBe(2);
    expect((await runCli(line, { confirm: () => Promise.resolve(false) })).stderr).toBe(
      'Error: canceled transaction\n',
    );
    expect(node.asked.some(({ method }) => method.startsWith('broadcast'))).toBe(false);
    expect((await runCli(line, { confirm: () => Promise.resolve(true) })).code).toBe(0);
  });

  test('ends with 10 for an unknown key, and with 2 for an invalid amount', async () => {
    const node = await txNode();
    const unknown = await runCli(['tx', 'bank', 'send', 'dev77', 'dev1', '7achr', '-y', '--node', node.address]);
    expect(unknown).toMatchObject({
      code: 10,
      stderr:
        'Error: key not found: dev77\nNames are those of chronicled keys list, and dev0 to dev9: chronicled keys list --dev\n',
    });
    expect((await runCli(['tx', 'bank', 'send', 'dev0', 'dev1', 'seven', '-y', '--node', node.address])).code).toBe(2);
  });
});

describe('upgrade', () => {
  test('schedule signs a plan at a height relative to the last block, with account 0 as the authority', async () => {
    const node = await txNode();
    const run = await runCli([
      'upgrade',
      'schedule',
      'v2',
      '--height',
      '+9',
      '--info',
      'new',
      '-y',
      '--node',
      node.address,
    ]);
    expect(run.code).toBe(0);
    const [message] = decodeTxRaw(sentTx(node.asked)).body.messages;
    expect(message?.typeUrl).toBe('/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade');
    const decoded = fromBinary(MsgSoftwareUpgradeSchema, message?.value ?? new Uint8Array());
    expect(decoded.authority).toBe(dev0.bech32);
    expect(decoded.plan).toMatchObject({ name: 'v2', height: 50n, info: 'new' });
  });

  test('cancel signs as the authority given by --from', async () => {
    const node = await txNode();
    expect((await runCli(['upgrade', 'cancel', '--from', 'dev1', '-y', '--node', node.address])).code).toBe(0);
    expect(decodeTxRaw(sentTx(node.asked)).body.messages[0]?.typeUrl).toBe('/cosmos.upgrade.v1beta1.MsgCancelUpgrade');
  });
});

describe('query upgrade', () => {
  test('plan prints the fields of the plan, and ends with 1 when none is scheduled', async () => {
    const some = await fakeNode(
      {},
      {
        [`${UPGRADE}/CurrentPlan`]: encoded(upgrade.QueryCurrentPlanResponseSchema, {
          plan: { name: 'v4', height: 1000n },
        }),
      },
    );
    const text = await runCli(['query', 'upgrade', 'plan', '--node', some.address]);
    expect(text.stdout).toBe(
      'height: "1000"\ninfo: ""\nname: v4\ntime: "0001-01-01T00:00:00Z"\nupgraded_client_state: null\n',
    );
    const json = await runCli(['query', 'upgrade', 'plan', '-o', 'json', '--node', some.address]);
    expect(json.stdout).toBe(
      '{"name":"v4","time":"0001-01-01T00:00:00Z","height":"1000","info":"","upgraded_client_state":null}\n',
    );
    const none = await fakeNode({}, { [`${UPGRADE}/CurrentPlan`]: new Uint8Array() });
    expect(await runCli(['query', 'upgrade', 'plan', '--node', none.address])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'Error: no upgrade scheduled\n',
    });
  });

  test('applied prints the block record, and ends with 1 for an unknown name', async () => {
    const record = {
      block_id: { hash: 'AA', parts: { total: 1, hash: 'BB' } },
      block_size: '700',
      header: { height: '50' },
      num_txs: '0',
    };
    const node = await fakeNode(
      {
        blockchain: ({ minHeight, maxHeight }) =>
          minHeight === '50' && maxHeight === '50'
            ? { result: { last_height: '60', block_metas: [record] } }
            : { error: {} },
      },
      { [`${UPGRADE}/AppliedPlan`]: encoded(upgrade.QueryAppliedPlanResponseSchema, { height: 50n }) },
    );
    const run = await runCli(['query', 'upgrade', 'applied', 'v2', '--node', node.address]);
    expect(run).toMatchObject({ code: 0, stdout: `${JSON.stringify(record)}\n` });
    const text = await runCli(['query', 'upgrade', 'applied', 'v2', '-o', 'text', '--node', node.address]);
    expect(text.stdout).toBe(
      'block_id:\n  hash: AA\n  parts:\n    hash: BB\n    total: 1\nblock_size: "700"\nheader:\n  height: "50"\nnum_txs: "0"\n',
    );
    const none = await fakeNode({}, { [`${UPGRADE}/AppliedPlan`]: new Uint8Array() });
    expect(await runCli(['query', 'upgrade', 'applied', 'nope', '--node', none.address])).toMatchObject({
      code: 1,
      stderr: 'Error: no upgrade found\n',
    });
  });

  test('module_versions prints the list under both spellings', async () => {
    const node = await fakeNode(
      {},
      {
        [`${UPGRADE}/ModuleVersions`]: encoded(upgrade.QueryModuleVersionsResponseSchema, {
          moduleVersions: [{ name: 'bank', version: 4n }],
        }),
      },
    );
    for (const name of ['module_versions', 'module-versions']) {
      expect((await runCli(['q', 'upgrade', name, 'bank', '--node', node.address])).stdout).toBe(
        'module_versions:\n- name: bank\n  version: "4"\n',
      );
    }
  });
});

describe('query', () => {
  test('bank balances prints coins as the SDK does', async () => {
    const balances = encoded(QueryAllBalancesResponseSchema, {
      balances: [{ denom: 'achr', amount: '993662794644195806225' }],
      pagination: { total: 1n },
    });
    const node = await fakeNode({}, { ...txServices(), '/cosmos.bank.v1beta1.Query/AllBalances': balances });
    const run = await runCli(['query', 'bank', 'balances', 'dev0', '--node', node.address]);
    expect(run.stdout).toBe('balances:\n- amount: "993662794644195806225"\n  denom: achr\npagination:\n  total: "1"\n');
  });

  test('tx decodes the transaction and adds the time of its block', async () => {
    const sender = await txNode();
    await runCli(['tx', 'bank', 'send', 'dev0', 'dev1', '7achr', '-y', '--node', sender.address]);
    const tx = Buffer.from(sentTx(sender.asked)).toString('base64');
    const node = await fakeNode({
      tx: () => ({
        result: {
          hash: 'AB',
          height: '9',
          index: 0,
          tx,
          tx_result: { code: 0, data: 'EgQ=', log: '', gas_wanted: '150002', gas_used: '100', events: [] },
        },
      }),
      block: ({ height }) => ({ result: { block: { header: { time: `at-${String(height)}` } } } }),
    });
    const run = await runCli(['query', 'tx', 'ab'.repeat(32), '-o', 'json', '--node', node.address]);
    expect(JSON.parse(run.stdout)).toMatchObject({
      height: '9',
      data: '1204',
      timestamp: 'at-9',
      gas_wanted: '150002',
      tx: {
        body: {
          messages: [
            {
              '@type': '/cosmos.bank.v1beta1.MsgSend',
              from_address: dev0.bech32,
              amount: [{ denom: 'achr', amount: '7' }],
            },
          ],
        },
        auth_info: { signer_infos: [{ sequence: '2', mode_info: { single: { mode: 'SIGN_MODE_DIRECT' } } }] },
      },
    });
  });

  test('ends with 10 for a transaction or block that does not exist', async () => {
    const node = await fakeNode({
      tx: () => ({ error: { code: -32603, message: 'Internal error', data: 'tx (00) not found' } }),
      block: () => ({
        error: {
          code: -32603,
          message: 'Internal error',
          data: 'height 99 must be less than or equal to the current blockchain height 5',
        },
      }),
      block_by_hash: () => ({ result: { block_id: {}, block: null } }),
    });
    expect((await runCli(['query', 'tx', '00'.repeat(32), '--node', node.address])).code).toBe(10);
    expect((await runCli(['query', 'block', '99', '--node', node.address])).code).toBe(10);
    expect((await runCli(['query', 'block', '00'.repeat(32), '--node', node.address])).code).toBe(10);
    expect((await runCli(['query', 'tx', 'zz', '--node', node.address])).code).toBe(2);
  });

  test('status prints the answer of the node on one line, with the legacy key SyncInfo', async () => {
    const node = await fakeNode(statusMethod);
    const run = await runCli(['status', '--node', node.address]);
    expect(run.stdout).toBe(
      '{"node_info":{"network":"chronicle_271828-1"},"sync_info":{"latest_block_height":"41"},"SyncInfo":{"latest_block_height":"41"}}\n',
    );
    expect((await runCli(['status', '-o', 'text', '--node', node.address])).stdout).toContain(
      'node_info:\n  network: chronicle_271828-1\nsync_info:\n  latest_block_height: "41"\n',
    );
  });

  test('without a node ends with 8 and says what to do', async () => {
    const run = await runCli(['status', '--node', 'tcp://127.0.0.1:1']);
    expect(run).toMatchObject({ code: 8, stdout: '' });
    expect(run.stderr).toContain('No node at tcp://127.0.0.1:1. Start one: chronicled start');
  });
});

describe('keys', () => {
  const keys = new Map<string, string>();

  test('are added, recovered, listed and shown', async () => {
    const added = await runCli(['keys', 'add', 'mine', '--home', '/h'], { keys });
    expect(added.code).toBe(0);
    expect(added.stderr.trim().split('\n').at(-1)?.split(' ')).toHaveLength(24);
    await runCli(['keys', 'add', 'well-known', '--recover', DEV_MNEMONIC, '--index', '1', '--home', '/h'], { keys });
    expect([...keys.keys()]).toEqual(['/h/keyring-test/mine.json', '/h/keyring-test/well-known.json']);
    expect((await runCli(['keys', 'show', 'well-known', '-a', '--home', '/h'], { keys })).stdout).toBe(
      `${dev1.bech32}\n`,
    );
    expect((await runCli(['keys', 'list', '-n', '--home', '/h'], { keys })).stdout).toBe('mine\nwell-known\n');
    const shown = await runCli(['keys', 'show', 'well-known', '--home', '/h'], { keys });
    expect(shown.stdout).toMatch(
      /^- address: chron1\w+\n {2}hex: 0x\w+\n {2}name: well-known\n {2}pubkey: '\{"@type":"\/cosmos\.evm\.crypto\.v1\.ethsecp256k1\.PubKey","key":"[^"]+"\}'\n {2}type: local\n$/,
    );
  });

  test('are never overwritten, and misspelled names get a hint', async () => {
    expect((await runCli(['keys', 'add', 'mine', '--home', '/h'], { keys })).stderr).toContain(
      'key overwrite confirmation for "mine" aborted',
    );
    expect(await runCli(['keys', 'show', 'mne', '--home', '/h'], { keys })).toMatchObject({
      code: 10,
      stderr: 'Error: key not found: mne; did you mean mine?\n',
    });
    expect((await runCli(['keys', 'add', '../x', '--home', '/h'], { keys })).stderr).toBe(
      'Error: invalid key name: ../x\n',
    );
    expect((await runCli(['keys', 'add', 'y', '--recover', 'not words', '--home', '/h'], { keys })).code).toBe(2);
  });

  test('in a keyring sign transactions', async () => {
    const node = await txNode();
    expect(
      (
        await runCli(
          ['tx', 'bank', 'send', 'well-known', 'dev0', '1achr', '-y', '--home', '/h', '--node', node.address],
          { keys },
        )
      ).code,
    ).toBe(0);
  });
});

describe('the command line', () => {
  test('ends with 2 for unknown commands and flags, and names the nearest one', async () => {
    const command = await runCli(['stauts']);
    expect(command.code).toBe(2);
    expect(command.stderr).toContain("unknown command 'stauts'");
    expect(command.stderr).toContain('Did you mean status?');
    const flag = await runCli(['dev', '--minning', 'manual']);
    expect(flag.code).toBe(2);
    expect(flag.stderr).toContain('Did you mean --mining?');
    expect((await runCli(['query', 'nope'])).code).toBe(2);
    expect((await runCli(['query', 'upgrade', 'applied'])).stderr).toContain("missing required argument 'name'");
    expect((await runCli(['status', '-o', 'xml'])).code).toBe(2);
  });

  test('shows the options of daemon commands in their help, also for aliases and by the command help', async () => {
    for (const argv of [
      ['start', '--help'],
      ['log', 'verify', '--help'],
      ['comet', 'reset-state', '--help'],
      ['tendermint', 'unsafe-reset-all', '--help'],
      ['cometbft', 'unsafe-reset-all', '--help'],
      ['help', 'start'],
    ])
      expect((await runCli(argv)).stdout, argv.join(' ')).toContain('--home <');
    expect((await runCli(['--help'])).stdout).toMatch(/\n {2}start +run the node/);
    expect((await runCli(['completion', 'bash'])).stdout).toMatch(/words\['start'\]=.*--home/);
  });

  test('creates options only for the commands that its words reach', async () => {
    const made = vi.spyOn(Command.prototype, 'addOption');
    const optionsMadeFor = async (argv: readonly string[]): Promise<number> => {
      made.mockClear();
      await runCli(argv);
      return made.mock.calls.length;
    };
    const one = await optionsMadeFor(['start', '--help']);
    const overview = await optionsMadeFor(['--help']);
    const all = await optionsMadeFor(['completion', 'bash']);
    made.mockRestore();
    expect(overview).toBeLessThan(all);
    expect(one).toBeGreaterThan(20);
    expect(all).toBeGreaterThan(5 * one);
  });

  test('shows the same help for `help <path>` and `<path> --help`', async () => {
    for (const path of ['dev mine', 'log verify', 'query bank balances', 'q bank', 'start', 'tx', '']) {
      const words = path.split(' ').filter((word) => word !== '');
      const asked = await runCli([...words, '--help']);
      expect(asked).toMatchObject({ code: 0, stderr: '' });
      expect(await runCli(['help', ...words])).toEqual(asked);
    }
    expect(await runCli(['dev', 'help', 'mine'])).toEqual(await runCli(['dev', 'mine', '--help']));
    expect(await runCli(['help', 'query', 'bnak'])).toEqual({
      code: 2,
      stdout: '',
      stderr: "Error: help: unknown command 'bnak'\n(Did you mean bank?)\n",
      ran: [],
    });
  });

  test('prints help and version on standard output and ends with 0', async () => {
    const help = await runCli(['dev', '--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('--port-base <port>');
    expect(await runCli(['version'])).toMatchObject({ code: 0, stdout: '0.1.0\n' });
    expect((await runCli(['--version'])).stdout).toBe('0.1.0\n');
  });
});

test.each([
  [['y'], 0, 1],
  [['yes'], 0, 1],
  [['n'], 1, 0],
  [[''], 1, 0],
  [[], 2, 0],
])('tx bank send reads its confirmation from piped input: %j', async (input, code, sent) => {
  const node = await txNode();
  const line = ['tx', 'bank', 'send', 'dev0', 'dev1', '1achr', '--node', node.address];
  const ended = await runCli(line, { input });
  expect(ended.code, ended.stderr).toBe(code);
  if (input.length === 0)
    expect(ended.stderr).toMatch(/ \[y\/N\]: \nError: nobody to ask for confirmation here: add --yes\n$/);
  expect(node.asked.filter(({ method }) => method === 'broadcast_tx_sync').length).toBe(sent);
});

describe('a key with the name of a well-known account of dev chains', () => {
  /** A published test vector of BIP-39, its first key, and that of the words from which dev accounts are made. */
  const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
  const RECOVERED = '0x58A57ed9d8d624cBD12e2C467D34787555bB1b25';
  const DEV0 = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

  test.each([
    ['keys add dev0 --recover', [WORDS]],
    ['keys rename mine dev0 -y', []],
    [`keys import-hex dev0 ${'11'.repeat(32)}`, []],
  ])('is stored with a warning that names the address of the dev account: %s', async (line, input) => {
    const keys = new Map<string, string>();
    expect(await runCli(['keys', 'add', 'mine'], { keys })).toMatchObject({ code: 0 });
    const { code, stderr } = await runCli(line.split(' '), { keys, input });
    expect(code).toBe(0);
    expect(stderr).toContain(
      `dev0 is the name of a well-known account of dev chains, too, whose address is ${DEV0}: call that one by it.`,
    );
  });

  test('replaces the dev account for that name', async () => {
    const keys = new Map<string, string>();
    await runCli(['keys', 'add', 'dev0', '--recover'], { keys, input: [WORDS] });
    const hex = async (who: string) => (await runCli(['keys', 'show', who, '--hex'], { keys })).stdout.trim();
    expect([await hex('dev0'), await hex(DEV0), await hex('dev1')]).toEqual([
      RECOVERED,
      DEV0,
      '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    ]);
    const node = await fakeNode(statusMethod, txServices());
    const line = [
      'tx',
      'bank',
      'send',
      'dev0',
      'dev0',
      '1achr',
      '--generate-only',
      '--gas',
      '1',
      '--node',
      node.address,
    ];
    const { from_address: from, to_address: to } = JSON.parse((await runCli(line, { keys })).stdout).body.messages[0];
    const { stdout } = await runCli(['keys', 'show', 'dev0', '-a'], { keys });
    expect([from, to]).toEqual([stdout.trim(), stdout.trim()]);
  });

  test.each([
    ['is the same key', 'dev0', 'test test test test test test test test test test test junk'],
    ['has no account', 'dev10', WORDS],
  ])('is stored without a warning when the name %s', async (_, name, words) => {
    expect(await runCli(['keys', 'add', name, '--recover'], { input: [words] })).toMatchObject({
      code: 0,
      stderr: 'Enter your bip39 mnemonic\n',
    });
  });
});
