/**
 * Contracts whose interface the node knows: verified there, compiled beside it, or told by a reader. Asks:
 * `chronicle_contract`, in dev mode `chronicle_tellContract`.
 */
import { signal } from '@preact/signals';
import { askAll, valueOf } from './ethereum.js';
import { clock, facts, generation, namespaces } from './store.js';

/** A contract with its interface; `abi` is the JSON of a compiler. */
export interface NodeContract {
  readonly name: string;
  readonly abi: readonly unknown[];
  readonly origin: 'verified' | 'artifacts' | 'told';
  readonly storageLayout?: unknown;
}

interface Answered {
  readonly contract: NodeContract | undefined;
  /** The page's clock, milliseconds. */
  readonly at: number;
}

/** Time for which an answer holds: files of compiled contracts change while a developer works. */
const KNOWN_MS = 60_000;
const UNKNOWN_MS = 3_000;
/** Contracts that are kept, and asked for at once. */
const MOST_KEPT = 1_000;
const MOST_ASKED = 50;

/** Changes when the node told of a contract. */
const told = signal(0);
let answers = new Map<string, Answered>();
let wanted = new Set<string>();
let branch = 0;
let isAsking = false;

/** The contract at an address; undefined where the node knows none, and until it answers: the caller is shown again. */
export function nodeContract(address: string): NodeContract | undefined {
  const key = address.toLowerCase();
  const known = toldContract(key);
  // Its file may come at any time: the caller is shown again with each look at the node.
  if (known === undefined) void clock.value;
  if (!namespaces.value.has('chronicle') || !isStale(answers.get(key))) return known;
  wanted.add(key);
  if (!isAsking) {
    isAsking = true;
    queueMicrotask(() => void askWanted().catch(() => undefined));
  }
  return known;
}

/** The contract at an address that was asked for before: lists of addresses ask for none. */
export function toldContract(address: string): NodeContract | undefined {
  return ofThisBranch().get(address.toLowerCase())?.contract;
}

/** Contracts that the node told of. */
export function suppliedContracts(): readonly { readonly address: string; readonly name: string }[] {
  return [...ofThisBranch()].flatMap(([address, { contract }]) =>
    contract === undefined ? [] : [{ address, name: contract.name }],
  );
}

/** Tells the node of a contract, or lets it forget one, where it takes that: in dev mode. */
export async function tellNode(
  address: string,
  contract: Pick<NodeContract, 'name' | 'abi' | 'storageLayout'> | undefined,
): Promise<void> {
  if (facts.value?.is_dev !== true || !namespaces.value.has('chronicle')) return;
  // a name may be that of a file
  const named = contract && { ...contract, name: contract.name.replace(/[^\w$]/g, '_') };
  await askAll([{ method: 'chronicle_tellContract', params: [address, named ?? null] }]);
  answers.delete(address.toLowerCase());
  told.value += 1;
}

/** Answers of the node; nothing of another chain or branch. */
function ofThisBranch(): ReadonlyMap<string, Answered> {
  void told.value;
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
  if (JSON.stringify(before) !== JSON.stringify(contract)) told.value += 1;
}
