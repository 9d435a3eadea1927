import { createRequire } from 'node:module';
import process from 'node:process';
import type * as validators from '@modelcontextprotocol/server/validators/ajv';

type Validator = validators.AjvJsonSchemaValidator;

/**
 * Stands in the bundled command for what the SDK chooses by platform. Its validator is a third of the SDK, and is
 * asked about nothing but a form that a client filled in: it is loaded by the first of these.
 */
export class DefaultJsonSchemaValidator {
  #loaded: Validator | undefined;

  getValidator<Value>(
    schema: Parameters<Validator['getValidator']>[0],
  ): ReturnType<typeof validators.AjvJsonSchemaValidator.prototype.getValidator<Value>> {
    this.#loaded ??= load();
    return this.#loaded.getValidator<Value>(schema);
  }
}

function load(): Validator {
  const require = createRequire(import.meta.url);
  const { AjvJsonSchemaValidator } =
    require('@modelcontextprotocol/server/validators/ajv') as typeof validators;
  return new AjvJsonSchemaValidator();
}

export { process };
