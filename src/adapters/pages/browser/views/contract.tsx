/**
 * A contract: its interface pasted, uploaded or known to the node, forms to read and to write, its code.
 * Asks: `eth_call`, `chronicle_contract`, `eth_sendTransaction` (of the node or a wallet), `ots_getContractCreator`.
 */
import { useRef, useState } from 'preact/hooks';
import { type AbiItem, abiItems } from '../../../../core/abi/item.js';
import { typeText } from '../../../../core/abi/type.js';
import { encodeCall } from '../data/abi-encode.js';
import { useAnswer } from '../data/answer.js';
import { abiOf, decodeError, type GivenContract, type InterfaceOf, keepAbi, readAbi } from '../data/contracts.js';
import { crypto } from '../data/crypto.js';
import { ask, Refused } from '../data/ethereum.js';
import { amountOf, groupedText } from '../data/format.js';
import type { NodeFacts } from '../data/node-facts.js';
import { send, type Sender } from '../data/send.js';
import { blockTag, moment } from '../data/store.js';
import { wallets } from '../data/wallets.js';
import { fieldText, messageOf } from '../parts/actions.js';
import { Callout, Shown } from '../parts/answers.js';
import { AccountId, TxId } from '../parts/ids.js';
import { Card, Pairs } from '../parts/layout.js';
import { Badge, Code } from '../parts/values.js';
import { type CallOutcome, CallResult } from '../parts/call-result.js';
import { abiText } from '../parts/events.js';

/** The interface of a contract and what it is used for. */
export function ContractPart({ address, code, facts }: { address: string; code: string; facts: NodeFacts }) {
  const contract = abiOf(address);
  const creation = useAnswer(
    ['creator', address],
    () =>
      ask<{ readonly hash: string; readonly creator: string } | null>('ots_getContractCreator', address).catch(
        () => null,
      ),
    { isFixed: true },
  );
  return (
    <>
      <Card title="Contract">
        <Shown answer={creation}>
          {(known) => (
            <Pairs
              rows={[
                ['Created by', known !== null && <AccountId address={known.creator} />],
                ['In', known !== null && <TxId hash={known.hash} />],
                ['Code', `${groupedText((code.length - 2) / 2)} bytes`],
                ['Interface', contract === undefined ? 'not given' : `${contract.name}, ${ORIGINS[contract.origin]}`],
              ]}
            />
          )}
        </Shown>
        <details class="fold">
          <summary>Code</summary>
          <div>
            <Code text={code} what="code" />
          </div>
        </details>
      </Card>
      <AbiForm address={address} contract={contract} />
      {contract !== undefined && <Functions address={address} contract={contract} facts={facts} />}
    </>
  );
}

const ORIGINS: Readonly<Record<InterfaceOf['origin'], string>> = {
  reader: 'kept in this browser',
  verified: 'verified at this node',
  artifacts: 'compiled beside this node',
  supplied: 'given to this node',
};

function AbiForm({ address, contract }: { address: string; contract: InterfaceOf | undefined }) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [problem, setProblem] = useState('');
  const take = (text: string, fileName = ''): void => {
    try {
      keepAbi(address, readAbi(text, fileName));
      setProblem('');
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const upload = async (file: File | undefined): Promise<void> => {
    if (file !== undefined) take(await file.text(), file.name);
  };
  if (contract !== undefined)
    return (
      <p class="row">
        <Badge kind="accent">{contract.name}</Badge>
        {contract.origin === 'reader' || contract.origin === 'supplied' ? (
          <button type="button" onClick={() => keepAbi(address, undefined)}>
            Forget this interface
          </button>
        ) : (
          <span class="muted">{ORIGINS[contract.origin]}</span>
        )}
      </p>
    );
  return (
    <Card title="Interface" id="abi">
      <div class="stack">
        <label for="abi-text">ABI as JSON, or an artifact of Hardhat, Foundry or solc</label>
        <textarea id="abi-text" ref={area} spellcheck={false} placeholder='[{"type":"function","name":"…"}]' />
        <div class="row">
          <button type="button" class="primary" onClick={() => take(area.current?.value ?? '')}>
            Use it
          </button>
          <label class="button">
            Open a file
            <input
              type="file"
              class="unseen"
              accept=".json,application/json"
              onChange={(event) => void upload(event.currentTarget.files?.[0])}
            />
          </label>
          <span role="status" class="outcome bad">
            {problem}
          </span>
        </div>
      </div>
    </Card>
  );
}

function Functions({ address, contract, facts }: { address: string; contract: GivenContract; facts: NodeFacts }) {
  const items = abiItems(crypto, contract.abi).filter(({ kind }) => kind === 'function');
  const reads = items.filter((item) => isRead(item, contract));
  const writes = items.filter((item) => !isRead(item, contract));
  return (
    <>
      <Card title={`Read (${reads.length})`} id="read">
        {reads.map((item) => (
          <Form key={item.selector} address={address} item={item} facts={facts} isWrite={false} />
        ))}
        {reads.length === 0 && <p class="empty">No function only reads.</p>}
      </Card>
      <Card title={`Write (${writes.length})`} id="write">
        {moment.value !== undefined && (
          <Callout kind="warn">The past cannot be changed: a transaction is executed in the next block.</Callout>
        )}
        {writes.map((item) => (
          <Form key={item.selector} address={address} item={item} facts={facts} isWrite />
        ))}
        {writes.length === 0 && <p class="empty">No function writes.</p>}
      </Card>
    </>
  );
}

function isRead({ name, inputs }: AbiItem, { abi }: GivenContract): boolean {
  const entry = abi.find((one) => {
    const {
      type,
      name: own,
      inputs: list,
    } = (one ?? {}) as {
      readonly type?: unknown;
      readonly name?: unknown;
      readonly inputs?: unknown;
    };
    return type === 'function' && own === name && Array.isArray(list) && list.length === inputs.length;
  }) as { readonly stateMutability?: unknown } | undefined;
  return entry?.stateMutability === 'view' || entry?.stateMutability === 'pure';
}

function Form({
  address,
  item,
  facts,
  isWrite,
}: {
  address: string;
  item: AbiItem;
  facts: NodeFacts;
  isWrite: boolean;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [outcome, setOutcome] = useState<CallOutcome>({ kind: 'none' });
  const [isBusy, setBusy] = useState(false);
  const run = async (): Promise<CallOutcome> => {
    const text = (name: string): string => fieldText(form.current, name);
    const call = encodeCall(
      item.selector,
      item.inputs,
      item.inputs.map((_, index) => text(`input-${index}`)),
    );
    if (!isWrite)
      return { kind: 'values', data: await ask<string>('eth_call', { to: address, data: call }, blockTag.value) };
    const value = amountOf(text('value') || '0', facts.denom.decimals);
    if (value === undefined) throw new Error('the value is no amount');
    const sender = senderOf(text('sender'), facts);
    if (sender === undefined) throw new Error('there is no account to send from: add a wallet on Home');
    return { kind: 'sent', hash: await send(sender, { to: address, data: call, value }) };
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    setBusy(true);
    run()
      .catch((error: unknown): CallOutcome => ({ kind: 'failed', text: failure(address, error) }))
      .then((next) => {
        setOutcome(next);
        setBusy(false);
      })
      .catch(() => undefined);
  };
  return (
    <details class="fold">
      <summary>
        <code>
          {item.name}(
          {item.inputs.map(({ name, type }) => `${typeText(type)}${name === '' ? '' : ` ${name}`}`).join(', ')})
        </code>
      </summary>
      <form class="stack" ref={form} onSubmit={submit}>
        {item.inputs.map(({ name, type }, index) => (
          <label key={index} class="field">
            <span>
              {name === '' ? `argument ${index}` : name} <small class="muted">{typeText(type)}</small>
            </span>
            <input name={`input-${index}`} spellcheck={false} autocomplete="off" />
          </label>
        ))}
        {isWrite && <Sending facts={facts} />}
        <div class="row">
          <button class={isWrite ? 'primary' : ''} disabled={isBusy}>
            {isWrite ? 'Send' : 'Read'}
          </button>
          <CallResult outcome={outcome} item={item} />
        </div>
      </form>
    </details>
  );
}

function Sending({ facts }: { facts: NodeFacts }) {
  return (
    <div class="row">
      <label class="field">
        <span>from</span>
        <select name="sender">
          {facts.accounts.map(({ hex, name }) => (
            <option key={hex} value={hex}>
              {name ?? hex}
            </option>
          ))}
          {wallets.value.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>
          value <small class="muted">{facts.denom.symbol}</small>
        </span>
        <input name="value" placeholder="0" autocomplete="off" />
      </label>
    </div>
  );
}

function senderOf(id: string, facts: NodeFacts): Sender | undefined {
  if (facts.accounts.some(({ hex }) => hex === id)) return { kind: 'node', address: id };
  const wallet = wallets.value.find((one) => one.id === id);
  return wallet && { kind: 'wallet', provider: wallet.provider, chainId: BigInt(facts.evm_chain_id) };
}

/** The node's words, and the error of the contract where its interface has it. */
function failure(address: string, error: unknown): string {
  const decoded =
    error instanceof Refused && typeof error.data === 'string' ? decodeError(address, error.data) : undefined;
  if (decoded === undefined) return messageOf(error);
  return `reverted: ${decoded.name}(${decoded.values.map(({ value }) => abiText(value)).join(', ')})`;
}
