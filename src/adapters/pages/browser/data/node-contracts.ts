/**
 * Contract ABIs known to the node: verified, compiled locally, or set by a user. Uses `chronicle_contract`, and
 * `chronicle_supplyContract` in dev mode.
 */
import { signal } from '@preact/signals';
import { askAll, valueOf } from './ethereum.js';
import { clock, facts, generation, namespaces } from './store.js';

/** A contract with its ABI; `abi` is compiler JSON. */
export interface NodeContract {
  readonly name: string;
  readonly abi: readonly unknown[];
  readonly origin: 'verified' | 'artifacts' | 'supplied';
  readonly storageLayout?: unknown;
}

interface Answered {
  readonly contract: NodeContract | undefined;
  /** Time of the answer, milliseconds. */
  readonly at: number;
}

/** Cache lifetimes in milliseconds: compiled contracts change while a developer works. */
const KNOWN_MS = 60_000;
const UNKNOWN_MS = 3_000;
/** Maximum number of cached contracts, and of contracts per request. */
const MOST_KEPT = 1_000;
const MOST_ASKED = 50;

/** Changes when the node has answered. */
const changes = signal(0);
let answers = new Map<string, Answered>();
let wanted = new Set<string>();
let branch = 0;
let isAsking = false;

/**
 * The contract at an address; undefined if the node knows none, and until it answers; then the caller is rendered
 * again.
 */
export function nodeContract(address: string): NodeContract | undefined {
  const key = address.toLowerCase();
  const known = suppliedContract(key);
  // Its artifact may appear at any time, so render the caller again with each poll.
  if (known === undefined) void clock.value;
  if (!namespaces.value.has('chronicle') || !isStale(answers.get(key))) return known;
  wanted.add(key);
  if (!isAsking) {
    isAsking = true;
    queueMicrotask(() => void askWanted().catch(() => undefined));
  }
  return known;
}

/** The cached contract at an address; does not ask the node, so that lists send no requests. */
export function suppliedContract(address: string): NodeContract | undefined {
  return ofThisBranch().get(address.toLowerCase())?.contract;
}

/** All cached contracts. */
export function suppliedContracts(): readonly { readonly address: string; readonly name: string }[] {
  return [...ofThisBranch()].flatMap(([address, { contract }]) =>
    contract === undefined ? [] : [{ address, name: contract.name }],
  );
}

/** Sets or removes a contract's ABI in a node in dev mode. */
export async function tellNode(
  address: string,
  contract: Pick<NodeContract, 'name' | 'abi' | 'storageLayout'> | undefined,
): Promise<void> {
  if (facts.value?.is_dev !== true || !namespaces.value.has('chronicle')) return;
  // the name may be a file name
  const named = contract && { ...contract, name: contract.name.replace(/[^\w$]/g, '_') };
  await askAll([{ method: 'chronicle_supplyContract', params: [address, named ?? null] }]);
  answers.delete(address.toLowerCase());
  changes.value += 1;
}

/** The cache of the current chain and branch. */
function ofThisBranch(): ReadonlyMap<string, Answered> {
  void changes.value;
  if (branch !== generation.value) {
    branch = generation.value;
    answers = new Map();
  }
  return answers;
}

function isStale(answered: Answered | undefined): boolean {
  if (answered === undefined) return true;
  return performance.now() - answered.at > (answered.contract === undefined ? UNKNOWN_MS : KNOWN_MS);
}

async function askWanted(): Promise<void> {
  try {
    while (wanted.size > 0) {
      const keys = [...wanted].slice(0, MOST_ASKED);
      wanted = new Set([...wanted].slice(MOST_ASKED));
      const of = branch;
      const results = await askAll(keys.map((key) => ({ method: 'chronicle_contract', params: [key] })));
      if (of !== branch) continue;
      keys.forEach((key, index) => keep(key, valueOf<NodeContract>(results[index]) ?? undefined));
    }
  } finally {
    isAsking = false;
  }
}

function keep(key: string, contract: NodeContract | undefined): void {
  const before = answers.get(key)?.contract;
  answers.delete(key);
  answers.set(key, { contract, at: performance.now() });
  const [oldest] = answers.keys();
  if (answers.size > MOST_KEPT && oldest !== undefined) answers.delete(oldest);
  if (JSON.stringify(before) !== JSON.stringify(contract)) changes.value += 1;
}
