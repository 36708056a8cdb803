/** URLs of the application: `/block/12`, `/tx/0x...`, `/address/...`; `?at=` is the shown height. */

/** A view with its parameters. Ids are unvalidated texts from the URL; a view reports unknown ones. */
export type Route =
  | { readonly view: 'home' }
  | { readonly view: 'blocks' }
  | { readonly view: 'block'; readonly id: string }
  | { readonly view: 'txs' }
  | { readonly view: 'tx'; readonly hash: string }
  | { readonly view: 'account'; readonly address: string; readonly part: AccountPart }
  | { readonly view: 'denom'; readonly denom: string }
  | { readonly view: 'validators' }
  | { readonly view: 'validator'; readonly address: string }
  | { readonly view: 'proposals' }
  | { readonly view: 'proposal'; readonly id: string }
  | { readonly view: 'upgrades' }
  | { readonly view: 'log' }
  | { readonly view: 'changes'; readonly from: string; readonly to: string }
  | { readonly view: 'inside' }
  | { readonly view: 'api'; readonly method: string }
  | { readonly view: 'health' }
  | { readonly view: 'search'; readonly text: string }
  | { readonly view: 'lost'; readonly path: string };

export type AccountPart = 'state' | 'history' | 'contract' | 'events' | 'storage';

/** Tabs of the account view. */
export const ACCOUNT_PARTS: readonly AccountPart[] = ['state', 'history', 'contract', 'events', 'storage'];

/** Parses a percent-encoded path to a view; `lost` for an unknown path. */
export function routeOf(path: string): Route {
  const parts = segmentsOf(path);
  if (parts === undefined) return { view: 'lost', path };
  const [view = '', id = '', more = ''] = parts;
  if (parts.length > (view === 'address' || view === 'changes' ? 3 : 2)) return { view: 'lost', path };
  switch (view) {
    case '':
      return id === '' ? { view: 'home' } : { view: 'lost', path };
    case 'blocks':
    case 'txs':
    case 'validators':
    case 'proposals':
    case 'upgrades':
    case 'log':
    case 'inside':
    case 'health':
      return id === '' ? { view } : { view: 'lost', path };
    case 'api':
      return { view, method: id };
    case 'changes':
      return { view, from: id, to: more };
    default:
      return id === '' ? { view: 'lost', path } : routeOfId(view, id, more, path);
  }
}

function routeOfId(view: string, id: string, more: string, path: string): Route {
  switch (view) {
    case 'block':
      return { view, id };
    case 'tx':
      return { view, hash: id };
    case 'address':
    case 'account':
    case 'token': {
      const part = ACCOUNT_PARTS.find((one) => one === (more === '' ? 'state' : more));
      return part === undefined ? { view: 'lost', path } : { view: 'account', address: id, part };
    }
    case 'denom':
      return { view, denom: id };
    case 'validator':
      return { view, address: id };
    case 'proposal':
      return { view, id };
    case 'search':
      return { view, text: id };
    default:
      return { view: 'lost', path };
  }
}

/** Formats the path of a view; inverse of `routeOf`. */
export function pathOf(route: Route): string {
  const id = encodeURIComponent;
  switch (route.view) {
    case 'home':
      return '/';
    case 'block':
      return `/block/${id(route.id)}`;
    case 'tx':
      return `/tx/${id(route.hash)}`;
    case 'account':
      return `/address/${id(route.address)}${route.part === 'state' ? '' : `/${route.part}`}`;
    case 'denom':
      return `/denom/${id(route.denom)}`;
    case 'validator':
      return `/validator/${id(route.address)}`;
    case 'proposal':
      return `/proposal/${id(route.id)}`;
    case 'search':
      return `/search/${id(route.text)}`;
    case 'api':
      return route.method === '' ? '/api' : `/api/${id(route.method)}`;
    case 'changes':
      return route.from === '' ? '/changes' : `/changes/${id(route.from)}/${id(route.to)}`;
    case 'lost':
      return route.path;
    case 'blocks':
    case 'txs':
    case 'validators':
    case 'proposals':
    case 'upgrades':
    case 'log':
    case 'inside':
    case 'health':
      return `/${route.view}`;
  }
}

/** The height of `?at=`; undefined for the head, and for an invalid height. */
export function momentOf(query: string): bigint | undefined {
  const text = new URLSearchParams(query).get('at') ?? '';
  return /^[1-9][0-9]{0,18}$/.test(text) ? BigInt(text) : undefined;
}

function segmentsOf(path: string): readonly string[] | undefined {
  try {
    return path
      .replace(/^\/+|\/+$/g, '')
      .split('/')
      .map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
