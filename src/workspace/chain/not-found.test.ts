import { describe, expect, test } from 'vitest';
import { notFound, type FailedSearch } from './not-found.ts';
import { findProfile } from '../sources/profile.ts';
import { allProfiles } from '../profiles/all-profiles.ts';

const search: FailedSearch = {
  preset: 'default',
  trail: [
    { source: 'roots', outcome: 'absent', offered: [], reason: 'the client does not support roots' },
    { source: 'walk-up', outcome: 'refused', offered: ['/'], reason: 'it is a whole file system' },
  ],
  profile: undefined,
  marker: undefined,
  unmarked: undefined,
};

describe('the error', () => {
  test('says in one clause what is wrong, and has everything that was tried as data', () => {
    const { message, data } = notFound(search);
    expect(message).toBe(
      'Cannot determine the project: what walk-up names cannot be used, because it is a whole file system',
    );
    expect(data.tried).toEqual([
      'roots: the client does not support roots',
      'walk-up ("/"): it is a whole file system',
    ]);
    expect(notFound({ ...search, trail: [] }).message).toBe(
      'Cannot determine the project: nothing names one',
    );
  });

  test('names the fix for this client', () => {
    const cursor = notFound({ ...search, profile: findProfile(allProfiles, 'cursor-vscode') });
    expect(cursor.hint).toContain('.cursor/mcp.json');
    expect(notFound(search).hint).toContain('--project');
  });

  test('adr-009: Project context not available', () => {
    const error = notFound({ ...search, preset: 'adr-009' });
    expect(error.message).toBe(
      'Project context not available. Call switch_project with the basename of the current working directory.',
    );
    expect(error.hint).toBe('Call switch_project with your project name');
  });

  test('rfc-0020: project not found, with the attempted paths and the three remedies', () => {
    const error = notFound({ ...search, preset: 'rfc-0020', marker: '.blue' });
    expect(error.message).toBe(
      "Blue project not found. Either:\n- Pass 'cwd' parameter to tool calls\n- Run from within a Blue project directory\n- Initialize Blue with 'blue init'\nAttempted:\n- walk-up: /",
    );
    expect(error.hint).toBe("Run 'blue init' or pass 'cwd' parameter.");
  });

  test('rfc-0020: wrong directory', () => {
    const error = notFound({ ...search, preset: 'rfc-0020', marker: '.blue', unmarked: '/path' });
    expect(error.message).toBe('Blue not detected in: /path. Expected .blue/ directory.');
  });

  test('rfc-0020: another product has its own name', () => {
    const error = notFound({ ...search, preset: 'rfc-0020', marker: '.green' });
    expect(error.message).toMatch(/^Green project not found[^]*'green init'/);
  });
});
