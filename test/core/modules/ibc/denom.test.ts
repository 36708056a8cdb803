/** Paths of tokens, parsed into the trace of hops and the base denom. Strangers choose these texts, of any length. */
import { describe, expect, it } from 'vitest';
import { clientTypeOf, isChannelFormat } from '../../../../src/core/modules/ibc/identifiers.js';
import { denomOfPath } from '../../../../src/core/modules/transfer/denom.js';

const MANY = 100_000;

describe('denomOfPath', () => {
  const hop = (portId: string, channelId: string) => ({ portId, channelId });
  it.each([
    ['uatom', 'uatom', []],
    ['transfer/channel-0', 'transfer/channel-0', []],
    ['transfer/channel-0/uatom', 'uatom', [hop('transfer', 'channel-0')]],
    ['a/channel-1/b/07-tendermint-2/pool/1', 'pool/1', [hop('a', 'channel-1'), hop('b', '07-tendermint-2')]],
    ['transfer/09-localhost/uatom', 'uatom', [hop('transfer', '09-localhost')]],
    ['transfer/channel-18446744073709551616/uatom', 'transfer/channel-18446744073709551616/uatom', []],
    ['gamm/pool/1', 'gamm/pool/1', []],
    ['a/channel-0/', '', [hop('a', 'channel-0')]],
    ['a/channel-0/b/channel-1', '', [hop('a', 'channel-0'), hop('b', 'channel-1')]],
  ])('splits %s into its trace and its base denom', (path, base, trace) => {
    expect(denomOfPath(path)).toEqual({ base, trace });
  });

  // a pattern that backtracks, or a list that is cut at its front, would need minutes for these
  it('parses a path of 100,000 hops', () => {
    const { base, trace } = denomOfPath(`${'a/b-0/'.repeat(MANY)}uatom`);
    expect({ base, hops: trace.length }).toEqual({ base: 'uatom', hops: MANY });
  });

  it('parses a path with one name of a million characters', () => {
    const path = `transfer/${'a'.repeat(10 * MANY)}/uatom`;
    expect(denomOfPath(path)).toEqual({ base: path, trace: [] });
  });
});

it.each([
  ['07-tendermint-0', '07-tendermint'],
  ['09-localhost', '09-localhost'],
  ['a-0', 'a'],
  ['a--b-0', 'a--b'],
  ['-a-0', undefined],
  ['a--0', undefined],
  ['a.b-0', undefined],
  ['a-', undefined],
  ['-0', undefined],
  ['0', undefined],
  ['', undefined],
  ['a-18446744073709551615', 'a'],
  ['a-18446744073709551616', undefined],
  ['a-000000000000000000001', undefined],
])('the client type of the identifier %j is %j', (id, type) => {
  expect(clientTypeOf(id)).toBe(type);
});

it.each([
  ['channel-0', true],
  ['channel-', false],
  ['channel-x', false],
  ['mychannel-0', false],
])('%s has the format of a channel identifier: %j', (id, named) => {
  expect(isChannelFormat(id)).toBe(named);
});
