import { type Fields, fieldsOf, isFields } from '../../base/fields.ts';
import { isNotification, isRequest, type RpcMessage } from '../../http/exchange/json-rpc.ts';
import type { Root } from '../../path/root.ts';
import { createRootIssue, type RootIssue } from '../../path/root-issue.ts';
import { isNamedBy, mapText, mayBePath, type PathMap } from './path-map.ts';

/** Which arguments of a call are mapped: none, those with a name like `path`, or all. */
export type MappedArguments = 'off' | 'known' | 'all';

export interface MapOptions {
  /** Defaults to `known`. */
  readonly arguments?: MappedArguments;
}

export interface MappedMessage {
  /** The very message that was given, if nothing in it is mapped. */
  readonly message: RpcMessage;
  /** Places of arguments that look like absolute paths and have no mapping: `arguments.path`. No values. */
  readonly unmapped: readonly string[];
}

/** Values nested deeper than this are left as they are. */
const deepest = 16;

/** Maps a message on its way to the server: URIs of resources, and paths in the arguments of a call. */
export function mapToServer(map: PathMap, message: RpcMessage, options: MapOptions = {}): MappedMessage {
  const unmapped: string[] = [];
  if (map.mappings.length === 0 || !isRequest(message)) return { message, unmapped };
  const { method, params } = message;
  const visit = (text: string, place: readonly string[]): string => {
    const mapped = mapText(map, 'client', text);
    const isStrange = mapped === undefined && mayBePath.test(text) && !isNamedBy(map, 'server', text);
    if (isStrange) unmapped.push(place.join('.'));
    return mapped ?? text;
  };
  const changed = changeParams(method, params, visit, options.arguments ?? 'known');
  return { message: changed === params ? message : { ...message, params: fieldsOf(changed) }, unmapped };
}

/** Maps a message on its way to the client: URIs of resources, and whole texts in structured results. */
export function mapToClient(map: PathMap, message: RpcMessage): RpcMessage {
  if (map.mappings.length === 0) return message;
  const visit = (text: string): string => mapText(map, 'server', text) ?? text;
  if (isNotification(message) && message.method === 'notifications/resources/updated') {
    const params = changeFields(message.params, ['uri'], visit);
    return params === message.params ? message : { ...message, params: fieldsOf(params) };
  }
  if (!('result' in message) || !isFields(message.result)) return message;
  const result = changeResult(message.result, visit, map);
  return result === message.result ? message : { ...message, result };
}

/** Maps roots to the server's names. One that the server has no name for is dropped, and an issue says so. */
export function mapRoots(
  map: PathMap,
  roots: readonly Root[],
): { readonly roots: readonly Root[]; readonly issues: readonly RootIssue[] } {
  if (map.mappings.length === 0) return { roots, issues: [] };
  const issues: RootIssue[] = [];
  const mapped = roots.flatMap((root) => {
    const path = serverName(map, root.path);
    const uri = serverName(map, root.uri);
    if (path !== undefined && uri !== undefined) return [{ ...root, path, uri }];
    issues.push(createRootIssue('unmapped', root.uri));
    return [];
  });
  return { roots: mapped, issues };
}

/** The server's name for a path or URI, also if it already is one. */
function serverName(map: PathMap, text: string): string | undefined {
  return mapText(map, 'client', text) ?? (isNamedBy(map, 'server', text) ? text : undefined);
}

type Visit = (text: string, place: readonly string[]) => string;

function changeParams(
  method: string,
  params: Fields | undefined,
  visit: Visit,
  which: MappedArguments,
): unknown {
  switch (method) {
    case 'resources/read':
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      return changeFields(params, ['uri'], visit);
    case 'completion/complete':
      return changeField(params, 'ref', (ref) => changeFields(ref, ['uri'], visit));
    case 'subscriptions/listen':
      return changeField(params, 'notifications', (filter) =>
        changeField(filter, 'resourceSubscriptions', (uris) => changeAll(uris, visit, ['uri'])),
      );
    case 'tools/call':
    case 'prompts/get':
      if (which === 'off') return params;
      return changeField(params, 'arguments', (value) => changeAll(value, visit, ['arguments'], which));
    default:
      return params;
  }
}

/** Names of properties that hold paths, also as parts: `filePath`, `root_dir`, `paths`. */
const pathNames = new Set([
  'path',
  'file',
  'filename',
  'dir',
  'directory',
  'folder',
  'root',
  'cwd',
  'uri',
  'workspace',
]);

function isPathName(name: string): boolean {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.some(
    (word) =>
      pathNames.has(word) || pathNames.has(word.replace(/(?:ies|s)$/, (end) => (end === 'ies' ? 'y' : ''))),
  );
}

/** Changes every whole text in a value; under `known` only those in properties that are named like paths. */
function changeAll(
  value: unknown,
  visit: Visit,
  place: readonly string[],
  which: MappedArguments = 'all',
): unknown {
  if (place.length > deepest) return value;
  if (typeof value === 'string') return visit(value, place);
  if (Array.isArray(value)) return changeList(value, (each) => changeAll(each, visit, place, which));
  if (!isFields(value)) return value;
  return changeEntries(value, (name, member) => {
    const isText = typeof member === 'string' || isListOfTexts(member);
    if (isText && which === 'known' && !isPathName(name)) return member;
    return changeAll(member, visit, [...place, name], which);
  });
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** Parts of results that name resources. */
const resourceParts = [
  'resources',
  'resourceTemplates',
  'contents',
  'content',
  'messages',
  'resource',
] as const;

function changeResult(result: Fields, visit: Visit, map: PathMap): Fields {
  const named = resourceParts.reduce<unknown>(
    (whole, part) => changeField(whole, part, (value) => changeUris(value, visit, map)),
    result,
  );
  const structured = changeField(named, 'structuredContent', (value) =>
    changeAll(value, visit, ['structuredContent']),
  );
  return fieldsOf(structured);
}

/** Changes the URIs of resources, links and embedded resources. Texts of content stay as they are. */
function changeUris(value: unknown, visit: Visit, map: PathMap, depth = 0): unknown {
  if (depth > deepest) return value;
  if (Array.isArray(value)) return changeList(value, (each) => changeUris(each, visit, map, depth + 1));
  if (!isFields(value)) return value;
  return changeEntries(value, (name, member) => {
    if (typeof member !== 'string') {
      return name === 'content' || name === 'resource' ? changeUris(member, visit, map, depth + 1) : member;
    }
    if (name === 'uri') return visit(member, []);
    return name === 'uriTemplate' ? mapTemplate(map, member) : member;
  });
}

/** Maps the part of a template before its first variable, up to a slash. */
function mapTemplate(map: PathMap, template: string): string {
  const brace = template.indexOf('{');
  const end = brace === -1 ? template.length : template.lastIndexOf('/', brace) + 1;
  const mapped = mapText(map, 'server', template.slice(0, end));
  return mapped === undefined ? template : mapped + template.slice(end);
}

/** Each of these returns what it was given if nothing changed, so that a message stays the bytes that it was. */
function changeFields(value: unknown, names: readonly string[], visit: Visit): unknown {
  return names.reduce<unknown>(
    (whole, name) =>
      changeField(whole, name, (text) => (typeof text === 'string' ? visit(text, [name]) : text)),
    value,
  );
}

function changeField(value: unknown, name: string, change: (member: unknown) => unknown): unknown {
  if (!isFields(value) || !Object.hasOwn(value, name)) return value;
  const member = value[name];
  const changed = change(member);
  return changed === member ? value : { ...value, [name]: changed };
}

function changeEntries(value: Fields, change: (name: string, member: unknown) => unknown): Fields {
  let isChanged = false;
  const entries = Object.entries(value).map(([name, member]) => {
    const changed = change(name, member);
    isChanged ||= changed !== member;
    return [name, changed] as const;
  });
  return isChanged ? Object.fromEntries(entries) : value;
}

function changeList(list: readonly unknown[], change: (each: unknown) => unknown): readonly unknown[] {
  const changed = list.map(change);
  return changed.some((each, index) => each !== list[index]) ? changed : list;
}
