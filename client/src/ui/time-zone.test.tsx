import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { formatDayIn } from './format';
import { Moment, TimeZone } from './time-zone';

const evening = '2026-11-20T03:30:00Z';

test('a moment is by the clock of the time zone around it, and machines read it exactly', () => {
  render(
    <TimeZone name="America/New_York">
      <Moment at={evening} format={formatDayIn} className="small" />
    </TimeZone>,
  );

  const shown = screen.getByText('Nov 19, 2026');
  expect(shown).toHaveAttribute('datetime', evening);
  expect(shown).toHaveClass('small');
});

test('a moment without a time zone around it is a mistake, no matter of the browser', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);

  expect(() => render(<Moment at={evening} />)).toThrow('No <TimeZone> around what shows a day or a time.');
});

const byTheBrowsersClock = [
  "new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' })",
  "Intl.DateTimeFormat('en-US')",
  'new Date().toLocaleDateString()',
  'new Date().toLocaleTimeString()',
  'new Date().toLocaleString()',
  'new Date().toDateString()',
  'new Date().getHours()',
  'new Date().getDate()',
  'new Date().getFullYear()',
  'new Date().getTimezoneOffset()',
];

test('the lint refuses what writes a day or a time by the clock of the browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lint-'));
  const file = join(folder, 'page.ts');
  writeFileSync(
    file,
    ['new Date().getTime()', ...byTheBrowsersClock].map((line) => `export default ${line};\n`).join(''),
  );

  const { stdout } = spawnSync('node_modules/.bin/oxlint', ['--config', 'oxlint.config.ts', '--format', 'json', file]);
  rmSync(folder, { recursive: true });

  const { diagnostics } = JSON.parse(String(stdout)) as {
    diagnostics: { code: string; labels: { span: { line: number } }[] }[];
  };
  const lines = diagnostics
    .filter(({ code }) => code === 'eslint(no-restricted-properties)')
    .map(({ labels }) => labels[0]?.span.line);
  expect(lines.toSorted((one, other) => (one ?? 0) - (other ?? 0))).toEqual(byTheBrowsersClock.map((_, at) => at + 2));
});
