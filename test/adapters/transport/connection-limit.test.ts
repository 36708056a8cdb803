/** The connections of all servers of a process, within the files that it may open. */
import { describe, expect, it } from 'vitest';
import { Connections, ConnectionLimit, connectionsWithin } from '../../../src/adapters/transport/index.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';

describe('the connection limit', () => {
  it('leaves files for the store, and a few connections for a process that may open none', () => {
    const { reservedFiles, fewestConnections } = FIXED_LIMITS;
    expect(connectionsWithin({ limit: 1_000, used: 50 })).toBe(1_000 - 50 - reservedFiles - 200);
    expect(connectionsWithin({ limit: 64, used: 60 })).toBe(fewestConnections);
  });

  it('counts open connections once when another node of the process sets the limit again', () => {
    const { reservedFiles, fewestConnections } = FIXED_LIMITS;
    const all = new ConnectionLimit();
    const entered = (count: number): readonly boolean[] => Array.from({ length: count }, () => all.enter());
    const used = 800 - reservedFiles - fewestConnections - 2;
    all.restrict({ limit: 1_000, used });
    expect(entered(2)).toEqual([true, true]);
    // The two connections, and a file of the other node.
    all.restrict({ limit: 1_000, used: used + 3 });
    expect(entered(fewestConnections - 1)).not.toContain(false);
    expect(all.enter()).toBe(false);
  });

  it('is shared by the servers of a process, and each also has a limit of its own', () => {
    const all = new ConnectionLimit(3);
    const [one, other] = [new Connections(2, all), new Connections(5, all)];
    expect([one.enter(), one.enter()]).toEqual([undefined, undefined]);
    expect(one.enter()).toMatch(/limit connections/);
    one.leave();
    expect(other.enter()).toBeUndefined();
    expect(other.enter()).toMatch(/limit reservedFiles/);
    other.leave();
    one.leave();
    expect(other.enter()).toBeUndefined();
  });
});
