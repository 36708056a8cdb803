/** Calls by modules of the chain: the host is told of inner frames and state reads, and refunds have no limit. */
import { describe, expect, test } from 'vitest';
import type { EvmState, EvmStateRead } from '../../../src/core/evm/state.js';
import { address, executed, type MapState, NO_BYTES, SENDER, toHex, tx, word, world } from './support.js';

const CALLER = address(0xca11);
const CALLEE = address(0xca11ee);
const at = (number: number): string => toHex(address(number));
/** Code that calls an address with all available gas (63/64). */
const call = (to: Uint8Array): string => `5f5f5f5f5f73${toHex(to)}5af150`;
const delegateCall = (to: Uint8Array): string => `5f5f5f5f73${toHex(to)}5af450`;
const staticCall = (to: Uint8Array): string => `5f5f5f5f73${toHex(to)}5afa50`;
const CREATE = '5f5f5ff050';
/** CREATE2 with salt 7. */
const CREATE2 = '60075f5f5ff550';
/** CREATE with one wei, which the contract does not have. */
const CREATE_FOR_TOO_MUCH = '5f5f6001f050';
const CALL_FOR_TOO_MUCH = `5f5f5f5f600173${toHex(CALLEE)}5af150`;
const REVERT = '5f5ffd';
const NOBODY = address(0xdead);
const BALANCE = `73${toHex(NOBODY)}3150`;
const SIZE = `73${toHex(NOBODY)}3b50`;

interface RecordedFrames {
  readonly state: MapState & Pick<EvmState, 'chargeRead'>;
  readonly frames: string[];
}

/** A state that records frames and throws after `stopAt` of them. */
function recordingFrames(state: MapState, stopAt = Infinity): RecordedFrames {
  const frames: string[] = [];
  const chargeRead = (question: EvmStateRead): boolean => {
    switch (question.kind) {
      case 'contract':
        frames.push(`call ${toHex(question.address)}`);
        break;
      case 'storage':
        frames.push(`creation ${toHex(question.address)}`);
        break;
      case 'account':
      case 'code':
        return state.account(question.address) !== undefined;
      case 'slot':
      case 'blockHash':
        break;
    }
    if (frames.length > stopAt) throw new Error('enough');
    return true;
  };
  return { state: Object.assign(state, { chargeRead }), frames };
}

/** A state that records reads of accounts, code, slots and block hashes as texts. */
function questionsOf(state: MapState): { readonly state: RecordedFrames['state']; readonly questions: string[] } {
  const questions: string[] = [];
  const chargeRead = (question: EvmStateRead): boolean => {
    switch (question.kind) {
      case 'account':
      case 'code': {
        const isThere = state.account(question.address) !== undefined;
        questions.push(`${question.times} ${question.kind} ${BigInt(`0x${toHex(question.address)}`).toString(16)}`);
        return isThere;
      }
      case 'slot':
        questions.push(`slot ${BigInt(`0x${toHex(question.slot)}`)}`);
        return true;
      case 'blockHash':
        questions.push(`hash ${question.number}`);
        return true;
      case 'contract':
      case 'storage':
        return true;
    }
  };
  return { state: Object.assign(state, { chargeRead }), questions };
}

describe('a call by a module', () => {
  test('reports each inner frame before it runs, also when the frame fails or is reverted', () => {
    const { engine, state } = world();
    const heard = recordingFrames(state);
    state.putCode(
      CALLER,
      [call(CALLEE), delegateCall(CALLEE), staticCall(address(4)), CREATE, CALL_FOR_TOO_MUCH].join(''),
    );
    state.putCode(CALLEE, `${call(address(2))}${REVERT}`);
    const outcome = engine.callWithEffects(heard.state, tx({ to: CALLER }), { fees: 'none' });
    expect(executed(outcome).status).toBe('success');
    const inside = [`call ${at(0xca11ee)}`, `call ${at(2)}`];
    expect(heard.frames.slice(0, 5)).toEqual([...inside, ...inside, `call ${at(4)}`]);
    expect(heard.frames[5]).toMatch(/^creation [0-9a-f]{40}$/);
    // The call that lacks wei is reported, though it fails.
    expect(heard.frames.slice(6)).toEqual([`call ${at(0xca11ee)}`]);
  });

  test('reports each creation with its address, but none that lacks wei', () => {
    const { engine, state } = world();
    const heard = recordingFrames(state);
    state.putCode(CALLER, `${CREATE}${CREATE_FOR_TOO_MUCH}${CREATE2}${CREATE2}`);
    const outcome = engine.callWithEffects(heard.state, tx({ to: CALLER }), { fees: 'none' });
    if (outcome.kind !== 'executed') throw new Error(outcome.detail);
    const made = outcome.changes.flatMap((one) => (one.kind === 'changed' && one.created ? [toHex(one.address)] : []));
    expect(made).toHaveLength(2);
    // The second CREATE2 collides with the first one; it is reported, too.
    expect(heard.frames.toSorted()).toEqual(
      [...made, heard.frames.at(-1)?.slice(9)].map((one) => `creation ${one}`).toSorted(),
    );
    expect(heard.frames[1]).toBe(heard.frames[2]);
  });

  test('aborts with an error that the host throws, and the engine stays usable', () => {
    const { engine, state } = world();
    state.putCode(CALLEE, `5b${staticCall(address(4))}5f56`);
    const heard = recordingFrames(state, 10);
    expect(() =>
      engine.callWithEffects(heard.state, tx({ to: CALLEE, gasLimit: 20_000_000n }), { fees: 'none' }),
    ).toThrow('enough');
    expect(heard.frames).toHaveLength(11);
    engine.clear();
    const later = recordingFrames(state);
    state.putCode(CALLEE, staticCall(address(4)));
    expect(executed(engine.callWithEffects(later.state, tx({ to: CALLEE }), { fees: 'none' })).status).toBe('success');
    expect(later.frames).toEqual([`call ${at(4)}`]);
  });

  test('refunds all gas of cleared slots, whereas a transaction gets at most a fifth of its gas', () => {
    const { engine, state } = world();
    const SLOTS = 5;
    state.putCode(
      CALLER,
      Array.from({ length: SLOTS }, (_, slot) => `5f60${slot.toString(16).padStart(2, '0')}55`).join(''),
    );
    for (let slot = 0; slot < SLOTS; slot += 1) state.putSlot(CALLER, word(slot), word(9));
    const rules = { fees: 'none' } as const;
    const plain = executed(engine.callWithEffects(state, tx({ to: CALLER }), rules));
    engine.clear();
    const byModule = executed(engine.callWithEffects(recordingFrames(state).state, tx({ to: CALLER }), rules));
    const spent = plain.gasUsed + plain.gasRefunded;
    // EIP-3529: 4,800 gas for each.
    expect(byModule).toMatchObject({ gasRefunded: BigInt(SLOTS) * 4_800n, gasUsed: spent - BigInt(SLOTS) * 4_800n });
    expect(plain.gasRefunded).toBe(spent / 5n);
  });

  test('is the only execution that reports frames: eth_call and transactions do not', () => {
    const { engine, state } = world();
    const heard = recordingFrames(state);
    state.putCode(CALLER, call(CALLEE));
    engine.call(heard.state, tx({ to: CALLER }), { fees: 'none' }, []);
    engine.transact(heard.state, tx({ to: CALLER, from: SENDER, data: NO_BYTES }), { fees: 'engine' });
    engine.clear();
    engine.callWithEffects(heard.state, tx({ to: CALLEE }), { fees: 'none' });
    expect(heard.frames).toEqual([]);
  });

  test.each([
    ['a call of an existing account', call(CALLEE), ['1 code ca11ee', '1 code ca11ee']],
    [
      'calls of an absent account',
      call(NOBODY).repeat(2),
      ['1 code dead', '1 code dead', '1 code dead', '1 code dead'],
    ],
    [
      'static calls, of which the first creates the account',
      staticCall(NOBODY).repeat(2),
      ['1 code dead', '1 code dead', '1 account dead'],
    ],
    ['a delegate call of an absent account', delegateCall(NOBODY), ['1 code dead', '3 code dead']],
    ['a call of a precompile of Ethereum', call(address(4)), ['1 code 4', '1 account 4', '1 account 4']],
    ['a call that lacks wei', CALL_FOR_TOO_MUCH, ['1 code ca11ee', '1 account ca11ee']],
    ['BALANCE, twice', BALANCE.repeat(2), ['1 account dead', '1 account dead']],
    ['EXTCODESIZE', SIZE, ['1 code dead']],
    ['SELFDESTRUCT', `73${toHex(NOBODY)}ff`, ['1 account dead', '1 account dead', '1 account dead']],
    ['SLOAD and SSTORE, once for each slot', '600754506001600755600854', ['slot 7', 'slot 8']],
    ['BLOCKHASH of an earlier block, twice, and of the current block', '5f40505f4050434050', ['hash 0', 'hash 0']],
  ])('reports the state reads of %s', (_, code, expected) => {
    const { engine, state } = world();
    state.putCode(CALLEE, '00');
    state.putCode(CALLER, code);
    const asked = questionsOf(state);
    engine.callWithEffects(asked.state, tx({ to: CALLER }), { fees: 'none' });
    expect(asked.questions).toEqual(expected);
  });

  test('reads an account again when the frame that created it reverted', () => {
    const { engine, state } = world();
    state.putCode(CALLEE, `${staticCall(NOBODY)}${REVERT}`);
    state.putCode(CALLER, `${call(CALLEE)}${BALANCE}`);
    const asked = questionsOf(state);
    engine.callWithEffects(asked.state, tx({ to: CALLER }), { fees: 'none' });
    const inside = ['1 code dead', '1 code dead', '1 account dead'];
    expect(asked.questions).toEqual(['1 code ca11ee', '1 code ca11ee', ...inside, '1 account dead']);
  });

  test('reports reads of slots of a new contract, though its storage is empty', () => {
    const { engine, state } = world();
    // PUSH1 7, SLOAD, SLOAD of what it read
    state.putCode(CALLER, '63600754545f526004601c5ff050');
    const asked = questionsOf(state);
    engine.callWithEffects(asked.state, tx({ to: CALLER }), { fees: 'none' });
    expect(asked.questions.filter((one) => one.startsWith('slot'))).toEqual(['slot 7', 'slot 0']);
    expect(asked.questions.slice(0, 2).map((one) => one.slice(0, 10))).toEqual(['1 account ', '3 account ']);
  });
});
