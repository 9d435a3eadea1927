import { expect, test } from 'vitest';
import type { Guard } from '../step/context.ts';
import { mayPass, mayRead } from './may-read.ts';

function denying(...denied: readonly string[]): { readonly guard: Guard; readonly asked: string[] } {
  const asked: string[] = [];
  const guard: Guard = (operation, relative, last) => {
    asked.push(`${operation} ${relative}${last ? '' : '/'}`);
    return denied.includes(relative) ? new Error('no') : undefined;
  };
  return { guard, asked };
}

test('asks about every name on the way', () => {
  const { guard, asked } = denying();
  expect(mayRead(guard, 'a/b/c.txt')).toBe(true);
  expect(asked).toEqual(['read a/', 'read a/b/', 'read a/b/c.txt']);
});

test('one no is enough', () => {
  expect(mayRead(denying('a').guard, 'a/b/c.txt')).toBe(false);
  expect(mayRead(denying('a/b/c.txt').guard, 'a/b/c.txt')).toBe(false);
  expect(mayPass(denying('a/b/c.txt').guard, 'a/b/c.txt')).toBe(true);
  expect(mayPass(denying('a/b').guard, 'a/b/')).toBe(false);
});

test('without a guard everything may be read', () => {
  expect(mayRead(undefined, 'a/b')).toBe(true);
  expect(mayPass(undefined, 'a/b')).toBe(true);
});
