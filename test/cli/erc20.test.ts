import { expect, test } from 'vitest';
import { runCli } from './support.js';

const DEV0 = 'chron17w0adeg64ky0daxwd2ugyuneellmjgnxhhzugr';
const [HEX0, HEX1] = ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'];
const CONTRACT = '0x411a113d3e8ba7cdc38e103a95bfb7193135de64';
const PRINTED = ['--from', 'dev0', '--generate-only', '--offline', '--gas', '200000'];

test.each([
  [
    ['convert-coin', '5achr', 'dev1'],
    {
      '@type': '/cosmos.evm.erc20.v1.MsgConvertCoin',
      coin: { denom: 'achr', amount: '5' },
      receiver: HEX1,
      sender: DEV0,
    },
  ],
  [['convert-coin', '5achr'], { receiver: HEX0 }],
  [
    ['convert-erc20', CONTRACT, '5'],
    {
      '@type': '/cosmos.evm.erc20.v1.MsgConvertERC20',
      contract_address: CONTRACT,
      amount: '5',
      receiver: DEV0,
      sender: HEX0,
    },
  ],
  [
    ['register-erc20', CONTRACT, HEX1],
    { '@type': '/cosmos.evm.erc20.v1.MsgRegisterERC20', signer: DEV0, erc20addresses: [CONTRACT, HEX1] },
  ],
])('tx erc20 %j makes its message', async (words, message) => {
  const run = await runCli(['tx', 'erc20', ...words, ...PRINTED]);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(run.stdout)).toMatchObject({ body: { messages: [message] } });
});

test.each([
  [['convert-coin', '5achr,6b12'], 'is not one coin'],
  [['convert-coin', '5achr', 'nobody'], 'nobody'],
  [['convert-erc20', '0x12', '5'], 'invalid contract ERC20 address 0x12'],
  [['convert-erc20', CONTRACT, '1.5'], 'invalid amount 1.5'],
  [['register-erc20', 'achr'], 'invalid contract ERC20 address achr'],
])('tx erc20 %j is refused before anything is signed', async (words, reason) => {
  const run = await runCli(['tx', 'erc20', ...words, ...PRINTED]);
  expect(run.code).toBe(words.includes('nobody') ? 10 : 2);
  expect(run.stdout).toBe('');
  expect(run.stderr).toContain(reason);
});
