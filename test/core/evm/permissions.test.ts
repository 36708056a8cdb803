/** Access control of create and call by the EVM parameters (cosmos/evm v0.6 `x/vm/types/permissions.go`). */
import { create } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { checksumAddress } from '../../../src/core/keys/address.js';
import { permissionsOf } from '../../../src/core/modules/evm/permissions.js';
import { AccessType, ParamsSchema } from '../../../src/core/proto/cosmos/evm/vm/v1/evm_pb.js';
import { address, crypto, executed, SENDER, toHex, tx, world } from './support.js';

const CONTRACT = address(0xca11);
const OTHER = address(0x0dd);
/** Makes frames of every kind; stores in slots 1 to 6 whether each succeeded, in slot 7 the length of return data. */
const FRAMES = [
  '5f5f5ff01515600155',
  '60015f5f5ff51515600255',
  `5f5f5f5f5f73${toHex(OTHER)}61fffff1600355`,
  `5f5f5f5f5f73${toHex(OTHER)}61fffff2600455`,
  `5f5f5f5f73${toHex(OTHER)}61fffff4600555`,
  `5f5f5f5f73${toHex(OTHER)}61fffffa600655`,
  '3d600755',
].join('');
const ALL = [1n, 1n, 1n, 1n, 1n, 1n];
const NO_CALLS = [1n, 1n, 0n, 0n, 0n, 0n];
const NO_CREATIONS = [0n, 0n, 1n, 1n, 1n, 1n];

type Rule = readonly [type: AccessType, ...list: readonly Uint8Array[]];

function chain(creation: Rule, call: Rule) {
  const rule = ([accessType, ...list]: Rule) => ({
    accessType,
    accessControlList: list.map((one) => checksumAddress(crypto, one)),
  });
  const params = create(ParamsSchema, { accessControl: { create: rule(creation), call: rule(call) } });
  const permissions = permissionsOf(crypto, params);
  const made = world({ block: { fork: 'prague', ...(permissions && { permissions }) } });
  made.state.putCode(CONTRACT, FRAMES);
  return made;
}

/** Success of each inner frame; undefined when the transaction itself was not allowed. */
function framesOf(creation: Rule, call: Rule): readonly bigint[] | undefined {
  const { engine, state } = chain(creation, call);
  const outcome = engine.transact(state, tx({ to: CONTRACT, gasLimit: 1_000_000n }), { fees: 'none' });
  if (executed(outcome).status !== 'success') return undefined;
  state.apply(outcome.kind === 'executed' ? outcome.changes : []);
  expect(state.slot(CONTRACT, 7)).toBe(0n);
  return [1, 2, 3, 4, 5, 6].map((slot) => state.slot(CONTRACT, slot));
}

const { PERMISSIONLESS, PERMISSIONED, RESTRICTED } = AccessType;

describe('access control of inner frames', () => {
  test.each<readonly [string, Rule, Rule, readonly bigint[] | undefined]>([
    ['everything to everybody', [PERMISSIONLESS], [PERMISSIONLESS], ALL],
    ['everything to everybody except another account', [PERMISSIONLESS, OTHER], [PERMISSIONLESS, OTHER], ALL],
    ['CREATE to nobody', [RESTRICTED], [PERMISSIONLESS], NO_CREATIONS],
    ['CREATE to everybody except the signer', [PERMISSIONLESS, SENDER], [PERMISSIONLESS], NO_CREATIONS],
    ['CREATE to everybody except the contract', [PERMISSIONLESS, CONTRACT], [PERMISSIONLESS], NO_CREATIONS],
    ['CREATE to the signer alone', [PERMISSIONED, SENDER], [PERMISSIONLESS], ALL],
    ['CREATE to the contract alone', [PERMISSIONED, CONTRACT], [PERMISSIONLESS], ALL],
    ['CREATE to another account alone', [PERMISSIONED, OTHER], [PERMISSIONLESS], NO_CREATIONS],
    ['calls to everybody except the contract', [PERMISSIONLESS], [PERMISSIONLESS, CONTRACT], NO_CALLS],
    ['calls to the signer alone', [PERMISSIONLESS], [PERMISSIONED, SENDER], ALL],
    ['calls to the contract alone', [PERMISSIONLESS], [PERMISSIONED, CONTRACT], undefined],
    ['calls to nobody', [PERMISSIONLESS], [RESTRICTED], undefined],
  ])('allows %s', (_, creation, call, made) => {
    expect(framesOf(creation, call)).toEqual(made);
  });
});

describe('a transaction that access control forbids', () => {
  const text = 'caller address 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266 does not have permission to';

  test('uses its intrinsic gas and halts with the reason', () => {
    const { engine, state } = chain([RESTRICTED], [RESTRICTED]);
    const call = engine.transact(state, tx({ to: CONTRACT, gasLimit: 900_000n }), { fees: 'none' });
    expect(executed(call)).toMatchObject({ status: 'halt', gasUsed: 21_000n, reason: `${text} perform a call` });
    const creation = tx({ to: undefined, data: Uint8Array.of(0x5f), gasLimit: 900_000n });
    expect(executed(engine.transact(state, creation, { fees: 'none' }))).toMatchObject({
      status: 'halt',
      gasUsed: 53_018n,
      reason: `${text} deploy contracts`,
    });
  });

  test('has its forbidden frames as errors in the trace', () => {
    const { engine, state } = chain([RESTRICTED], [PERMISSIONLESS]);
    const options = JSON.stringify({ tracer: 'callTracer' });
    const trace = engine.trace(state, tx({ to: CONTRACT, gasLimit: 900_000n }), { fees: 'none' }, [], options);
    const calls = trace.ok
      ? (JSON.parse(trace.json) as { calls: readonly { type: string; error?: string }[] }).calls
      : [];
    expect(calls.filter(({ error }) => error !== undefined).map(({ type }) => type)).toEqual(['CREATE', 'CREATE2']);
  });
});

test('an access control list ignores addresses without EIP-55 checksum', () => {
  const accessControlList = [`0x${toHex(SENDER)}`, toHex(SENDER), checksumAddress(crypto, OTHER)];
  const rule = { accessType: PERMISSIONED, accessControlList };
  const permissions = permissionsOf(crypto, create(ParamsSchema, { accessControl: { create: rule } }));
  expect(permissions?.create).toEqual({ kind: 'only', addresses: [OTHER] });
  expect(permissions?.call).toEqual({ kind: 'all but', addresses: [] });
});
