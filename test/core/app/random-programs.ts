/** Random EVM programs for the contracts and the init code of mixed blocks. */
import fc from 'fast-check';
import type { Hex } from 'viem';

/**
 * One step of a program. Values are wei; `received` is the value of the running call, `everything` the contract's own
 * balance.
 */
export type Step =
  | { readonly do: 'write' | 'read'; readonly slot: number; readonly value: number }
  | { readonly do: 'log'; readonly topics: number }
  | {
      readonly do: 'call';
      readonly kind: 'call' | 'delegate' | 'static';
      readonly to: Hex;
      readonly value: number | 'received' | 'everything';
    }
  | { readonly do: 'look'; readonly at: Hex }
  | {
      readonly do: 'create';
      readonly init: 'burn' | 'destroy' | 'revert' | 'plain' | 'write';
      readonly to: Hex;
      readonly value: number;
      readonly called: boolean;
    }
  | { readonly do: 'destroy'; readonly to: Hex }
  | { readonly do: 'revert' | 'invalid' | 'stop' | 'spin' };

/** Topic of the log that reports the wei destroyed with a contract, which no other event shows. */
export const BURN_TOPIC = 0xbb;

const byte = (value: number): string => value.toString(16).padStart(2, '0');
const push = (value: number): string => `60${byte(value)}`;
const at = (address: Hex): string => `73${address.slice(2).toLowerCase()}`;
const ZERO_FOUR = push(0).repeat(4);
/** Loops until it runs out of gas. */
const SPIN = '5b586001900356';
/**
 * Logs its own balance and destroys it: a contract that sends its balance to itself in the transaction that created it
 * (EIP-6780).
 */
const BURN = `4760005260${byte(BURN_TOPIC)}60206000a130ff`;

/** Init code of at most 32 bytes. */
function smallInit(step: Extract<Step, { do: 'create' }>): string {
  switch (step.init) {
    case 'burn':
      return BURN;
    case 'destroy':
      return `${at(step.to)}ff`;
    case 'revert':
      return '60206000fd';
    // code that sends its whole balance to its caller
    case 'plain':
      return '6133ff6000526002601ef3';
    case 'write':
      return '600160005500';
  }
}

function wei(value: number | 'received' | 'everything'): string {
  if (value === 'received') return '34';
  return value === 'everything' ? '47' : push(value);
}

function codeOf(step: Step): string {
  switch (step.do) {
    case 'write':
      return `${push(step.value)}${push(step.slot)}55`;
    case 'read':
      return `${push(step.slot)}5460005260206000a0`;
    case 'log':
      return `${Array.from({ length: step.topics }, (_, index) => push(index + 1)).join('')}60206000a${step.topics}`;
    case 'call':
      if (step.kind === 'call') return `${ZERO_FOUR}${wei(step.value)}${at(step.to)}5af150`;
      return `${ZERO_FOUR}${at(step.to)}5a${step.kind === 'delegate' ? 'f4' : 'fa'}50`;
    case 'look':
      return `${at(step.at)}31600052${at(step.at)}3f60205260406000a0`;
    case 'create': {
      const init = smallInit(step);
      const length = init.length / 2;
      const created = `${byte(0x5f + length)}${init}600052${push(length)}${push(32 - length)}${push(step.value)}f0`;
      // Wei sent to a contract that destroyed itself during its creation would be burned without a log.
      const gift = step.init === 'burn' || step.init === 'destroy' ? 0 : step.value;
      return step.called ? `${created}${ZERO_FOUR}${push(gift)}855af15050` : `${created}50`;
    }
    case 'destroy':
      return `${at(step.to)}ff`;
    case 'revert':
      return '60206000fd';
    case 'invalid':
      return 'fe';
    case 'stop':
      return '00';
    case 'spin':
      return SPIN;
  }
}

/** Byte code without its prefix `0x`. */
export const assemble = (steps: readonly Step[]): string => steps.map(codeOf).join('');

/** The end of init code after its steps. */
export type Ending = 'code' | 'nothing' | 'forbidden code' | 'burn' | 'revert';

/**
 * Init code. It never uses DELEGATECALL: delegated code could destroy the new contract, and wei that it gets later
 * would be burned without a log.
 */
export function assembleInit(steps: readonly Step[], ending: Ending, runtime: readonly Step[]): Hex {
  const before = assemble(steps.filter((step) => step.do !== 'call' || step.kind !== 'delegate'));
  switch (ending) {
    case 'nothing':
      return `0x${before}00`;
    case 'burn':
      return `0x${before}${BURN}`;
    case 'revert':
      return `0x${before}60206000fd`;
    case 'forbidden code':
      return `0x${before}60ef60005360016000f3`;
    case 'code': {
      const code = assemble(runtime);
      const two = (value: number): string => `61${value.toString(16).padStart(4, '0')}`;
      const length = two(code.length / 2);
      return `0x${before}${length}${two(before.length / 2 + 15)}600039${length}6000f3${code}`;
    }
  }
}

interface Addresses {
  readonly payable: fc.Arbitrary<Hex>;
  /** Addresses that programs call without wei and read. */
  readonly any: fc.Arbitrary<Hex>;
  /** Beneficiaries of SELFDESTRUCT: never a new contract, because that would burn wei without a log. */
  readonly heir: fc.Arbitrary<Hex>;
}

/** Steps of a program. */
export function programs({ payable, any, heir }: Addresses): fc.Arbitrary<readonly Step[]> {
  const constant = <Value extends string>(...values: readonly Value[]): fc.Arbitrary<Value> =>
    fc.constantFrom(...values);
  const small = fc.nat(3);
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: constant('write', 'read'), slot: fc.nat(2), value: fc.nat(2) }) },
    { weight: 3, arbitrary: fc.record({ do: constant('log'), topics: fc.nat(4) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: constant('call'),
        kind: constant('call', 'delegate', 'static'),
        to: any,
        value: fc.constant(0),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        do: constant('call'),
        kind: constant('call'),
        to: payable,
        value: fc.oneof(small, constant('received', 'everything')),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: constant('look'), at: any }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: constant('create'),
        init: constant('burn', 'destroy', 'revert', 'plain', 'write'),
        to: heir,
        value: small,
        called: fc.boolean(),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: constant('destroy'), to: heir }) },
    { weight: 1, arbitrary: fc.record({ do: constant('revert', 'revert', 'invalid', 'stop', 'spin') }) },
  );
  return fc.array(step, { maxLength: 5 });
}
