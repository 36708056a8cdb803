/** Icons as paths of a square of 16 units, drawn in the colour of the text. */

const PATHS = {
  alert: 'M8 1.8 15 14H1L8 1.8ZM8 6v4M8 11.6v.9',
  block: 'M8 1.5 14 5v6l-6 3.5L2 11V5l6-3.5ZM2 5l6 3.5L14 5M8 8.5v6',
  bolt: 'M9 1.5 3 9h4.5L7 14.5 13 7H8.500L9 1.5Z',
  check: 'M2.500 8.5 6 12l7.500-8',
  chevron: 'm6 3.5 4.500 4.500L6 12.500',
  clock: 'M8 1.5a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13ZM8 4v4.200l2.800 1.700',
  code: 'M5.500 4 1.500 8l4 4M10.500 4l4 4-4 4',
  copy: 'M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3',
  cross: 'm3.500 3.500 9 9M12.500 3.500l-9 9',
  first: 'M11.500 3 6 8l5.500 5M4 3v10',
  gear: 'M8 5.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5ZM8 1.500v2M8 12.500v2M1.500 8h2M12.500 8h2M3.400 3.400l1.400 1.400M11.200 11.200l1.400 1.400M3.400 12.600l1.400-1.400M11.200 4.800l1.400-1.400',
  heart: 'M1.500 8h3l2-4.500 3 9 2-4.500h3',
  home: 'M2 7.500 8 2l6 5.500M3.500 6.500V14h9V6.500M6.500 14v-4h3v4',
  info: 'M8 1.5a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13ZM8 7v4.500M8 4.500v.8',
  last: 'm4.500 3 5.500 5-5.500 5M12 3v10',
  list: 'M2 4h12M2 8h12M2 12h12',
  search: 'M7 2.500a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9ZM10.500 10.500l3.500 3.500',
  shield:
    'M8 1.500 13.500 3.500v4.300c0 3.200-2.300 5.600-5.500 6.700-3.200-1.100-5.500-3.500-5.500-6.700V3.500L8 1.500Z',
  swap: 'M2 5h11M10 2l3 3-3 3M14 11H3M6 8l-3 3 3 3',
  up: 'M8 14V3M3.500 7.500 8 3l4.500 4.500',
  vote: 'M2 8.500V14h12V8.500M4.500 8.500h7M5.500 6 8 8.500l4.500-6',
  wires: 'M3 3.500h3v3H3zM10 9.500h3v3h-3zM6 5h3.500a2 2 0 0 1 2 2v2.500M3 12.500h3v-3H3z',
} as const;

export type IconName = keyof typeof PATHS;

/** An icon beside words that say the same: readers of screens skip it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
