/**
 * Chains whose coin has fewer than 18 decimals, through public faces with unmodified viem and cosmjs: what Ethereum
 * shows in wei is what bank shows in coins and precisebank in fractions of one, after each step, and nothing is lost.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringToPath } from '@cosmjs/crypto';
import { DirectEthSecp256k1HdWallet } from '@cosmjs/proto-signing';
import { createPublicClient, createWalletClient, defineChain, type Hex, hexToBytes, http, parseAbi } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { encodeAddress, moduleAddress } from '../../src/core/sdk/codec/address.js';
import { createPureCrypto } from '../../src/runtime/host/crypto.js';
import { chronicledHere } from '../support/command-here.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';
import { connect, MNEMONIC } from './cosmos-wallets.js';

const [DENOM, WEI] = ['uchr', 'weichr'];
const COIN: Hex = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
const TOKEN = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function transfer(address to, uint256 value) returns (bool)',
]);
const RECEIVER: Hex = `0x${'ab'.repeat(20)}`;
/** Code that reverts. */
const REVERTING: Hex = '0x5f5ffd';
const nameOf = (address: Hex): string => encodeAddress('chron', hexToBytes(address));
const moduleOf = (name: string): string => encodeAddress('chron', moduleAddress(createPureCrypto(), name));

/** A home whose coin has this many decimals and no inflation. */
async function homeOf(decimals: number): Promise<string> {
  const home = temporaryFolder();
  const made = await chronicledHere(['init', '--home', home, '--preset', 'evmd', '--denom', DENOM]);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const path = join(home, 'config', 'genesis.json');
  const genesis = JSON.parse(readFileSync(path, 'utf8'));
  const { bank, evm, feemarket, erc20, mint } = genesis.app_state;
  const [metadata] = bank.denom_metadata;
  metadata.denom_units = [
    { denom: DENOM, exponent: 0, aliases: [] },
    { denom: metadata.display, exponent: decimals, aliases: [] },
  ];
  evm.params.extended_denom_options = { extended_denom: WEI };
  erc20.token_pairs[0].denom = WEI;
  // one gwei of gas is a fraction of a coin of 6 decimals
  feemarket.params.base_fee = decimals === 6 ? '0.001' : '1000.000000000000000000';
  const nothing = '0.000000000000000000';
  Object.assign(mint.minter, { inflation: nothing });
  Object.assign(mint.params, { inflation_min: nothing, inflation_max: nothing });
  writeFileSync(path, JSON.stringify(genesis));
  return home;
}

function ethereumOf({ endpoints }: DaemonProcess) {
  const transport = http(endpoints.eth_http ?? '');
  const network = defineChain({
    id: 271828,
    name: 'fractions',
    nativeCurrency: { name: 'CHR', symbol: 'CHR', decimals: 18 },
    rpcUrls: { default: { http: [endpoints.eth_http ?? ''] } },
  });
  const account = mnemonicToAccount(MNEMONIC, { addressIndex: 1 });
  return {
    account,
    wallet: createWalletClient({ account, chain: network, transport }),
    reader: createPublicClient({ chain: network, transport, pollingInterval: 20, cacheTime: 0 }),
  };
}

test.each([6, 12])(
  'a coin with %i decimals has the same balances on every face and a constant supply',
  async (decimals) => {
    const daemon = await startDaemonProcess({ home: await homeOf(decimals) });
    const unit = 10n ** BigInt(18 - decimals);
    const { account, wallet, reader } = ethereumOf(daemon);
    const cosmos = await DirectEthSecp256k1HdWallet.fromMnemonic(MNEMONIC, {
      prefix: 'chron',
      hdPaths: [stringToPath("m/44'/60'/0'/0/2")],
    });
    const client = await connect(daemon, cosmos);
    const [{ address: sender } = { address: '' }] = await cosmos.getAccounts();
    /** The amount of the coin in the field `name` of a route's answer. */
    const rest = async (path: string, name: string): Promise<bigint> => {
      const answer: Readonly<Record<string, { readonly amount: string }>> = JSON.parse(
        await (await fetch(`${daemon.endpoints.rest ?? ''}${path}`)).text(),
      );
      return BigInt(answer[name]?.amount ?? '-1');
    };
    const coinsOf = (name: string): Promise<bigint> =>
      rest(`/cosmos/bank/v1beta1/balances/${name}/by_denom?denom=${DENOM}`, 'balance');
    const fractionOf = (name: string): Promise<bigint> =>
      rest(`/cosmos/evm/precisebank/v1/fractional_balance/${name}`, 'fractional_balance');
    const remainder = (): Promise<bigint> => rest('/cosmos/evm/precisebank/v1/remainder', 'remainder');
    const supply = (): Promise<bigint> => rest(`/cosmos/bank/v1beta1/supply/by_denom?denom=${DENOM}`, 'amount');
    const holders = [nameOf(RECEIVER), nameOf(account.address), sender, moduleOf('fee_collector')];

    /** Expects the same facts from each face. */
    const expectOneState = async (): Promise<void> => {
      const fractions = await Promise.all(holders.map(fractionOf));
      for (const [index, address] of [RECEIVER, account.address].entries()) {
        const wei = await reader.getBalance({ address });
        expect((await coinsOf(nameOf(address))) * unit + (fractions[index] ?? 0n)).toBe(wei);
        expect(
          await reader.readContract({ address: COIN, abi: TOKEN, functionName: 'balanceOf', args: [address] }),
        ).toBe(wei);
      }
      for (const fraction of fractions) expect(fraction < unit).toBe(true);
      // The reserve holds one coin for each whole coin of the fractions.
      const lying = fractions.reduce((sum, fraction) => sum + fraction, await remainder());
      expect((await coinsOf(moduleOf('precisebank'))) * unit).toBe(lying);
    };
    /** Supply of coins and fractions, in wei. */
    const trueSupply = async (): Promise<bigint> => (await supply()) * unit - (await remainder());

    const before = await trueSupply();
    await expectOneState();
    const value = unit + unit / 2n + 1n;
    const done = async (hash: Hex) => {
      const receipt = await reader.waitForTransactionReceipt({ hash });
      await expectOneState();
      expect(await trueSupply()).toBe(before);
      return receipt;
    };

    // Sends one and a half coins by Ethereum, twice, so that the two halves become a coin.
    for (const count of [1n, 2n]) {
      expect(await done(await wallet.sendTransaction({ to: RECEIVER, value }))).toMatchObject({ status: 'success' });
      expect(await reader.getBalance({ address: RECEIVER })).toBe(count * value);
    }
    expect([await coinsOf(nameOf(RECEIVER)), await fractionOf(nameOf(RECEIVER))]).toEqual([3n, 2n]);

    // Whole coins by Cosmos.
    const fee = { amount: [{ denom: DENOM, amount: `${10n ** BigInt(decimals)}` }], gas: '200000' };
    const amount = (count: string) => [{ denom: DENOM, amount: count }];
    expect(await client.sendTokens(sender, nameOf(RECEIVER), amount('4'), fee)).toMatchObject({ code: 0 });
    await expectOneState();
    expect(await reader.getBalance({ address: RECEIVER })).toBe(2n * value + 4n * unit);
    // The bank module does not know the denomination of wei.
    const wei = await client.sendTokens(sender, nameOf(RECEIVER), [{ denom: WEI, amount: '1' }], fee);
    expect(wei.code).not.toBe(0);

    // Sends a fraction through the ERC-20 of the coin, and then more than the balance.
    const transfer = (sent: bigint) =>
      wallet.writeContract({
        address: COIN,
        abi: TOKEN,
        functionName: 'transfer',
        args: [RECEIVER, sent],
        gas: 200_000n,
      });
    expect(await done(await transfer(unit - 3n))).toMatchObject({ status: 'success' });
    expect(await fractionOf(nameOf(RECEIVER))).toBe(unit - 1n);
    expect(await done(await transfer(10n ** 60n))).toMatchObject({ status: 'reverted' });
    expect(await fractionOf(nameOf(RECEIVER))).toBe(unit - 1n);

    // A reverted transaction pays only its gas.
    const balance = await reader.getBalance({ address: account.address });
    const { gasUsed, effectiveGasPrice, status } = await done(
      await wallet.sendTransaction({ data: REVERTING, value, gas: 100_000n }),
    );
    expect(status).toBe('reverted');
    expect(await reader.getBalance({ address: account.address })).toBe(balance - gasUsed * effectiveGasPrice);
    // cosmos/evm v0.6 asks bank for the supply of the denomination of wei (`x/precisebank/keeper/keeper.go`), which
    // has none.
    expect(await reader.readContract({ address: COIN, abi: TOKEN, functionName: 'totalSupply' })).toBe(0n);

    // The command line pays two gwei for each gas, in coins.
    const config = await (await fetch(`${daemon.endpoints.rest ?? ''}/cosmos/evm/vm/v1/config`)).json();
    expect(config).toMatchObject({ config: { denom: DENOM, decimals: `${decimals}` } });
    const send = ['tx', 'bank', 'send', 'dev3', 'dev4', `4${DENOM}`, '--gas', '200000', '--node'];
    const sent = await chronicledHere([...send, daemon.endpoints.comet, '-y', '-b', 'block']);
    expect(sent).toMatchObject({ code: 0, stderr: '' });
    const [{ denom, amount: paid } = { denom: '', amount: '' }] = JSON.parse(
      (await chronicledHere([...send, daemon.endpoints.comet, '--generate-only'])).stdout,
    ).auth_info.fee.amount;
    expect([denom, BigInt(paid) * unit]).toEqual([DENOM, 200_000n * 2_000_000_000n]);
    await expectOneState();
    expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  },
  120_000,
);
