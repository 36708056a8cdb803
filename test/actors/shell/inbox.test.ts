import { expect, test } from 'vitest';
import { Inbox, type Reply } from '../../../src/actors/shell/inbox.js';

type Count = {
  readonly type: 'count';
  readonly value: number;
  readonly reply?: Reply<number>;
  readonly isEnding?: true;
};

function inbox(maximum = 3): { readonly inbox: Inbox<Count>; readonly seen: number[] } {
  return { inbox: new Inbox<Count>({ name: 'counter', maximum }), seen: [] };
}

test('commands wait until the actor is ready, and arrive in order', async () => {
  const { inbox: commands, seen } = inbox();
  const answers = [1, 2].map((value) => commands.ask<number>((reply) => ({ type: 'count', value, reply })));
  expect(commands.waiting).toBe(2);
  commands.open(({ value, reply }) => {
    seen.push(value);
    reply?.({ ok: true, value: value * 10 });
    return true;
  });
  expect(await Promise.all(answers)).toEqual([
    { ok: true, value: 10 },
    { ok: true, value: 20 },
  ]);
  expect(seen).toEqual([1, 2]);
});

test('a command beyond the limit is refused as busy and never reaches the actor', async () => {
  const { inbox: commands, seen } = inbox(1);
  commands.tell({ type: 'count', value: 1 });
  const refused = await commands.ask<number>((reply) => ({ type: 'count', value: 2, reply }));
  expect(refused).toEqual({ ok: false, error: { code: 'busy', what: 'counter' } });
  commands.open(({ value }) => seen.push(value) > 0);
  expect(seen).toEqual([1]);
});

test('a command that is sent during the handling of another follows it', () => {
  const { inbox: commands, seen } = inbox();
  commands.open(({ value }) => {
    if (value === 1) commands.tell({ type: 'count', value: 2 });
    seen.push(value);
    return true;
  });
  commands.tell({ type: 'count', value: 1 });
  expect(seen).toEqual([1, 2]);
});

test('a command during which the actor fails is refused, and commands after it wait for the next incarnation', async () => {
  const { inbox: commands, seen } = inbox();
  const fails = commands.ask<number>((reply) => ({ type: 'count', value: 1, reply }));
  const waits = commands.ask<number>((reply) => ({ type: 'count', value: 2, reply }));
  commands.open(() => {
    commands.close();
    return false;
  });
  expect(await fails).toEqual({ ok: false, error: { code: 'busy', what: 'counter' } });
  commands.open(({ value, reply }) => {
    seen.push(value);
    reply?.({ ok: true, value });
    return true;
  });
  expect(await waits).toEqual({ ok: true, value: 2 });
});

test('a stopping actor gets the commands that end work in progress; others wait for its next incarnation', () => {
  const { inbox: commands, seen } = inbox();
  const take = ({ value }: Count): boolean => seen.push(value) > 0;
  commands.tell({ type: 'count', value: 1 });
  commands.tell({ type: 'count', value: 2, isEnding: true });
  commands.open(take, 'endings');
  commands.tell({ type: 'count', value: 3 });
  commands.tell({ type: 'count', value: 4, isEnding: true });
  expect(seen).toEqual([2, 4]);
  commands.close();
  commands.open(take);
  expect(seen).toEqual([2, 4, 1, 3]);
});

test('every command is refused after the end', async () => {
  const { inbox: commands } = inbox();
  const waits = commands.ask<number>((reply) => ({ type: 'count', value: 1, reply }));
  commands.end({ code: 'halted', reason: 'the node is stopping' });
  const late = commands.ask<number>((reply) => ({ type: 'count', value: 2, reply }));
  const refusal = { ok: false, error: { code: 'halted', reason: 'the node is stopping' } };
  expect([await waits, await late]).toEqual([refusal, refusal]);
});
