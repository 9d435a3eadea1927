import { expect, test } from 'vitest';
import { createAnchors } from './anchors.ts';

test('keeps accepts only the place that was seen first', () => {
  const anchors = createAnchors();
  expect(anchors.keeps('/w/now', { path: '/w', relative: 'one' })).toBe(true);
  expect(anchors.keeps('/w/now', { path: '/w', relative: 'one' })).toBe(true);
  expect(anchors.keeps('/w/now', { path: '/w', relative: 'two' })).toBe(false);
  expect(anchors.keeps('/w/now', { path: '/w', relative: 'one' })).toBe(true);
  // Seen from another root it is another entry.
  expect(anchors.keeps('/w/now', { path: '/', relative: 'w/two' })).toBe(true);
  expect(createAnchors().keeps('/w/now', { path: '/w', relative: 'two' })).toBe(true);
});

test('a directory keeps the path that it was named by first', () => {
  const anchors = createAnchors();
  anchors.addTop('1:2', '/w');
  anchors.addTop('1:2', '/link');
  anchors.addTop('1:3', '/v');
  expect([...anchors.tops]).toEqual([
    ['1:2', '/w'],
    ['1:3', '/v'],
  ]);
});

test('the oldest entries are dropped first, beyond ten thousand', () => {
  const anchors = createAnchors();
  for (let number = 0; number < 10_010; number += 1) anchors.addTop(`1:${number}`, `/${number}`);
  expect(anchors.tops.size).toBe(10_000);
  expect(anchors.tops.has('1:9')).toBe(false);
  expect(anchors.tops.has('1:10')).toBe(true);
});
