import { type Operation, operations } from '../../boundary/step/operation.ts';
import type { DenyRule } from './deny-rule.ts';

export type PresetName = 'read-only' | 'write-in-project' | 'ask-before-write';

/** The operations that a root permits; those in neither list are denied. */
export interface PermissionPreset {
  readonly allow: readonly Operation[];
  readonly ask: readonly Operation[];
}

/** No preset permits `execute`: running programs must be chosen explicitly. */
export const permissionPresets: { readonly [Name in PresetName]: PermissionPreset } = {
  'read-only': { allow: ['read', 'list'], ask: [] },
  'write-in-project': { allow: ['read', 'list', 'write'], ask: [] },
  'ask-before-write': { allow: ['read', 'list'], ask: ['write', 'remove'] },
};

/** Applies where no preset, `allow` or `ask` is given. */
export const defaultPreset: PresetName = 'read-only';

/** Files in which a client names the programs that it starts: servers (perhaps this one) and hooks. */
const clientSettings = [
  '.mcp.json',
  '.claude.json',
  '**/.claude/settings.json',
  '**/.claude/settings.local.json',
  'claude_desktop_config.json',
  '**/.vscode/mcp.json',
  '**/.cursor/mcp.json',
  '**/.cursor/hooks.json',
  '**/.gemini/settings.json',
  '**/.codex/config.toml',
  '**/.zed/settings.json',
  '**/.roo/mcp.json',
  '**/.kilocode/mcp.json',
  '**/.amazonq/mcp.json',
  '**/.junie/mcp/mcp.json',
  '**/.continue/mcpServers',
  'mcp_config.json',
  'cline_mcp_settings.json',
  'opencode.json',
  'opencode.jsonc',
] as const;

interface SecretGroup {
  readonly globs: readonly string[];
  readonly reason: string;
  readonly except?: readonly string[];
  /** All operations by default. */
  readonly operations?: readonly Operation[];
}

const secretGroups: readonly SecretGroup[] = [
  {
    globs: ['.env', '.env.*', '.env-*', '.env_*', '*.env', '.envrc'],
    // Committed samples that document which variables exist.
    except: [
      '.env{.,-,_}{example,sample,template,dist}',
      '.env{.,-,_}*{.,-,_}{example,sample,template,dist}',
      '{example,sample,template}.env',
      '*.{example,sample,template}.env',
    ],
    reason: 'environment files hold passwords and tokens',
  },
  {
    globs: ['id_rsa', 'id_dsa', 'id_ecdsa', 'id_ecdsa_sk', 'id_ed25519', 'id_ed25519_sk'],
    reason: 'it is a private key',
  },
  {
    globs: ['*.pem', '*.key', '*.p8', '*.p12', '*.pfx', '*.ppk', '*.jks', '*.keystore'],
    reason: 'it may be a private key',
  },
  {
    globs: ['*.kdbx', '*.kdb', '*.keychain', '*.keychain-db'],
    reason: 'it is a store of passwords',
  },
  {
    globs: ['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.oci', '.password-store'],
    reason: 'keys and tokens are kept there',
  },
  {
    globs: ['gcloud', 'gh', 'rclone', 'sops'].map((program) => `**/.config/${program}`),
    reason: 'a program keeps keys and tokens there',
  },
  {
    globs: [
      '.mozilla',
      ...['google-chrome', 'chromium', 'BraveSoftware', 'microsoft-edge'].map((name) => `**/.config/${name}`),
      ...['Google/Chrome', 'Chromium', 'Firefox', 'BraveSoftware', 'Microsoft Edge'].map(
        (name) => `**/Library/Application Support/${name}`,
      ),
      '**/Library/Cookies',
      '**/AppData/Roaming/Mozilla',
      ...['Google/Chrome', 'Chromium', 'BraveSoftware', 'Microsoft/Edge'].map(
        (name) => `**/AppData/Local/${name}`,
      ),
    ],
    reason: 'a browser keeps passwords and cookies there',
  },
  {
    globs: [
      '**/.local/share/keyrings',
      '**/Library/Keychains',
      '**/AppData/Local/Microsoft/Credentials',
      '**/AppData/Roaming/Microsoft/Credentials',
    ],
    reason: 'passwords are kept there',
  },
  {
    globs: ['.npmrc', '.netrc', '_netrc', '.pypirc', '.pgpass', '.my.cnf', '.htpasswd', '.terraformrc'],
    reason: 'passwords and tokens are written in it',
  },
  {
    globs: [
      '.mylogin.cnf',
      '.vault_pass',
      '**/.m2/settings.xml',
      '**/.m2/settings-security.xml',
      '**/.gradle/gradle.properties',
    ],
    reason: 'a password may be written in it',
  },
  {
    globs: [
      '.git-credentials',
      '**/.config/git/credentials',
      '.vault-token',
      '.dockercfg',
      '.s3cfg',
      '.boto',
    ],
    reason: 'a program keeps its login in it',
  },
  {
    globs: [
      '**/.docker/config.json',
      '**/.config/containers/auth.json',
      '**/.composer/auth.json',
      '**/.config/composer/auth.json',
    ],
    reason: 'a registry is opened with it',
  },
  {
    globs: ['**/.cargo/credentials', '**/.cargo/credentials.toml', '**/.gem/credentials'],
    reason: 'a package registry is opened with it',
  },
  {
    globs: ['credentials.json', 'credentials.tfrc.json', 'client_secret*.json', 'service-account*.json'],
    reason: 'it holds credentials',
  },
  {
    globs: ['secrets.json', 'secrets.toml', 'secrets.yaml', 'secrets.yml', '*.tfstate', '*.tfstate.backup'],
    reason: 'secrets are kept in it',
  },
  {
    // Includes submodules, which keep theirs in `.git/modules/<name>/config`, and bare repositories as far as
    // their name shows: `<name>.git`, and `.bare` beside its work trees.
    globs: [
      ...['**/.git/**', '**/*.git', '**/.bare'].flatMap((git) => [`${git}/config`, `${git}/config.worktree`]),
      '**/.hg/hgrc',
    ],
    reason: 'it may hold tokens, and names programs that run',
  },
  {
    // Hooks, and a `.git` file that points elsewhere: writing there leads to running programs later.
    globs: ['.git', '**/*.git/hooks', '**/.bare/hooks'],
    operations: ['write', 'remove'],
    reason: 'version control trusts and runs what is in there',
  },
  {
    globs: clientSettings,
    operations: ['write', 'remove'],
    reason: 'a client starts the programs that are named in it',
  },
];

/**
 * Denied unless the policy says `secrets: false`: files that hold keys, tokens and passwords, with the copies
 * that editors leave beside them (`.env~`, `#id_rsa#`, `.npmrc.swp`, `server.key.bak`). The inside of `.git`
 * may be read but not changed, except that its `config` may not be read either. Client settings that name
 * programs may be read but not changed.
 *
 * Not covered: secrets in files of any other name, and a bare repository whose name does not end in `.git`.
 * Rules see names, not contents. They are compared with whole paths, above a root too (`judgeSecretPaths`): a client
 * cannot name `~/.ssh` as a root, but an operator who names it grants it.
 */
export const secrets: readonly DenyRule[] = secretGroups.flatMap(({ globs, ...group }) =>
  globs.map((glob) => ({ operations, ...group, glob, copies: true })),
);
