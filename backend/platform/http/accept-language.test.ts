/** Language negotiation. */
import { expect, test } from 'vitest'
import { PANEL_LANGUAGES } from '#contract/text/panel-languages.ts'
import { languageOf } from './accept-language.ts'

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['de', 'de'],
  ['DE', 'de'],
  ['de-AT', 'de'],
  ['pt', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['PT-br', 'pt-BR'],
  ['es-419', 'es'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['en;q=0.5, tr;q=0.7', 'tr'],
  ['en;q=0.5,tr;q=0.5', 'en'],
  ['ja,ru;q=0.3', 'ru'],
  ['ja, nl', 'en'],
  ['ja, *;q=0.5, fr;q=0.1', 'en'],
  ['fr;q=0, pl;q=0.1', 'pl'],
  ['fr;q=abc, pl;q=0.1', 'pl'],
  ['de ; q=0.8 , fr ; q=0.9', 'fr'],
  [';;,=,-', 'en'],
  ['den, dev', 'en'],
])('Accept-Language %j selects %s', (header, language) => {
  expect(languageOf(header)).toBe(language)
})

test.each(PANEL_LANGUAGES)('a client that accepts only %s gets it', (language) => {
  expect(languageOf(language)).toBe(language)
})
