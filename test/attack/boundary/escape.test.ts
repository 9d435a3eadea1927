import { describe, expect, test } from 'vitest';
import { prepareAttack, reachesPlainly, verdictOn } from '../../support/boundary/attack.ts';
import type { BoundaryOperation } from '../../support/boundary/boundary-operation.ts';
import { drivers, triedColumns } from '../../support/boundary/drivers.ts';
import { type EscapeCase, escapeCases } from '../../support/boundary/escape-cases.ts';
import { operations } from '../../support/boundary/operations.ts';
import { refusedWith } from '../../support/boundary/refusal.ts';
import { tryOnLink, tryPlainly, tryRefused } from '../../support/boundary/try-attack.ts';
import { keepTreesInMemory } from '../../support/boundary/trees-in-memory.ts';

keepTreesInMemory();

const cases = escapeCases
  .filter(({ linux = false }) => !linux || process.platform === 'linux')
  .map((escape, row) => ({ escape, row, title: escape.title }));

describe.runIf(process.platform !== 'win32').each(drivers)('with $name', (driver) => {
  describe.each(cases)('$title', ({ escape, row }) => {
    const attempts = triedColumns(driver, row, operations).map((operation) => ({
      operation,
      verdict: verdictOn(escape, operation),
    }));

    test.each(attempts)('$operation.name: $verdict', async ({ operation, verdict }) => {
      expect(await controlOnce(escape, operation)).toBe(reachesPlainly(escape, operation));
      using attack = prepareAttack(escape, operation);
      if (verdict === 'itself') {
        const acted = await tryOnLink(attack, operation, driver.open);
        expect(acted).toEqual({ changes: [], linkIsRight: true });
      } else {
        const refused = await tryRefused(attack, operation, driver.open);
        expect(refused).toMatchObject({ ...refusedWith(verdict), changes: [] });
        expect(refused.wordsForNothing).toBe(refused.words);
      }
    });
  });
});

/** One control for all drivers: a program without a boundary uses none. */
const controls = new Map<string, Promise<boolean>>();

function controlOnce(escape: EscapeCase, operation: BoundaryOperation): Promise<boolean> {
  const key = `${escape.title} | ${operation.name}`;
  const control = controls.get(key) ?? runControl(escape, operation);
  controls.set(key, control);
  return control;
}

async function runControl(escape: EscapeCase, operation: BoundaryOperation): Promise<boolean> {
  using attack = prepareAttack(escape, operation);
  return await tryPlainly(attack, operation);
}
