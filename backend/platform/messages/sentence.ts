/** Renders messages in the language of the request. */
import { m } from '#api-messages'
import { localeOf } from '#contract/text/panel-languages.ts'
import { currentLanguage } from './language.ts'
import { type Message, type MessageCode, type MessageValues, message } from './message.ts'

const texts: Readonly<Record<string, (values: Message['values']) => string>> = m as never

export function render({ code, values }: Message): string {
  return texts[`error_${code.toLowerCase()}`]?.(values) ?? code
}

/** The text of a message, for replies that are not an `AppError`. */
export function sentence<C extends MessageCode>(code: C, ...values: MessageValues<C>): string {
  return render(message(code, ...values))
}

/** `a, b and c`. */
export function joinNames(names: readonly string[]): string {
  return new Intl.ListFormat(localeOf(currentLanguage())).format(names)
}
