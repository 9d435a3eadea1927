import { isOneObject, scanObject } from './scan-message.ts';
import type { WireFrame } from './wire-frame.ts';

/** The fields that say what a message is and what it asks for. */
const ownFields = {
  message: foldedNames('jsonrpc', 'id', 'method', 'params', 'result', 'error'),
  params: foldedNames('name', 'arguments', 'uri', '_meta', 'inputResponses', 'requestState'),
} as const;

/**
 * Whether two readers could take a request for two different ones, so that a rule judges the one and the server acts on
 * the other. Servers in other languages read JSON in other ways: some take the first of two fields with one name, some
 * do not tell `Name` from `name`, some go on reading after the first object of a line, and for some a carriage return
 * ends the line.
 *
 * @example
 * ```ts
 * hasTwoMeanings({ bytes: Buffer.from('{"method":"ping","Method":"tools/call"}'), fields: new Map() }) // → true
 * hasTwoMeanings({ bytes: Buffer.from('{"method":"ping"}'), fields: new Map() }) // → false
 * ```
 */
export function hasTwoMeanings({ bytes, fields }: WireFrame): boolean {
  const broken = bytes.indexOf(carriageReturn);
  if (broken !== -1 && broken < bytes.length - '\r\n'.length) return true;
  if (!isOneObject(bytes) || isUnclear(bytes, 0, ownFields.message)) return true;
  const params = fields.get('params');
  if (params === undefined || bytes.toString('latin1', params.start, params.end) === 'null') return false;
  return isUnclear(bytes, params.start, ownFields.params);
}

const carriageReturn = 0x0d;

/** Whether an object has a field twice, or one of these in other letters. */
function isUnclear(bytes: Buffer, from: number, names: ReadonlyMap<string, string>): boolean {
  const met = new Set<string>();
  let isTwice = false;
  const object = scanObject(bytes, from, (name) => {
    isTwice ||= met.has(name) || (names.get(name.toLowerCase()) ?? name) !== name;
    met.add(name);
  });
  return object === undefined || isTwice;
}

function foldedNames(...names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.map((name) => [name.toLowerCase(), name]));
}
