/** A sentence as code and parameters, so that it can be rendered in any language. */
import { EN } from './en.ts'

type Catalogue = typeof EN
export type MessageCode = keyof Catalogue

type ParametersIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | ParametersIn<Rest> : never
type TextOf<C extends MessageCode> = Catalogue[C] extends string ? Catalogue[C] : Catalogue[C][keyof Catalogue[C]]
type Values<C extends MessageCode> = { readonly [N in ParametersIn<TextOf<C>>]: N extends 'count' ? number : string | number }

/** The parameters that the code's text names; nothing if it names none. */
export type Parameters<C extends MessageCode> = [ParametersIn<TextOf<C>>] extends [never] ? [] : [values: Values<C>]

/** Codes without parameters. */
export type PlainCode = { [C in MessageCode]: Parameters<C> extends [] ? C : never }[MessageCode]

export interface Message {
  readonly code: MessageCode
  readonly values: Readonly<Record<string, string | number>>
}

export function message<C extends MessageCode>(code: C, ...[values]: Parameters<C>): Message {
  return { code, values: values ?? {} }
}

export function render({ code, values }: Message): string {
  const template: string | { readonly one: string; readonly other: string } = EN[code]
  const text = typeof template === 'string' ? template : values['count'] === 1 ? template.one : template.other
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
}

/** The text of a message, for replies that are not an `AppError`. */
export function sentence<C extends MessageCode>(code: C, ...values: Parameters<C>): string {
  return render(message(code, ...values))
}
