/** Contracts that modules call, and the state that each reads. */
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { MsgRegisterERC20Schema } from '../../../src/core/proto/cosmos/evm/erc20/v1/tx_pb.js';
import { anyOf } from '../../support/sign-tx.js';
import { deploying, EVM_CHAIN_ID, GENESIS, NAME, SENDER, Signer, type Step } from './signer.js';

const SOMEBODY = '00000000000000000000000000000000000000aa';
const ABSENT = '00000000000000000000000000000000000bad01';
const MODULE = 'f1829676db577682e944fc3493d451b67ff3e29f';
const NATIVE_TOKEN = 'eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
const DYNAMIC_TOKEN = '80b5a32e4f032b2a058b4f29ec95eefeeb87adcd';
const sender = SENDER.slice(2).toLowerCase();
/** An address of Ethereum's contracts or the chain's. */
const at = (number: number): string => number.toString(16).padStart(40, '0');

const OF = { call: 'f1', callcode: 'f2', delegatecall: 'f4', staticcall: 'fa' } as const;

const KINDS = Object.keys(OF) as readonly (keyof typeof OF)[];
/** Accounts that delegate to a contract and to nobody (EIP-7702). */
const DELEGATING = {
  toContract: privateKeyToAccount(`0x${'11'.repeat(32)}`),
  toNobody: privateKeyToAccount(`0x${'12'.repeat(32)}`),
};

/** A call without input whose result is dropped; `gas` pushes the gas to forward. */
function call(to: string, kind: keyof typeof OF = 'call', gas = '5a', value = '5f'): string {
  const brings = kind === 'call' || kind === 'callcode' ? value : '';
  return `5f5f5f5f${brings}73${to}${gas}${OF[kind]}50`;
}

/** A static call with four bytes of input. */
const ask = (to: string, selector: string, kind: 'call' | 'staticcall' = 'staticcall', gas = '5a'): string =>
  `63${selector}60e01b5f52${`5f5f60045f${kind === 'call' ? '5f' : ''}73${to}${gas}${OF[kind]}50`}`;
const account = (opcode: string, address: string): string => `73${address}${opcode}50`;
const copy = (address: string): string => `60095f5f73${address}3c`;
/** A contract from init code. */
const create = (init: string): string =>
  `${[...init.matchAll(/../g)].map(([byte], index) => `60${byte}60${index.toString(16).padStart(2, '0')}53`).join('')}60${(init.length / 2).toString(16).padStart(2, '0')}5f5ff050`;
const TOTAL_SUPPLY = '18160ddd';
const STORE = '6001600755';
/** Prefix of the names of contracts that are created with wei. */
const PAID = 'wei of its own';
const twice = (code: string): string => code + code;

/** Runs `code` in a call of itself, which recognises itself by its input, and then `after`. */
function inside(code: string, after: string, ending: string): string {
  const outer = `60015f53${'5f5f60015f5f305af150'}${after}00`;
  const offset = 7 + outer.length / 2;
  return `3660011460${offset.toString(16).padStart(2, '0')}57${outer}5b${code}${ending}`;
}

const REVERT = '5f5ffd';

/** By what they are about, the runtime code of each. */
function contracts(): Readonly<Record<string, string>> {
  const bodies: Record<string, string> = {
    nothing: '00',
    'a slot': '60075450600754505a60035500',
    'a revert': REVERT,
    'an invalid instruction': 'fe',
    'a log': '5f5fa000',
    'its own balance': '4730315000',
    'its own code': `303b50303f50${copy('30'.padStart(2, '0')).replace('7330', '30')}00`,
    'the hash of a block, twice': twice('60014303405060014340') + '00',
    'hashes that are not there': '4340506101014303405060014301405000',
    creation: `${create('')}00`,
    'creation of code': `${create('60fe5f5360015ff3')}00`,
    'creation that reads and writes a slot': `${create('60075450600160075560075450')}00`,
    'creation that reads a slot in a reverted frame, then again': `${create('60075450600754505f5ffd')}${create('60075450')}00`,
    'a write of a slot in a static call': inside('6001600755', '60075450', '00').replace(
      '5f5f60015f5f305af150',
      '5f5f60015f305afa50',
    ),
    'a write without gas for it': inside('6001600755', '60075450', '00').replace(
      '5f5f60015f5f305af150',
      '5f5f60015f5f306108fcf150',
    ),
    'creation that fails': `${create('fe')}00`,
    'creation that fails, twice': `${twice(create('fe'))}00`,
    'creation with wei that are not there': '5f5f6001f05000',
    'a self-destruction for somebody': `73${SOMEBODY}ff`,
    'a self-destruction for nobody': `73${ABSENT}ff`,
    'a self-destruction for itself': '30ff',
    'a self-destruction inside that is reverted': inside(`73${ABSENT}ff`, account('31', ABSENT), ''),
    'wei to somebody': `${call(SOMEBODY, 'call', '5a', '6001')}00`,
    'wei to nobody': `${call(ABSENT, 'call', '5a', '6001')}00`,
    'a call of itself': inside('60075450', '60075450', '00'),
    'a call without gas for a cold account': `${call(ABSENT, 'call', '5f')}00`,
    'a frame without gas for a cold account': inside(call(ABSENT), '', '00').replace('305af1', '3061044cf1'),
    'calls of nobody with too much memory': inside(
      `5f5f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff60015f73${ABSENT}5af150`,
      '',
      '00',
    ),
    'a write in a static call': inside(call(ABSENT, 'call', '5a', '6001'), '', '00').replace(
      '5f5f60015f5f305af150',
      '5f5f60015f305afa50',
    ),
    'nobody in a reverted frame, then again': inside(call(ABSENT, 'staticcall'), account('31', ABSENT), REVERT),
    'nobody in a frame, then again': inside(call(ABSENT, 'staticcall'), account('31', ABSENT), '00'),
    'accounts that delegate': `${Object.values(DELEGATING)
      .flatMap(({ address }) => [...KINDS.map((kind) => call(address.slice(2), kind)), account('3b', address.slice(2))])
      .join('')}00`,
    bech32: `${call(at(0x400))}00`,
    p256: `${call(at(0x100))}${call(at(0x100), 'staticcall')}00`,
    'bank, called': `${call(at(0x804))}00`,
    'bank, asked': `${call(at(0x804), 'staticcall')}00`,
    'bank as delegate': `${call(at(0x804), 'delegatecall')}00`,
    'bank, twice': `${call(at(0x804))}${call(at(0x804))}00`,
    'bank after a write': `${STORE}${call(at(0x804), 'staticcall')}00`,
    'bank after a creation': `${create('60fe5f5360015ff3')}${call(at(0x804), 'staticcall')}${STORE}${call(at(0x804), 'staticcall')}00`,
    'bank after an identity': `${call(at(4))}${call(at(0x804), 'staticcall')}00`,
    'bank with less gas than was consumed': `${call(at(0x804), 'call', '620186a0')}00`,
    'bank in a reverted frame, then again': inside(`${STORE}${call(at(0x804))}`, call(at(0x804)), REVERT),
    staking: `${call(at(0x800), 'staticcall')}00`,
    'the supply of bank': `${ask(at(0x804), '49bd9d9e')}00`,
    'a native token': `${call(NATIVE_TOKEN)}00`,
    'the supply of a native token': `${ask(NATIVE_TOKEN, TOTAL_SUPPLY)}00`,
    'the supply of a dynamic token': `${ask(DYNAMIC_TOKEN, TOTAL_SUPPLY)}00`,
    'the supply of a token, with less gas than was consumed': `${ask(DYNAMIC_TOKEN, TOTAL_SUPPLY, 'staticcall', '620186a0')}00`,
    'a token as delegate': `${call(DYNAMIC_TOKEN, 'delegatecall')}00`,
    'the zero address': `${call(at(0))}00`,
  };
  for (const kind of KINDS) {
    for (const [name, to] of Object.entries({
      somebody: SOMEBODY,
      nobody: ABSENT,
      sender,
      module: MODULE,
      identity: at(4),
      pairing: at(8),
      unused: at(0x13),
    }))
      bodies[`${kind} of ${name}`] = `${call(to, kind, '61c350')}00`;
    bodies[`${kind} of nobody, twice`] = `${twice(call(ABSENT, kind))}00`;
  }
  for (const [name, opcode] of Object.entries({ balance: '31', size: '3b', hash: '3f' }))
    for (const [who, address] of Object.entries({ somebody: SOMEBODY, nobody: ABSENT, sender, module: MODULE }))
      bodies[`${name} of ${who}, twice`] = `${twice(account(opcode, address))}00`;
  for (const [who, address] of Object.entries({ somebody: SOMEBODY, nobody: ABSENT, sender }))
    bodies[`copy of ${who}`] = `${copy(address)}00`;
  bodies[LIMITED] = `${call(SOMEBODY, 'call', '5a', '6001')}${call(at(0x804))}00`;
  bodies[`${PAID} to a token, then its supply`] =
    `${call(NATIVE_TOKEN, 'call', '5a', '6001')}${ask(NATIVE_TOKEN, TOTAL_SUPPLY)}00`;
  bodies[`${PAID} to nobody, in a self-destruction, then bank`] = inside(`73${ABSENT}ff`, call(at(0x804)), '');
  return bodies;
}

/** Blocks that make the contracts, then the transactions that ask each for its name, a block for each. */
export async function stepsOfModuleGas(
  accountNumber: bigint,
): Promise<{ readonly deployments: readonly (readonly Uint8Array[])[]; readonly calls: readonly Step[] }> {
  const { chain_id: chainId } = JSON.parse(GENESIS.toString()) as { readonly chain_id: string };
  const signer = new Signer(chainId);
  const made: { readonly name: string; readonly at: Hex }[] = [];
  const deployments: Uint8Array[][] = [];
  for (const [name, code] of Object.entries(contracts())) {
    if (made.length % DEPLOYED_AT_ONCE === 0) deployments.push([]);
    made.push({ name, at: signer.made() });
    const value = name.startsWith(PAID) ? 7n : 0n;
    deployments.at(-1)?.push((await signer.ethereum(name, { data: deploying(code), value })).tx);
  }
  const chain = Number(EVM_CHAIN_ID);
  const authorizations = [
    await DELEGATING.toContract.signAuthorization({ chainId: chain, nonce: 0, address: made[0]?.at ?? SENDER }),
    await DELEGATING.toNobody.signAuthorization({ chainId: chain, nonce: 0, address: `0x${ABSENT}` }),
  ];
  deployments.push([(await signer.ethereum('delegations', { to: SENDER, authorizations })).tx]);
  for (const to of [ABSENT, at(4), at(0x400), at(0x804), NATIVE_TOKEN, sender, DELEGATING.toContract.address.slice(2)])
    made.push({ name: `0x${to}`, at: `0x${to}` });
  const limited = made
    .filter(({ name }) => name === LIMITED)
    .flatMap(({ name, at }) => LIMITS.map((gas) => ({ name: `${name}, of ${gas}`, at, gas })));
  const calls = [...made.map((each) => ({ ...each, gas: 2_000_000n })), ...limited].map(({ name, at, gas }) => {
    const register = anyOf(MsgRegisterERC20Schema, { signer: NAME, erc20addresses: [at] });
    return signer.cosmos(name, [register], accountNumber, gas);
  });
  return { deployments, calls };
}

const DEPLOYED_AT_ONCE = 20;

/** This call is repeated with too little gas; the point where its gas ends shows the order of the charges. */
const LIMITED = `${PAID} to somebody, then bank`;
/** From above the gas of the ante rules; the step is a prime number, so that it meets each kind of access. */
const LIMITS = Array.from({ length: 128 }, (_, index) => 85_000n + 1_289n * BigInt(index));
