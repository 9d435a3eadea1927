import { expect, test } from 'vitest';
import { chosenSources } from './chosen-sources.ts';

const { argument, pinned, switched } = chosenSources;

test('offers the place that the call names', () => {
  expect(argument.offer({ argument: '/p' }, undefined)).toEqual({ places: [{ text: '/p' }] });
  expect(argument.offer({}, undefined)).toEqual({ none: 'the call names no directory' });
});

test('is bounded, because a model chose it', () => {
  expect(argument.bounded).toBe(true);
});

test('offers the place that the operator pinned', () => {
  expect(pinned.offer({ pinned: '/p' }, undefined)).toEqual({ places: [{ text: '/p' }] });
  expect(pinned.offer({}, undefined)).toHaveProperty('none');
});

test('offers the switched project, within bounds', () => {
  expect(switched.offer({ switched: '/p' }, undefined)).toEqual({ places: [{ text: '/p' }] });
  expect(switched.offer({}, undefined)).toHaveProperty('none');
  expect(switched.bounded).toBe(true);
});
