/** Links to things of the chain by their ids, each with a copy button. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { contractName } from '../data/contracts.js';
import { nodeContract } from '../data/node-contracts.js';
import { spellings, bytesOf } from '../data/crypto.js';
import { shortText } from '../data/format.js';
import type { Route } from '../data/router.js';
import { addressOfView, facts } from '../data/store.js';
import { Icon } from './icon.js';

/** A link to a view of the application. */
export function To({ route, children, title }: { route: Route; children: ComponentChildren; title?: string }) {
  return (
    <a href={addressOfView(route)} title={title}>
      {children}
    </a>
  );
}

/** A button that copies a text, and says so. */
export function Copy({ text, what }: { text: string; what: string }) {
  const [isDone, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text).catch(() => copyOldWay(text));
    setDone(true);
    setTimeout(() => setDone(false), 1_500);
  };
  return (
    <button
      type="button"
      class="copy"
      aria-label={isDone ? `${what}: copied` : `Copy ${what}`}
      title={isDone ? 'Copied' : `Copy ${what}`}
      onClick={() => void copy()}
    >
      <Icon name={isDone ? 'check' : 'copy'} />
    </button>
  );
}

/** Pages that are not of loopback or HTTPS have no clipboard. */
function copyOldWay(text: string): void {
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

/** An id in the font of code, cut in the middle unless `whole`, with its copy button; a link where `route` is given. */
export function Id({ id, route, whole = false, what = 'id', name }: IdProps) {
  const text = name ?? (whole ? id : shortText(id, id.startsWith('0x') ? 8 : 9, 6));
  const code = (
    <code title={id} class={name === undefined || name.startsWith('0x') ? undefined : 'named'}>
      {text}
    </code>
  );
  return (
    <span class={whole ? 'id whole' : 'id'}>
      {route === undefined ? code : <To route={route}>{code}</To>}
      <Copy text={id} what={what} />
    </span>
  );
}

interface IdProps {
  id: string;
  route?: Route;
  whole?: boolean;
  what?: string;
  name?: string | undefined;
}

/** A transaction's hash as a link to it. */
export function TxId({ hash, isShort = false }: { hash: string; isShort?: boolean }) {
  return <Id id={hash} route={{ view: 'tx', hash }} what="hash" {...(isShort && { name: shortText(hash, 6, 4) })} />;
}

/** A block's height as a link to it. */
export function BlockLink({ height }: { height: bigint | string | number }) {
  return <To route={{ view: 'block', id: BigInt(height).toString() }}>{BigInt(height).toString()}</To>;
}

/** An account as a link to it: the name of a dev account or a contract, else its address in the spelling that was given. */
export function AccountId({ address, whole = false }: { address: string; whole?: boolean }) {
  const bytes = bytesOf(address);
  const prefix = facts.value?.bech32_prefix;
  const text = bytes?.length === 20 && prefix !== undefined ? (spellings(bytes, prefix).hex ?? address) : address;
  const name = accountName(address) ?? contractName(text);
  return (
    <span class="account">
      {whole && name !== undefined && <span class="badge name">{name}</span>}
      <Id
        id={text}
        route={{ view: 'account', address: text, part: 'state' }}
        whole={whole}
        what="address"
        name={whole ? undefined : name}
      />
    </span>
  );
}

/** A contract as a link to it, for whose name the node is asked. */
export function ContractId({ address }: { address: string }) {
  nodeContract(address);
  return <AccountId address={address} />;
}

/** Name of a dev account, in either spelling of its address. */
export function accountName(address: string): string | undefined {
  const lower = address.toLowerCase();
  return facts.value?.accounts.find((one) => one.hex.toLowerCase() === lower || one.bech32 === lower)?.name;
}
