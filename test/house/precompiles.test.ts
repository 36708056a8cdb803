/** `docs/generated/precompiles.md` is made from the contracts of the chain; `-u` at the end writes it anew. */
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

const INTRODUCTION = `# Contracts of the chain

Modules as contracts, at fixed addresses: Ethereum and Cosmos are one state. \`test/house/precompiles.test.ts\` makes
this page from the contracts and, with \`-u\`, writes it anew. [FIRST-HOUR.md](../FIRST-HOUR.md) stakes from Solidity.
Addresses, ABI, prices, events and reasons of reverts are those of cosmos/evm v0.6, whose Solidity interfaces can be
used as they are.

- **Where.** A dev chain of \`chronicle\` has all of them. Of another chain the genesis says:
  \`app_state.evm.params.active_static_precompiles\` names the contracts, \`app_state.erc20\` with \`token_pairs\` and
  \`native_precompiles\` the token of the coin. An address that is named and not in this page has no contract; under
  \`evmd\` calls to it fail, as they do there (\`0x803\`, \`0x807\`). \`0x100\` checks signatures of P-256: Osaka has
  it (EIP-7951, 6,900 gas), under \`evmd\` the parameters activate it (RIP-7212, 3,450 gas). A call of one of
  Ethereum's own precompiled contracts makes an account at its address under \`evmd\`.
- **Who.** A message needs its sender to be the caller: the delegator, the voter, the depositor. A contract stakes and
  votes for itself.
- **Where they run.** In transactions, \`eth_call\`, \`eth_estimateGas\`, \`eth_createAccessList\`,
  \`eth_simulateV1\`, every tracer and the gRPC methods of the EVM. Code that a state override puts at such an address
  runs in the contract's place.
- **Reverts.** A call that reverts at any depth takes back what it did in both worlds, with its events and logs. A
  refusal reverts with the module's text as \`Error(string)\`: [errors.md](errors.md) has them. \`delegatecall\` and
  \`staticcall\` change nothing.
- **Value.** Only the token of the coin takes value; \`deposit\` and an empty input give it back. Under \`chronicle\`
  a call of another contract with value reverts with \`cannot receive funds, received: N\`. Users cannot send coins to
  these addresses.
- **Limits.** One transaction makes at most 20 calls of contracts that read or write state; further calls revert.
- **Gas.** The price below for the input, selector included, and where the store is paid for what its reads and writes
  cost a Cosmos transaction (at least 1,000 a read, 2,000 a write). The gas of a call is at least that of calling an
  account that is not warm.
- **Code.** \`eth_getCode\` answers nothing for them, but for tokens of coins: compilers check that there is code
  where a function has no result. An interface whose functions have results, as all of these but \`deposit\` and
  \`withdraw\`, needs none.

No channel of this build can open, so each transfer of ics20 reverts: with \`channel not found\` or
\`channel (channel-0) is not open, current state: STATE_INIT\` (over a client: \`counterparty not found\`). The tokens of other chains
for which \`denom\`, \`denoms\` and \`denomHash\` answer are those of the genesis.
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

it('docs/generated/precompiles.md is made from the contracts', async () => {
  expect(CONTRACTS.filter(([, , contract]) => contract !== undefined)).toHaveLength(
    chronicle.precompiles.static.length + 1,
  );
  await expect([INTRODUCTION, ...CONTRACTS.map(sectionOf)].join('\n')).toMatchFileSnapshot(PAGE);
});
