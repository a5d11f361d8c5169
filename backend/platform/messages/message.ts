/** A message as code and parameters, so that it can be rendered in any language. Codes are the catalogue's keys that begin with `error_`. */
import type { m } from '#api-messages'

type Messages = typeof m
type Catalogue = { readonly [K in keyof Messages as K extends `error_${infer Name}` ? Uppercase<Name> : never]: Messages[K] }
export type MessageCode = keyof Catalogue

type Values<C extends MessageCode> = {
  readonly [N in keyof NonNullable<Parameters<Catalogue[C]>[0]>]: N extends 'count' ? number : string | number
}

/** The parameters that the code's text names; nothing if it names none. */
export type MessageValues<C extends MessageCode> = [keyof Values<C>] extends [never] ? [] : [values: Values<C>]

/** Codes without parameters. */
export type PlainCode = { [C in MessageCode]: MessageValues<C> extends [] ? C : never }[MessageCode]

export interface Message {
  readonly code: MessageCode
  readonly values: Readonly<Record<string, string | number>>
}

export function message<C extends MessageCode>(code: C, ...[values]: MessageValues<C>): Message {
  return { code, values: values ?? {} }
}
