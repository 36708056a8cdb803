/**
 * Finds the route of a path: a literal segment takes precedence over a wildcard, and the first of two equal routes
 * wins.
 */
import type { Segment } from './template.js';

interface Place<Route> {
  readonly literals: Map<string, Place<Route>>;
  one: Place<Route> | undefined;
  /** Routes by verb that end at this node, and routes with a `**` wildcard. */
  readonly here: Map<string, Route>;
  readonly rest: Map<string, Route>;
}

export class RouteTree<Route> {
  readonly #root: Place<Route> = newPlace();

  /** Adds a route; does not replace an existing one. */
  add(verb: string, segments: readonly Segment[], route: Route): void {
    let place = this.#root;
    for (const segment of segments) {
      if (segment.kind === 'rest') {
        if (!place.rest.has(verb)) place.rest.set(verb, route);
        return;
      }
      place = segment.kind === 'literal' ? childOf(place, segment.text) : (place.one ??= newPlace());
    }
    if (!place.here.has(verb)) place.here.set(verb, route);
  }

  find(verb: string, path: readonly string[]): Route | undefined {
    return search(this.#root, verb, path, 0);
  }
}

/** Searches recursively; the depth is bounded by the longest route. */
function search<Route>(place: Place<Route>, verb: string, path: readonly string[], at: number): Route | undefined {
  const segment = path[at];
  if (segment === undefined) return place.here.get(verb) ?? place.rest.get(verb);
  const literal = place.literals.get(segment);
  const found = literal && search(literal, verb, path, at + 1);
  return found ?? (place.one && search(place.one, verb, path, at + 1)) ?? place.rest.get(verb);
}

function newPlace<Route>(): Place<Route> {
  return { literals: new Map(), one: undefined, here: new Map(), rest: new Map() };
}

function childOf<Route>(place: Place<Route>, text: string): Place<Route> {
  const known = place.literals.get(text);
  if (known !== undefined) return known;
  const made = newPlace<Route>();
  place.literals.set(text, made);
  return made;
}
