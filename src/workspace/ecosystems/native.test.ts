import { expect, test } from 'vitest';
import { findCommands } from '../../../test/support/trees/find-commands.ts';
import { cpp, swift } from './native.ts';

test('CMake, with and without tests; a directory of a project has nothing of its own', async () => {
  const project = 'cmake_minimum_required(VERSION 3.20)\nproject(app)\n';
  const plain = ['install: cmake -S . -B build', 'build: cmake --build build'];
  expect(await findCommands(cpp, { 'CMakeLists.txt': project })).toEqual(plain);
  expect(await findCommands(cpp, { 'CMakeLists.txt': `${project}include(CTest)\n` })).toEqual([
    ...plain,
    'test: ctest --test-dir build',
  ]);
  expect(await findCommands(cpp, { 'CMakeLists.txt': 'add_library(x x.cc)\n' })).toEqual([]);
});

test('Meson', async () => {
  expect(await findCommands(cpp, { 'meson.build': "project('app', 'c')\n" })).toEqual([
    'install: meson setup build',
    'build: meson compile -C build',
    'test: meson test -C build',
  ]);
  expect(await findCommands(cpp, { 'meson.build': "executable('app')\n" })).toEqual([]);
});

test('a Swift package, with programs by name if there are several', async () => {
  const program = (name: string): string => `.executableTarget(name: "${name}"),\n`;
  expect(await findCommands(swift, { 'Package.swift': '' })).toEqual([
    'install: swift package resolve',
    'build: swift build',
    'test: swift test',
  ]);
  expect(await findCommands(swift, { 'Package.swift': program('a') })).toContain('run: swift run');
  const several = await findCommands(swift, { 'Package.swift': program('a') + program('b') });
  expect(several.slice(-2)).toEqual(['run: swift run a', 'run: swift run b']);
});
