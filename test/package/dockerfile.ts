/** A Dockerfile as its instructions, by stage. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
}

export function stagesOf(dockerfile: string): readonly (readonly Instruction[])[] {
  const stages: Instruction[][] = [];
  for (const line of dockerfile.split('\n').map((text) => text.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name = '', text = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (name === '') throw new Error(`not an instruction of one line: ${line}`);
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, text });
  }
  return stages;
}

/** Arguments of all instructions with one name. */
export function textsOf(stage: readonly Instruction[], name: string): readonly string[] {
  return stage.filter((instruction) => instruction.name === name).map(({ text }) => text);
}

/** Words of an instruction in its JSON form. */
export function wordsOfJson(text: string): readonly string[] {
  return JSON.parse(text.slice(text.indexOf('[')));
}
