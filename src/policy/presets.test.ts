import { describe, expect, test } from 'vitest';
import { type Operation, operations } from '../boundary/operation.ts';
import { decide } from './decide.ts';
import { parsePolicy, type Policy } from './policy.ts';
import { defaultPreset, presets, secrets } from './presets.ts';

/** Everything is allowed, so that only the secrets are in the way. */
const guarded = parsePolicy({ allow: operations });
const open = parsePolicy({ allow: operations, secrets: false });

function verdict(policy: Policy, operation: Operation, relative: string): string {
  return decide(policy, { operation, path: relative }, { root: 'app', relative }).verdict;
}

describe('presets', () => {
  test('are what their names say', () => {
    expect(presets).toEqual({
      'read-only': { allow: ['read', 'list'], ask: [] },
      'write-in-project': { allow: ['read', 'list', 'write'], ask: [] },
      'ask-before-write': { allow: ['read', 'list'], ask: ['write', 'remove'] },
    });
  });

  test.each(Object.entries(presets))('%s never permits execute', (_name, { allow, ask }) => {
    expect([...allow, ...ask]).not.toContain('execute');
  });

  test.each(Object.entries(presets))('%s names no operation twice', (_name, { allow, ask }) => {
    const named = [...allow, ...ask];
    expect(new Set(named).size).toBe(named.length);
  });

  test('the default is the narrowest', () => {
    expect(defaultPreset).toBe('read-only');
  });
});

describe('secrets are denied for every operation', () => {
  const paths = [
    '.env',
    'packages/api/.env',
    '.ENV',
    '.env.local',
    '.env.production.local',
    '.env.bak',
    'prod.env',
    '.envrc',
    'certs/server.pem',
    'server.KEY',
    'AuthKey_ABC.p8',
    'cert.pfx',
    'release.jks',
    '.ssh/config',
    'home/me/.ssh/known_hosts',
    'keys/id_rsa',
    'id_ed25519',
    '.aws/credentials',
    '.gnupg/x',
    '.kube/config',
    '.config/gcloud/credentials.db',
    'me/.config/gh/hosts.yml',
    '.npmrc',
    'packages/a/.npmrc',
    '.netrc',
    '_netrc',
    '.pypirc',
    '.pgpass',
    '.git-credentials',
    '.docker/config.json',
    '.cargo/credentials.toml',
    'credentials.json',
    'client_secret_1.apps.json',
    'service-account-prod.json',
    'vault.kdbx',
    'config/secrets.yml',
    '.streamlit/secrets.toml',
    'infra/terraform.tfstate',
    '.git/config',
    'vendor/lib/.git/config',
    '.git/modules/lib/config',
    '.Git/Config',
    '.hg/hgrc',
  ];

  test.each(paths)('%s', (path) => {
    for (const operation of operations) {
      expect([operation, verdict(guarded, operation, path)]).toEqual([operation, 'deny']);
      // Without the preset the same policy lets it pass.
      expect([operation, verdict(open, operation, path)]).toEqual([operation, 'allow']);
    }
  });
});

describe('what people need stays readable and writable', () => {
  test.each([
    '.env.example',
    '.env.sample',
    'packages/api/.env.template',
    '.env.dist',
    '.env.production.example',
    'example.env',
    'prod.sample.env',
    'src/env.ts',
    'src/.environment/a.ts',
    'id_rsa.pub',
    'src/credentials/index.ts',
    'src/keys.ts',
    'docs/keyboard.md',
    'config.json',
    'docker/config.json',
    '.config/app.json',
    '.gitignore',
    '.github/workflows/ci.yml',
    'package.json',
    'src/hooks/config',
  ])('%s', (path) => {
    expect([verdict(guarded, 'read', path), verdict(guarded, 'write', path)]).toEqual(['allow', 'allow']);
  });
});

describe('the inside of .git', () => {
  test.each(['.git', '.git/hooks/pre-commit', '.git/HEAD', 'vendor/lib/.git/hooks/post-checkout'])(
    'may be read and not be changed: %s',
    (path) => {
      expect([verdict(guarded, 'read', path), verdict(guarded, 'list', path)]).toEqual(['allow', 'allow']);
      expect([verdict(guarded, 'write', path), verdict(guarded, 'remove', path)]).toEqual(['deny', 'deny']);
      expect([verdict(open, 'write', path), verdict(open, 'remove', path)]).toEqual(['allow', 'allow']);
    },
  );
});

describe('every secret', () => {
  test('is named once', () => {
    expect(new Set(secrets.map(({ glob }) => glob)).size).toBe(secrets.length);
  });

  test.each(secrets)('$glob has a reason that ends a sentence', ({ reason }) => {
    expect(reason).toMatch(/^[a-z].*[^.]$/);
  });
});
