import { expect, test } from 'vitest';
import { browserCommand } from '../../src/cli/open-page.js';

test('a browser is opened only where there is a desktop', () => {
  expect(browserCommand('linux', {})).toBeUndefined();
  expect(browserCommand('linux', { DISPLAY: '' })).toBeUndefined();
  expect(browserCommand('linux', { DISPLAY: ':0' })).toEqual(['xdg-open']);
  expect(browserCommand('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toEqual(['xdg-open']);
  expect(browserCommand('darwin', {})).toEqual(['open']);
});
