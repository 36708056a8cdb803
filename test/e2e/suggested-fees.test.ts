/** A node admits at once every fee that it suggests, on any face. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chronicledHere } from '../support/command-here.js';
import { type DaemonProcess, startDaemonProcess, temporaryFolder } from '../support/daemon.js';
import { callEthereum } from './ethereum-client.js';

/** Transfers that fill a block of `GAS_LIMIT`. */
const TRANSFERS = 10;
const GAS_LIMIT = '210000';
const DENOM = 'acoin';

type Fees = Readonly<Record<string, string>>;
const hexOf = (price: bigint): string => `0x${price.toString(16)}`;

/** A node that mines on request. */
class Suggesting {
  constructor(
    private readonly daemon: DaemonProcess,
    private readonly denom: string,
  ) {}

  ask<Result>(name: string, ...params: readonly unknown[]): Promise<Result> {
    return callEthereum<Result>(this.daemon.endpoints.eth_http ?? '', name, params);
  }

  async get<Answer>(base: string | undefined, path: string): Promise<Answer> {
    return (await (await fetch(`${base}${path}`)).json()) as Answer;
  }

  /** Fees of Ethereum transactions that clients compute from the answers. */
  async ethereum(): Promise<Readonly<Record<string, Fees>>> {
    const price = await this.ask<string>('eth_gasPrice');
    const tip = BigInt(await this.ask<string>('eth_maxPriorityFeePerGas'));
    const { environment } = await this.ask<{ environment: { gasPrice: string } }>('anvil_nodeInfo');
    const block = await this.ask<{ baseFeePerGas: string }>('eth_getBlockByNumber', 'latest', false);
    const fee = BigInt(block.baseFeePerGas);
    const history = await this.ask<{ baseFeePerGas: string[]; reward: string[][] }>(
      'eth_feeHistory',
      '0x1',
      'latest',
      [50],
    );
    const reward = BigInt(history.reward.at(-1)?.[0] ?? 0);
    const next = BigInt(history.baseFeePerGas.at(-1) ?? 0);
    const dynamic = (highest: bigint, paid: bigint): Fees => ({
      maxFeePerGas: hexOf(highest),
      maxPriorityFeePerGas: hexOf(paid),
    });
    return {
      eth_feeHistory: dynamic(next + reward, reward),
      'no fee': {},
      eth_gasPrice: { gasPrice: price },
      anvil_nodeInfo: { gasPrice: environment.gasPrice },
      'eth_maxPriorityFeePerGas in ethers': dynamic(2n * fee + tip, tip),
      'eth_maxPriorityFeePerGas in viem': dynamic((fee * 12n) / 10n + tip, tip),
      'eth_maxPriorityFeePerGas and the next base fee': dynamic(next + tip, tip),
      'eth_feeHistory in alloy': dynamic(2n * next + (reward === 0n ? 1n : reward), reward === 0n ? 1n : reward),
    };
  }

  /** Prices of Cosmos transactions in the form of `--gas-prices`; undefined for that of the command line. */
  async cosmos(): Promise<Readonly<Record<string, string | undefined>>> {
    const { eth_http: ethereum, rest } = this.daemon.endpoints;
    const { gas_price: page } = await this.get<{ gas_price: string }>(ethereum, '/_page/node.json');
    const fee = await this.get<{ base_fee: string | null }>(rest, '/cosmos/evm/feemarket/v1/base_fee');
    const { params } = await this.get<{ params: { min_gas_price: string } }>(rest, '/cosmos/evm/feemarket/v1/params');
    const config = await this.get<{ minimum_gas_price: string }>(rest, '/cosmos/base/node/v1beta1/config');
    const prices = [fee.base_fee, params.min_gas_price, config.minimum_gas_price].map((text) =>
      (text ?? '0').replace(/[a-z].*/, ''),
    );
    expect(Number(page)).toBeGreaterThan(0);
    return {
      'the page': page,
      REST: prices.toSorted((a, b) => Number(b) - Number(a))[0],
      'the command line': undefined,
    };
  }

  /** Sends with each suggestion and mines after each. Returns the refused ones. */
  async refused(): Promise<readonly string[]> {
    const refused: string[] = [];
    const [from = '', to = ''] = await this.ask<readonly string[]>('eth_accounts');
    for (const name of Object.keys(await this.ethereum())) {
      const fees = (await this.ethereum())[name];
      const sent = this.ask<string>('eth_sendTransaction', { from, to, gas: '0x5208', ...fees });
      await sent.catch((error: unknown) => refused.push(`${name} ${JSON.stringify(fees)}: ${String(error)}`));
      await this.ask('anvil_mine', '0x2');
      const hash = await sent.catch(() => undefined);
      if (hash !== undefined)
        expect(await this.ask('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
    }
    for (const name of Object.keys(await this.cosmos())) {
      const price = (await this.cosmos())[name];
      const line = ['tx', 'bank', 'send', 'dev2', 'dev3', `7${this.denom}`, '--gas', '200000', '-y', '-b', 'sync'];
      const flags = price === undefined ? [] : ['--gas-prices', `${price}${this.denom}`];
      const { code, stderr } = await chronicledHere([...line, ...flags, '--node', this.daemon.endpoints.comet]);
      if (code !== 0) refused.push(`${name} ${price}: ${stderr}`);
      await this.ask('evm_mine');
    }
    return refused;
  }

  /** Mines full blocks, so that the base fee rises. */
  async fill(blocks: number): Promise<void> {
    const [, , , , from] = await this.ask<readonly string[]>('eth_accounts');
    for (let block = 0; block < blocks; block += 1) {
      for (let sent = 0; sent < TRANSFERS; sent += 1)
        await this.ask('eth_sendTransaction', { from, to: from, gas: '0x5208', gasPrice: hexOf(10n ** 12n) });
      await this.ask('evm_mine');
    }
  }
}

/** Starts a chain of a preset, with other parameters of its fee market. */
async function start(preset: string, args: readonly string[] = [], params: object = {}): Promise<Suggesting> {
  const home = temporaryFolder();
  const made = await chronicledHere(['init', '--home', home, '--preset', preset, '--default-denom', DENOM]);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const file = join(home, 'config', 'genesis.json');
  const genesis = JSON.parse(readFileSync(file, 'utf8'));
  Object.assign(genesis.app_state.feemarket.params, params);
  genesis.consensus.params.block.max_gas = GAS_LIMIT;
  writeFileSync(file, JSON.stringify(genesis));
  return new Suggesting(await startDaemonProcess({ home, args: ['--mining', 'manual', ...args] }), DENOM);
}

it.each(['chronicle', 'evmd'])(
  'preset %s admits the fees it suggests, after the base fee has fallen and after it has risen',
  async (preset) => {
    const node = await start(preset);
    await node.ask('anvil_mine', '0xb4');
    expect(await node.refused()).toEqual([]);
    await node.fill(3);
    expect(await node.refused()).toEqual([]);
  },
  60_000,
);

it.each([
  ['of this node', 'chronicle', ['--minimum-gas-prices', `5000000000${DENOM}`], {}],
  ['of the fee market', 'evmd', [], { min_gas_price: '6000000000.500000000000000000' }],
  ['and no base fee', 'chronicle', [], { min_gas_price: '6000000000.500000000000000000', no_base_fee: true }],
])(
  'a node with a minimum gas price %s (preset %s) admits the fees it suggests',
  async (_name, preset, args, params) => {
    const node = await start(preset, args, params);
    await node.ask('evm_mine');
    expect(await node.refused()).toEqual([]);
  },
  60_000,
);
