/** The language of the texts that a request's code renders. Outside of a request, texts are English. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { overwriteGetLocale } from '#api-messages/runtime'
import { DEFAULT_LANGUAGE, type Language } from '#contract/text/panel-languages.ts'

const languages = new AsyncLocalStorage<Language>()

export const currentLanguage = (): Language => languages.getStore() ?? DEFAULT_LANGUAGE

overwriteGetLocale(currentLanguage)

/** Runs a function, and everything that it starts, with texts in this language. */
export function runInLanguage<T>(language: Language, run: () => T): T {
  return languages.run(language, run)
}

/** For texts that are stored or logged, whichever request causes them. */
export const inEnglish = (text: () => string): string => runInLanguage(DEFAULT_LANGUAGE, text)
