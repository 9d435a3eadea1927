import { describe, expect, test } from 'vitest';
import { mergeModes } from './merge.ts';
import { formatTruthTable, truthTable } from './truth-table.ts';

/** The table of the design, by its own words: stdio is `union`, HTTP is `intersect`. */
const design = {
  'unsupported, not askable': ['those', 'detected', 'those', 'nothing'],
  listed: ['those ∪ listed', 'listed', 'those ∩ listed', 'nothing'],
  'empty, never listed before': ['those', 'detected', 'those', 'nothing'],
  'listed, and no entry is usable': ['those', 'detected', 'those', 'nothing'],
  'listed, too broad': ['those', 'nothing', 'those', 'nothing'],
  'empty or unusable after having listed (revoked)': ['those', 'nothing', 'nothing', 'nothing'],
  'failed at the first ask': ['those', 'detected', 'those', 'nothing'],
  'failed after a change': ['those', 'nothing', 'nothing', 'nothing'],
} as const;

const rows = truthTable();

describe('the truth table', () => {
  const cells = Object.entries(design).flatMap(([answer, outcomes]) => [
    { answer, mode: 'union', column: 'named', outcome: outcomes[0] } as const,
    { answer, mode: 'union', column: 'noneNamed', outcome: outcomes[1] } as const,
    { answer, mode: 'intersect', column: 'named', outcome: outcomes[2] } as const,
    { answer, mode: 'intersect', column: 'noneNamed', outcome: outcomes[3] } as const,
  ]);

  test.each(cells)('$mode, $answer, $column: $outcome', ({ answer, mode, column, outcome }) => {
    expect(rows.find((row) => row.answer === answer && row.mode === mode)?.[column]).toBe(outcome);
  });

  test('has every mode with every answer once', () => {
    const keys = rows.map(({ mode, answer }) => `${mode} ${answer}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toHaveLength(mergeModes.length * 9);
  });
});

test('the table is readable as text', () => {
  expect(`\n${formatTruthTable(rows)}\n`).toMatchInlineSnapshot(`
    "
    mode       client's answer                                  operator named directories  none named
    union      not asked yet                                    those                       the detected project
    union      unsupported, not askable                         those                       the detected project
    union      listed                                           those ∪ listed              listed
    union      empty, never listed before                       those                       the detected project
    union      listed, and no entry is usable                   those                       the detected project
    union      listed, too broad                                those                       nothing
    union      empty or unusable after having listed (revoked)  those                       nothing
    union      failed at the first ask                          those                       the detected project
    union      failed after a change                            those                       nothing
    intersect  not asked yet                                    those                       nothing
    intersect  unsupported, not askable                         those                       nothing
    intersect  listed                                           those ∩ listed              nothing
    intersect  empty, never listed before                       those                       nothing
    intersect  listed, and no entry is usable                   those                       nothing
    intersect  listed, too broad                                those                       nothing
    intersect  empty or unusable after having listed (revoked)  nothing                     nothing
    intersect  failed at the first ask                          those                       nothing
    intersect  failed after a change                            nothing                     nothing
    client     not asked yet                                    nothing                     nothing
    client     unsupported, not askable                         nothing                     nothing
    client     listed                                           listed                      listed
    client     empty, never listed before                       nothing                     nothing
    client     listed, and no entry is usable                   nothing                     nothing
    client     listed, too broad                                nothing                     nothing
    client     empty or unusable after having listed (revoked)  nothing                     nothing
    client     failed at the first ask                          nothing                     nothing
    client     failed after a change                            nothing                     nothing
    operator   not asked yet                                    those                       the detected project
    operator   unsupported, not askable                         those                       the detected project
    operator   listed                                           those                       the detected project
    operator   empty, never listed before                       those                       the detected project
    operator   listed, and no entry is usable                   those                       the detected project
    operator   listed, too broad                                those                       the detected project
    operator   empty or unusable after having listed (revoked)  those                       the detected project
    operator   failed at the first ask                          those                       the detected project
    operator   failed after a change                            those                       the detected project
    "
  `);
});
