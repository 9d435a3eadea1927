import { describe, expect, test } from 'vitest';
import { type Operation, operations } from '../../boundary/step/operation.ts';
import { decide } from '../decide.ts';
import { defaultPreset, permissionPresets, secrets } from './permission-presets.ts';
import { parsePolicy, type Policy } from './policy.ts';

/** Everything is allowed, so that only the secrets are in the way. */
const guarded = parsePolicy({ allow: operations });
const open = parsePolicy({ allow: operations, secrets: false });

function verdict(policy: Policy, operation: Operation, relative: string): string {
  return decide(policy, { operation, path: relative }, { root: 'app', relative }).verdict;
}

describe('presets', () => {
  test('are what their names say', () => {
    expect(permissionPresets).toEqual({
      'read-only': { allow: ['read', 'list'], ask: [] },
      'write-in-project': { allow: ['read', 'list', 'write'], ask: [] },
      'ask-before-write': { allow: ['read', 'list'], ask: ['write', 'remove'] },
    });
  });

  test.each(Object.entries(permissionPresets))('%s never permits execute', (_name, { allow, ask }) => {
    expect([...allow, ...ask]).not.toContain('execute');
  });

  test.each(Object.entries(permissionPresets))('%s names no operation twice', (_name, { allow, ask }) => {
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
    // Copies that editors and people leave.
    '.env~',
    'app/.env~',
    '.env.~1~',
    '.env-local',
    '.env_prod',
    '.env-production.local',
    '#.env#',
    '.env.swp',
    '..env.swp',
    '.env.orig',
    '.env.save',
    '.env.example~',
    'prod.env.bak',
    'prod.env~',
    '.envrc~',
    '.envrc.bak',
    '.netrc~',
    '.netrc.swp',
    '.npmrc.bak',
    '.pypirc.old',
    '#id_rsa#',
    '.id_rsa.swp',
    'id_ed25519.bak',
    'id_rsa.OLD',
    'certs/server.key.bak',
    'server.pem~',
    'credentials.json.orig',
    'client_secret_1.json~',
    '.ssh.bak/id_work',
    '.aws~/credentials',
    '.git/config~',
    '.docker/config.json.bak',
    // Where other programs keep their logins.
    '.config/git/credentials',
    'home/me/.config/git/credentials',
    '.config/rclone/rclone.conf',
    '.config/sops/age/keys.txt',
    '.config/containers/auth.json',
    '.config/composer/auth.json',
    '.composer/auth.json',
    '.m2/settings.xml',
    '.m2/settings-security.xml',
    '.gradle/gradle.properties',
    '.password-store/mail.gpg',
    '.oci/config',
    '.mylogin.cnf',
    '.mozilla/firefox/x.default/logins.json',
    'me/.config/google-chrome/Default/Cookies',
    '.config/chromium/Default',
    'Library/Application Support/Google/Chrome/Default/Login Data',
    'Library/Application Support/Firefox/profiles.ini',
    'Library/Cookies/Cookies.binarycookies',
    'AppData/Roaming/Mozilla/Firefox',
    'AppData/Local/Google/Chrome/User Data',
    '.local/share/keyrings/login.keyring',
    'Library/Keychains/login',
    'AppData/Local/Microsoft/Credentials/x',
    '.vault_pass',
    // Of repositories that are not in a directory named `.git`.
    '.git/config.worktree',
    '.git/worktrees/next/config.worktree',
    '.git/modules/lib/config.worktree',
    'mirror.git/config',
    'srv/mirror.git/config.worktree',
    '.bare/config',
    // As FAT and NTFS open them too.
    '.env.',
    '.env. .',
    'id_rsa ',
    'id_rsa:',
    'id_rsa::$DATA',
    'server.key.:x',
    '.ssh./id_work',
    '.ssh::$INDEX_ALLOCATION/id_work',
    'home. /.docker./config.json.',
    '.env.prod:.example',
    '.git./config',
    '.env~.',
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
    'src/chromium/a.ts',
    'Library/Fonts/a.ttf',
    'mozilla/a.txt',
    '.local/share/app/a.txt',
    'AppData/Local/app/a.txt',
    '.config/app.json',
    '.gitignore',
    '.github/workflows/ci.yml',
    'package.json',
    'src/hooks/config',
    '.env-example',
    '.env_sample',
    '.env-production-example',
    '.env.production-sample',
    '.envoy/config',
    'env~',
    'notes.txt~',
    '#notes#',
    'notes.bak',
    'src/main.orig',
    'id_rsa.pub~',
    'src/keys.ts.bak',
    '.config/git/ignore',
    'm2/settings.xml',
    'composer/auth.json',
    'gradle.properties',
    'locales/en/auth.json',
    'mirror.git/main/src/a.ts',
    'config',
    '...',
    'a:b',
    'notes.',
  ])('%s', (path) => {
    expect([verdict(guarded, 'read', path), verdict(guarded, 'write', path)]).toEqual(['allow', 'allow']);
  });
});

describe('the inside of .git', () => {
  test.each([
    '.git',
    '.git/hooks/pre-commit',
    '.git/HEAD',
    'vendor/lib/.git/hooks/post-checkout',
    '.git./hooks/pre-commit',
    '.GIT ./hooks./pre-commit',
    '.git::$INDEX_ALLOCATION/hooks/pre-commit',
    'mirror.git/hooks/post-receive',
    '.bare/hooks/post-checkout',
  ])('may be read and not be changed: %s', (path) => {
    expect([verdict(guarded, 'read', path), verdict(guarded, 'list', path)]).toEqual(['allow', 'allow']);
    expect([verdict(guarded, 'write', path), verdict(guarded, 'remove', path)]).toEqual(['deny', 'deny']);
    expect([verdict(open, 'write', path), verdict(open, 'remove', path)]).toEqual(['allow', 'allow']);
  });
});

describe('every secret', () => {
  test('is named once', () => {
    expect(new Set(secrets.map(({ glob }) => glob)).size).toBe(secrets.length);
  });

  test.each(secrets)('$glob has a reason that ends a sentence', ({ reason }) => {
    expect(reason).toMatch(/^[a-z].*[^.]$/);
  });
});
