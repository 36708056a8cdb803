/** Rules for identifiers of IBC that no recorded query breaks. */
import { describe, expect, it } from 'vitest';
import { identifierProblem } from '../../../../src/core/modules/ibc/identifiers.js';

describe('identifierProblem', () => {
  it.each([
    ['port', 'transfer', undefined],
    ['port', 'x', 'x has invalid length: 1, must be between 2-128 characters'],
    ['client', `${'a'.repeat(65)}`, `${'a'.repeat(65)} has invalid length: 65, must be between 4-64 characters`],
    ['channel', 'channel-0', undefined],
    ['channel', 'channel', 'channel has invalid length: 7, must be between 8-64 characters'],
    ['connection', 'connection-0', undefined],
    ['connection', 'connection/0', "connection/0 cannot contain separator '/'"],
    ['connection', ' ', 'cannot be blank'],
  ] as const)('checks the identifier of a %s: %s', (kind, id, problem) => {
    expect(identifierProblem(kind, id)).toBe(
      problem === undefined ? undefined : `identifier ${problem}: invalid identifier`,
    );
  });
});
