/** The activity log's lines for events of blocks: slashing, unbonding, proposals. */
import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { eventLine, EVENTS_WITH_LINES } from '../../../src/core/activity/event-lines.js';
import { lineText } from '../../../src/core/activity/line.js';
import { EventSchema } from '../../../src/core/proto/tendermint/abci/types_pb.js';

const DEV0 = 'chron17w0adeg64ky0daxwd2ugyuneellmjgnxhhzugr';
const NAMES = { accounts: new Map([['f39fd6e51aad88f6f4ce6ab8827279cfffb92266', 'dev0']]) };

function told(type: string, attributes: Readonly<Record<string, string>>): string | undefined {
  const list = Object.entries(attributes).map(([key, value]) => ({ key, value, index: true }));
  const line = eventLine(create(EventSchema, { type, attributes: list }), NAMES, 'achr');
  return line && lineText(line, false);
}

test.each([
  [
    'slash',
    {
      address: 'chronvalcons1q',
      power: '5',
      reason: 'missing_signature',
      jailed: 'chronvalcons1q',
      burned_coins: '50',
    },
    '  slashed  chronvalcons1q for missing_signature: 50 achr burned, and jailed',
  ],
  [
    'slash',
    { address: 'chronvalcons1q', reason: 'double_sign', burned_coins: `25${'0'.repeat(17)}` },
    '  slashed  chronvalcons1q for double_sign: 2.5 chr burned',
  ],
  ['slash', { jailed: 'chronvalcons1q', mode: 'BeginBlock' }, '  jailed  chronvalcons1q'],
  [
    'complete_unbonding',
    { amount: `1${'0'.repeat(18)}achr`, validator: 'chronvaloper1q', delegator: DEV0 },
    '  unbonded  1 chr of dev0',
  ],
  [
    'complete_redelegation',
    { amount: '7uatom', delegator: 'chron1other', source_validator: 'a', destination_validator: 'b' },
    '  redelegated  7uatom of chron1other to b',
  ],
  [
    'active_proposal',
    { proposal_id: '3', proposal_result: 'proposal_passed', proposal_log: 'passed' },
    '  proposal 3  passed',
  ],
  [
    'active_proposal',
    { proposal_id: '4', proposal_result: 'proposal_failed', proposal_log: 'passed, but failed' },
    '  proposal 4  failed  passed, but failed',
  ],
  ['inactive_proposal', { proposal_id: '5', proposal_result: 'proposal_dropped' }, '  proposal 5  dropped'],
])('the line of event %s %o', (type, attributes, text) => {
  expect(EVENTS_WITH_LINES.has(type)).toBe(true);
  expect(told(type, attributes)).toBe(text);
});

test('control characters of an event are removed from its line', () => {
  const log = 'failed\u001b[2J';
  const text = told('active_proposal', { proposal_id: '4', proposal_result: 'proposal_failed', proposal_log: log });
  expect(text).toMatch(/^ {2}proposal 4 {2}failed {2}failed/);
  expect(text).not.toContain('\u001b');
});

test('an event of another type has no line', () => {
  expect(told('liveness', { address: 'chronvalcons1q' })).toBeUndefined();
});
