import { quote } from '../../base/quote.ts';
import { hostPlatform } from '../../path/platform.ts';
import type { ReadManifest } from '../ecosystems/manifest/read-manifest.ts';
import type { Marker } from '../ecosystems/record/ecosystem.ts';
import { compileMembers, type MemberSet } from '../ecosystems/record/members.ts';
import type { FoundMarker } from './find-markers.ts';

/** The packages that one file of a project declares. */
export interface DeclaredMembers extends MemberSet {
  readonly marker: Marker;
}

export interface ReadMembersOptions {
  /** The absolute directory of the project. */
  readonly directory: string;
  readonly read: ReadManifest;
  readonly onIssue: (issue: string) => void;
}

/** Above the needs of real projects: a directory may contain thousands. */
const mostDeclarations = 8;

/** Reads the packages that the manifests of a project declare. Leaves out files that declare none. */
export async function readMembers(
  manifests: readonly FoundMarker[],
  options: ReadMembersOptions,
): Promise<readonly DeclaredMembers[]> {
  const declaring = manifests.filter(({ marker }) => marker.members !== undefined);
  const declared: DeclaredMembers[] = [];
  for (const manifest of declaring.slice(0, mostDeclarations)) {
    const members = await readDeclared(manifest, options);
    if (members !== undefined) declared.push({ marker: manifest.marker, ...members });
  }
  return declared;
}

async function readDeclared(
  { name, marker }: FoundMarker,
  { directory, read, onIssue }: ReadMembersOptions,
): Promise<MemberSet | undefined> {
  const reading = (await marker.members?.(read, name, directory)) ?? { rules: [] };
  if ('issue' in reading) onIssue(reading.issue);
  const rules = 'rules' in reading ? reading.rules : [];
  if (rules.length === 0) return undefined;
  const { members, faults } = compileMembers(rules, hostPlatform);
  for (const fault of faults) onIssue(`Cannot use all packages of ${quote(name)}: ${fault}`);
  return members;
}
