/** The polling filters of one run. */
import type { Action, FilterCommand } from './commands.js';
import { BrokenPromise, checkPoll, merged, type Filter, type History, type Interest } from './model.js';
import { interestNamed } from './names.js';
import type { FilterFace, Trial } from './target.js';
import { within } from './waiting.js';

const NAMES: Readonly<Record<FilterCommand['do'], true>> = {
  install: true,
  poll: true,
  pollTwice: true,
  pollBusy: true,
  pollBeside: true,
  inspect: true,
  uninstall: true,
  pass: true,
};

/** True for a command of polling filters. */
export function isFilterCommand(command: Action): command is FilterCommand {
  return command.do in NAMES;
}

type Installed<Fact> = Filter<Fact> & { readonly id: string };

export class FilterPlayer<Fact> {
  readonly #filters: Installed<Fact>[] = [];

  constructor(
    private readonly interests: readonly Interest<Fact>[],
    private readonly trial: Trial<Fact, Action>,
  ) {}

  async play(command: FilterCommand): Promise<void> {
    if (command.do === 'pass') return await this.#face.pass?.(command.milliseconds);
    if (command.do === 'install') return await this.#install(command.interest);
    const filter = this.#filters[command.filter % Math.max(1, this.#filters.length)];
    if (filter === undefined) return;
    const { id, interest } = filter;
    const face = this.#face;
    const isThere = !filter.isUninstalled && face.now() - filter.lastUse < face.idleMs;
    if (isThere) filter.lastUse = face.now();
    const poll = (): Promise<readonly string[] | undefined> => this.#in(face.poll(id), `a poll of "${interest.name}"`);
    const earliest = (await this.#history()).length;
    switch (command.do) {
      case 'poll':
        return this.#check(filter, isThere, [await poll()], earliest);
      case 'pollTwice':
        return this.#check(filter, isThere, await Promise.all([poll(), poll()]), earliest);
      case 'pollBeside': {
        const [early] = await Promise.all([poll(), this.trial.perform(command.action)]);
        const { length } = await this.#history();
        // Await in order: the second poll must not repeat items of the first.
        const late = await poll();
        const both = early === undefined || late === undefined ? undefined : [...early, ...late];
        return checkPoll(await this.#history(), filter, both, isThere, [length, (await this.#history()).length]);
      }
      case 'pollBusy':
        return this.#known(filter, isThere, (await face.pollBusy?.(id)) ?? isThere);
      case 'inspect':
        return this.#known(filter, isThere, await this.#in(face.inspect(id), `a look at "${interest.name}"`));
      case 'uninstall':
        filter.isUninstalled = true;
        return this.#known(filter, isThere, await this.#in(face.uninstall(id), `uninstalling "${interest.name}"`));
    }
  }

  get #face(): FilterFace {
    if (this.trial.filters === undefined) throw new Error('this target has no polling filters');
    return this.trial.filters;
  }

  #in<Value>(work: Promise<Value>, what: string): Promise<Value> {
    return within(this.trial.patienceMs, work, what);
  }

  async #history(): Promise<History<Fact>> {
    return await this.trial.history();
  }

  async #install(name: string): Promise<void> {
    const { length: polled } = await this.#history();
    const lastUse = this.#face.now();
    const id = await this.#in(this.#face.install(name), `installing "${name}"`);
    const interest = interestNamed(this.interests, name);
    this.#filters.push({ id, interest, polled, lastUse, isUninstalled: false });
  }

  async #check(
    filter: Installed<Fact>,
    isThere: boolean,
    answers: readonly (readonly string[] | undefined)[],
    earliest: number,
  ): Promise<void> {
    const history = await this.#history();
    const given = answers.filter((answer) => answer !== undefined);
    const answer = given.length < answers.length ? undefined : merged(history, filter.interest, given);
    checkPoll(history, filter, answer, isThere, [earliest, history.length]);
  }

  #known({ interest }: Installed<Fact>, isThere: boolean, wasFound: boolean): void {
    if (wasFound !== isThere)
      throw new BrokenPromise('known filter', `"${interest.name}" was ${isThere ? 'not ' : ''}found`);
  }
}
