import { type Operation, operations } from '../../boundary/step/operation.ts';
import { quote } from '../../base/quote.ts';

/** An operation by its name, as a flag or an argument. */
export function parseOperation(text: string): Operation {
  const operation = operations.find((name) => name === text);
  if (operation === undefined)
    throw new Error(`${quote(text)} is no operation; there are ${operations.join(', ')}`);
  return operation;
}
