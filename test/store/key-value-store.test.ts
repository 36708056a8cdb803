import { join } from 'node:path';
import { describe } from 'vitest';
import { withPoisonRule, withRowChecksums } from '../../src/store/leveldb/checked-store.js';
import { openLevelStore } from '../../src/store/leveldb/level-store.js';
import { MemoryStore } from '../support/memory-store.js';
import { FaultyStore } from '../support/faulty-store.js';
import { keyValueStoreContract } from './contract.js';
import { temporaryFolder } from '../support/temporary.js';

describe('memory store', () => keyValueStoreContract(async () => new MemoryStore()));
describe('faulty store without faults', () => keyValueStoreContract(async () => new FaultyStore({ seed: 1 })));
describe('checked store over memory', () =>
  keyValueStoreContract(async () => withRowChecksums(withPoisonRule(new MemoryStore()))));
describe('level store', () =>
  keyValueStoreContract(() => openLevelStore(join(temporaryFolder(), 'db'), { create: true })));
