/** What a parser made of a text: a value, or where and why it could not. */
export type Parsed<Value = unknown> = { readonly value: Value } | { readonly fault: string };
