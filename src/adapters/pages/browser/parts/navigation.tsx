/** Links to the views: a column on wide windows, a row on narrow ones. */
import { useEffect, useRef } from 'preact/hooks';
import type { Route } from '../data/router.js';
import { addressOfView, namespaces, route } from '../data/store.js';
import { Icon, type IconName } from './icon.js';

const LINKS: readonly (readonly [label: string, route: Route, icon: IconName, views: readonly Route['view'][]])[] = [
  ['Home', { view: 'home' }, 'home', ['home']],
  ['Blocks', { view: 'blocks' }, 'block', ['blocks', 'block']],
  ['Transactions', { view: 'txs' }, 'swap', ['txs', 'tx']],
  ['Validators', { view: 'validators' }, 'shield', ['validators', 'validator']],
  ['Proposals', { view: 'proposals' }, 'vote', ['proposals', 'proposal']],
  ['Upgrades', { view: 'upgrades' }, 'up', ['upgrades']],
  ['API', { view: 'api', method: '' }, 'code', ['api']],
  ['Health', { view: 'health' }, 'heart', ['health']],
];

/** Links to the views of what the node tells of itself, where it does. */
const INSIGHT: typeof LINKS = [
  ['Log', { view: 'log' }, 'list', ['log']],
  ['Changes', { view: 'changes', from: '', to: '' }, 'clock', ['changes']],
  ['Inside', { view: 'inside' }, 'wires', ['inside']],
];

/** The navigation; the link of the view that is shown says so, and is in sight where the row is wider than the window. */
export function Navigation() {
  const row = useRef<HTMLElement>(null);
  useEffect(() => showCurrent(row.current), [route.value.view, namespaces.value]);
  return (
    <nav class="side" aria-label="Views" ref={row}>
      <ul>
        {[...LINKS.slice(0, -2), ...(namespaces.value.has('chronicle') ? INSIGHT : []), ...LINKS.slice(-2)].map(
          ([label, to, icon, views]) => (
            <li key={label}>
              <a href={addressOfView(to)} aria-current={views.includes(route.value.view) ? 'page' : undefined}>
                <Icon name={icon} />
                <span>{label}</span>
              </a>
            </li>
          ),
        )}
      </ul>
    </nav>
  );
}

function showCurrent(row: HTMLElement | null): void {
  const link = row?.querySelector('[aria-current]')?.getBoundingClientRect();
  if (row === null || link === undefined) return;
  const { left, width } = row.getBoundingClientRect();
  row.scrollLeft += link.left - left - (width - link.width) / 2;
}
