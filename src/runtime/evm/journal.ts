import { decodeChanges } from '../../core/evm/decoding.js';
import type { EvmJournal } from '../../core/evm/precompile-call.js';
import { FlatWriter } from '../../core/evm/flat-bytes.js';
import type { EngineMemory } from './engine-memory.js';
import type { EngineExports } from './exports.js';

const STATUSES = ['revert', 'success', 'halt'] as const;

/**
 * Journal interface for a stateful precompile. `stopped` is called when an export returns -1; it throws the error that
 * stopped the engine, which ends the precompile.
 */
export function createJournal(engine: EngineExports, memory: EngineMemory, stopped: () => never): EvmJournal {
  const args = engine.args();
  const writer = new FlatWriter();
  const putArgs = (filled: FlatWriter): void => memory.put(args, filled.done());
  const check = (answer: number): void => {
    if (answer < 0) stopped();
  };
  const putScratch = (filled: FlatWriter): void => {
    const bytes = filled.done();
    memory.put(engine.scratch(bytes.length), bytes);
  };
  return {
    changes() {
      const length = engine.journal_changes();
      return decodeChanges(memory.copy(engine.scratch_pointer(), length));
    },
    balance(address) {
      putArgs(writer.reset().fixed(address, 20, 'address'));
      check(engine.journal_balance());
      return memory.u256(args + 20);
    },
    setBalance(address, balance) {
      putArgs(writer.reset().fixed(address, 20, 'address').u256(balance, 'balance'));
      check(engine.journal_set_balance());
    },
    storage(address, slot) {
      putArgs(writer.reset().fixed(address, 20, 'address').fixed(slot, 32, 'slot'));
      check(engine.journal_storage());
      return memory.copy(args + 52, 32);
    },
    setStorage(address, slot, value) {
      putArgs(writer.reset().fixed(address, 20, 'address').fixed(slot, 32, 'slot').fixed(value, 32, 'value'));
      check(engine.journal_set_storage());
    },
    log({ address, topics, data }) {
      writer.reset().fixed(address, 20, 'address').u8(topics.length);
      for (const topic of topics) writer.fixed(topic, 32, 'topic');
      putScratch(writer.raw(data));
      engine.journal_log();
    },
    call({ caller, to, value, gas, isStatic, data }) {
      writer
        .reset()
        .fixed(caller, 20, 'caller')
        .fixed(to, 20, 'to')
        .u256(value, 'value')
        .u64(gas, 'gas')
        .u8(isStatic ? 1 : 0);
      putScratch(writer.raw(data));
      const length = engine.journal_call();
      check(length);
      const at = engine.scratch_pointer();
      return {
        status: STATUSES[memory.u8(at)] ?? 'halt',
        gasUsed: memory.u64(at + 1),
        output: memory.copy(at + 9, length - 9),
      };
    },
  };
}
