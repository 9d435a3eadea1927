/** In which forms a client takes an answer. */
export interface Accepts {
  readonly json: boolean;
  readonly stream: boolean;
}

/** Reads an `Accept` header. Who sends none takes anything; `q=0` is not looked for. */
export function readAccept(header: string | undefined): Accepts {
  if (header === undefined || header.includes('*/*')) return { json: true, stream: true };
  const types = header.toLowerCase();
  return {
    json: types.includes('application/json') || types.includes('application/*'),
    stream: types.includes('text/event-stream') || types.includes('text/*'),
  };
}

/** Whether a body is JSON by its type, whatever the parameters. Anything else could come from a plain form. */
export function isJson(contentType: string | undefined): boolean {
  return /^\s*application\/json\s*(?:;|$)/i.test(contentType ?? '');
}
