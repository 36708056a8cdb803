import { describe, expect, it } from 'vitest';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { leadingDecimal } from '../../../src/core/query/decimal.js';
import { matches, parseQuery } from '../../../src/core/query/index.js';

/** The events against which the queries of the tables are evaluated. */
const EVENTS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    'tm.event': ['Tx'],
    'tx.hash': ['AB12'],
    'tx.height': ['5'],
    'transfer.amount': ['100stake', '8.045stake'],
    'transfer.recipient': ['addrA', 'addrB'],
    'message.action': ['/cosmos.bank.v1beta1.MsgSend'],
    'ethereum_tx.ethereumTxHash': ['0xabc'],
    'blk.time': ['2024-01-02T03:04:05Z'],
    'blk.date': ['2024-01-02'],
    'neg.v': ['-5'],
    'big.v': ['100000000000000000000000000000000000000001'],
    'sci.v': ['1e3'],
    'dot.v': ['.5'],
    'five.v': ['5.'],
    'word.v': ['abc'],
    'mid.v': ['v12x'],
    'empty.v': [''],
    'a.b.c': ['x'],
    'quote.v': ["it's"],
    'multi.v': ['abc', '7'],
    'lead.v': ['007'],
    'cosm-wasm.amt': ['9'],
    'sp.v': [' 5 '],
    'A.V': ['1'],
  }),
);

const TRUE = [
  "tm.event='Tx'",
  "tm.event = 'Tx'",
  'tx.height=5',
  "tx.height='5'",
  'tx.height=5.0',
  'tx.height>=5',
  "tx.height CONTAINS '5'",
  'tx.height<6 AND tx.height>4',
  'tx.height=05',
  'lead.v=007',
  'tx.height=5.',
  "ethereum_tx.ethereumTxHash='0xabc'",
  'transfer.amount=100',
  "transfer.amount='100stake'",
  'transfer.amount>99',
  'transfer.amount=8.045',
  'transfer.amount<9',
  "transfer.recipient='addrA' AND transfer.amount=8.045",
  "transfer.recipient='addrA' AND transfer.recipient='addrB'",
  'transfer EXISTS',
  'a.b EXISTS',
  "a.b = ''",
  "transfer = ''",
  "transfer CONTAINS ''",
  "empty.v=''",
  'empty.v EXISTS',
  'multi.v=7',
  'blk.time > TIME 2024-01-01T00:00:00Z',
  'blk.time = TIME 2024-01-02T04:04:05+01:00',
  'blk.date = DATE 2024-01-02',
  "neg.v='-5'",
  'big.v = 100000000000000000000000000000000000000001',
  'big.v > 100000000000000000000000000000000000000000',
  'sci.v=1',
  'five.v=5',
  'lead.v=7',
  'A.V=1',
  "quote.v CONTAINS 'it'",
  'cosm-wasm.amt=9',
  "  tm.event='Tx'  ",
  "tm.event='Tx'\nAND tx.height=5",
  "tm.event='Tx'AND tx.height=5",
  "tx.height=5AND tm.event='Tx'",
  'tm.event EXISTS',
];
const FALSE = [
  "tm.event='tx'",
  "tx.hash='ab12'",
  'tx.height>5',
  'tx.height = 5 AND tx.height = 6',
  'transfer.amount<8',
  'transfer.amount=8',
  'trans EXISTS',
  'a EXISTS',
  'transfer.rec EXISTS',
  "transfer.memo=''",
  'nope EXISTS',
  'empty.v=0',
  'word.v=5',
  'word.v > DATE 2024-01-01',
  'blk.time >= DATE 2024-01-02',
  'blk.date >= TIME 2024-01-02T00:00:00Z',
  'neg.v=5',
  'big.v = 100000000000000000000000000000000000000002',
  'sci.v=1000',
  'dot.v<1',
  'dot.v=0.5',
  'mid.v=12',
  'sp.v=5',
  'a.v=1',
  'TIME=5',
];
const ERRORS: readonly (readonly [string, string?])[] = [
  ["tm.event='Tx' and tx.height=5", 'offset 14: got tag, want 6'],
  ["tm.event='Tx' OR tx.height=5"],
  ["NOT tm.event='Tx'"],
  ["tm.event!='Tx'"],
  ['tx.height=.5'],
  ['tx.height=1e1', 'offset 11: got tag, want 6'],
  ["tx.height>='5'"],
  ['tx.height CONTAINS 5'],
  ['blk.date=DATE 2024-13-01', 'offset 9: invalid DATE value: parsing time "2024-13-01": month out of range'],
  ['blk.date=DATE 3024-01-01', 'offset 9: datestamp year 3024 out of range'],
  ['neg.v=-5', 'offset 6: invalid input - at offset 7'],
  ["quote.v='it's'"],
  ['', 'offset 0: EOF'],
  ['tm.event', 'offset 8: EOF'],
  ["tm.event='Tx' AND ", 'offset 18: EOF'],
  ["(tm.event='Tx')", 'offset 0: invalid input ( at offset 1'],
  ['tm.event="Tx"'],
  ["'Tx'=tm.event", 'offset 0: got string, wanted tag'],
  ["a/b='x'"],
  ['5a.v=5', 'offset 0: got number, wanted tag'],
  ['DATE EXISTS'],
  [
    'bad query',
    'offset 4: got tag, wanted <= operator, >= operator, < operator, > operator, = operator, CONTAINS operator or EXISTS operator',
  ],
  ['garbage!!', 'offset 7: invalid input ! at offset 8'],
  ["tm.event='Tx", 'offset 9: EOF'],
  ["tm.event='Tx' 'x", 'offset 14: EOF'],
  ['é!', 'offset 2: invalid input ! at offset 3'],
];

describe('event query', () => {
  const verdict = (text: string): boolean | string => {
    const parsed = parseQuery(text);
    return parsed.ok ? matches(parsed.query, EVENTS) : parsed.message;
  };
  it.each(TRUE)('%j matches', (text) => expect(verdict(text)).toBe(true));
  it.each(FALSE)('%j does not match', (text) => expect(verdict(text)).toBe(false));
  it.each(ERRORS.map((row) => [row[0], row[1]] as const))('%j is refused', (text, message) => {
    const parsed = parseQuery(text);
    expect(parsed.ok).toBe(false);
    if (message !== undefined) expect(parsed).toEqual({ ok: false, message });
  });

  it.each([
    'tx.hash=AB12',
    'ethereum_tx.ethereumTxHash=0xabc',
    'ethereum_tx.ethereumTxHash=0xABC',
    'tm.event=Tx AND tx.height=5',
    "ethereum.ethereumTxHash='0xABC'",
  ])('%j matches as an extension of CometBFT syntax', (text) => expect(verdict(text)).toBe(true));

  it('reads an unquoted 64-digit hash that begins with a digit as a string', () => {
    const hash = '5CE031A5CFC985A737A90879634E24157738AEBC4A38C4A1B198AEFBAE919918';
    const parsed = parseQuery(`tx.hash=${hash} AND tm.event=Tx`);
    expect(parsed.ok && parsed.query.normal).toBe(`tx.hash = '${hash}' AND tm.event = 'Tx'`);
  });

  it('selects block events by phase with begin_block and end_block', () => {
    const block = new Map([
      ['tm.event', ['NewBlock']],
      ['transfer.amount', ['1a', '2a']],
      ['transfer.mode', ['BeginBlock', 'EndBlock']],
    ]);
    const test = (text: string): boolean => {
      const parsed = parseQuery(text);
      return parsed.ok && matches(parsed.query, block);
    };
    expect(test('begin_block.transfer.amount=1')).toBe(true);
    expect(test('begin_block.transfer.amount=2')).toBe(false);
    expect(test('end_block.transfer.amount=2')).toBe(true);
    expect(test('begin_block EXISTS AND end_block.transfer EXISTS')).toBe(true);
    expect(test('begin_block.rewards EXISTS')).toBe(false);
  });
});

describe('a number of a query', () => {
  const NINES = '9'.repeat(FIXED_LIMITS.queryDigits);

  it('has at most queryDigits digits before its point', () => {
    expect(leadingDecimal(NINES)).toEqual({ digits: BigInt(NINES), scale: 0 });
    expect(leadingDecimal(`${NINES}9`)).toBeUndefined();
    expect(leadingDecimal(`${NINES}9.5`)).toBeUndefined();
  });

  it('loses the digits behind the first queryDigits of its fraction', () => {
    expect(leadingDecimal(`0.${NINES}1`)).toEqual(leadingDecimal(`0.${NINES}`));
  });
});
