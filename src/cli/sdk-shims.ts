import { createRequire } from 'node:module';
import process from 'node:process';
import type * as validators from '@modelcontextprotocol/server/validators/ajv';

type Validator = validators.AjvJsonSchemaValidator;

/**
 * Replaces, in the bundled command, a module that the SDK chooses by platform. The SDK's validator is a third of
 * its size and is needed only for a form that a client filled in, so it is loaded on first use.
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
