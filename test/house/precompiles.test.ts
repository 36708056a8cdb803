/** `docs/generated/precompiles.md` is made from the precompiles; `-u` at the end writes it again. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chronicle } from '../../src/core/app/presets.js';
import { concat, utf8 } from '../../src/core/bytes/bytes.js';
import { checksumAddress } from '../../src/core/keys/address.js';
import type { StatefulPrecompile } from '../../src/core/sdk/module/stateful-precompile.js';
import { contextOf, DevChain } from '../core/app/dev-chain.js';
import { crypto } from '../core/app/support.js';

const SOURCES = join(import.meta.dirname, '..', '..', 'src', 'core', 'precompiles');
const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'generated', 'precompiles.md');
const context = contextOf(new DevChain());

const INTRODUCTION = `# Precompiles of the chain

Contracts at fixed addresses give access to the modules of the chain. \`test/house/precompiles.test.ts\` makes this page from
the contracts and, with \`-u\` at the end, writes it again. [FIRST-HOUR.md](../FIRST-HOUR.md) stakes from Solidity. Addresses,
ABI, prices, events and revert reasons are those of cosmos/evm v0.6; its Solidity interfaces can be used unchanged.

- **Presence.** A dev chain of preset \`chronicle\` has all of them. On other chains the genesis decides:
  \`app_state.evm.params.active_static_precompiles\` names the contracts, \`app_state.erc20\` with \`token_pairs\` and
  \`native_precompiles\` the token of the coin. A named address that is not on this page has no contract; under \`evmd\` calls
  to it fail (\`0x803\`, \`0x807\`). \`0x100\` checks P-256 signatures: 6,900 gas with Osaka (EIP-7951), 3,450 under
  \`evmd\` if its parameters activate it (RIP-7212). Under \`evmd\` a call of one of Ethereum's own precompiles makes an
  account at its address.
- **Sender.** The sender of a message must be the caller: the delegator, the voter, the depositor. A contract stakes and votes
  for itself.
- **Methods.** They run in transactions, \`eth_call\`, \`eth_estimateGas\`, \`eth_createAccessList\`, \`eth_simulateV1\`,
  every tracer, and the gRPC methods of the EVM. A state override with code at such an address replaces the contract.
- **Reverts.** A call that reverts at any depth also rolls back the changes, events and logs of the modules. A refusal reverts
  with the module's text as \`Error(string)\` ([errors.md](errors.md)). \`delegatecall\` and \`staticcall\` change nothing.
- **Value.** Only the token of the coin takes value; \`deposit\` and an empty input give it back. Under \`chronicle\` a call
  of another contract with value reverts with \`cannot receive funds, received: N\`. Users cannot send coins to these addresses.
- **Limits.** One transaction makes at most 20 calls of contracts that read or write state; further calls revert.
- **Gas.** The price below for the input with its selector, and for contracts marked "and the store" the cost of their reads and
  writes in a Cosmos transaction (at least 1,000 for a read, 2,000 for a write). A call costs at least as much as that of a cold
  account.
- **Code.** \`eth_getCode\` answers nothing for them, except for tokens of coins: compilers check for code where a function has
  no result. Interfaces whose functions have results, as all of these except \`deposit\` and \`withdraw\`, need none.

Transfers of ics20 need an open channel: without one they revert with \`channel not found\`, with \`channel (channel-0) is
not open, current state: STATE_INIT\`, or over a client with \`counterparty not found\`.
`;

/** Titles by the folder of the sources. */
const CONTRACTS: readonly (readonly [folder: string, title: string, contract: StatefulPrecompile | undefined])[] = [
  ['bech32', 'Addresses as text', at(0x400)],
  ['staking', 'Staking', at(0x800)],
  ['distribution', 'Distribution', at(0x801)],
  ['ics20', 'Transfers over IBC', at(0x802)],
  ['bank', 'Bank', at(0x804)],
  ['gov', 'Governance', at(0x805)],
  ['slashing', 'Slashing', at(0x806)],
  ['token', 'The coin as a token', chronicle.precompiles.tokens?.(context)[0]],
];

function at(number: number): StatefulPrecompile | undefined {
  return chronicle.precompiles.static.find(
    ({ address }) =>
      Buffer.from(address).readUIntBE(14, 6) === number && address.subarray(0, 14).every((one) => one === 0),
  );
}

/** `2,000 + 30 for each byte`. */
function priceOf(contract: StatefulPrecompile, signature: string): string {
  const selector = crypto.keccak256(utf8(signature)).subarray(0, 4);
  const [short, long] = [0, 1].map((more) => contract.requiredGas(context, concat(selector, new Uint8Array(more))));
  if (short === undefined || long === undefined) return '';
  const perByte = long - short;
  const flat = (short - 4n * perByte).toLocaleString('en');
  return perByte === 0n ? flat : `${flat} + ${perByte} for each byte${contract.storeGas ? ', and the store' : ''}`;
}

function eventsOf(folder: string): readonly string[] {
  const sources = readdirSync(join(SOURCES, folder)).map((file) => readFileSync(join(SOURCES, folder, file), 'utf8'));
  return [
    ...new Set(sources.flatMap((text) => [...text.matchAll(/'([A-Z]\w*\([^']*\))'/g)].map(([, event = '']) => event))),
  ].toSorted();
}

function sectionOf([folder, title, contract]: (typeof CONTRACTS)[number]): string {
  if (contract === undefined) throw new Error(`no contract of ${folder}`);
  const rows = contract.functions.map(({ signature, outputs, writes }) => {
    const cells = [`\`${signature}\``, outputs === '' ? '' : `\`${outputs}\``, writes ? 'changes' : 'reads'];
    return `| ${[...cells, priceOf(contract, signature)].join(' | ')} |`;
  });
  const events = eventsOf(folder).map((event) => `\`${event}\``);
  return [
    `## ${title}: ${checksumAddress(crypto, contract.address)}`,
    '',
    '| function | results | state | gas |',
    '| --- | --- | --- | --- |',
    ...rows,
    ...(events.length === 0 ? [] : ['', `Events: ${events.join(', ')}.`]),
    '',
  ].join('\n');
}

it('docs/generated/precompiles.md equals the description of the precompiles', async () => {
  expect(CONTRACTS.filter(([, , contract]) => contract !== undefined)).toHaveLength(
    chronicle.precompiles.static.length + 1,
  );
  await expect([INTRODUCTION, ...CONTRACTS.map(sectionOf)].join('\n')).toMatchFileSnapshot(PAGE);
});
