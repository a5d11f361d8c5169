/** Chooses the language of a reply from Accept-Language (RFC 9110 section 12.5.4). */
import type { FastifyRequest } from 'fastify'
import { DEFAULT_LANGUAGE, type Language, PANEL_LANGUAGES } from '#contract/text/panel-languages.ts'
import { weightsOf } from './negotiation.ts'

/** By primary subtag, because a regional variant that we lack is better than another language: `pt-PT` gets `pt-BR`. */
const LANGUAGES: ReadonlyMap<string, Language> = new Map(PANEL_LANGUAGES.map((language) => [primarySubtag(language), language]))

/** The accepted language with the highest weight, or the default. */
export function languageOf(header: string | undefined): Language {
  if (header === undefined) return DEFAULT_LANGUAGE
  const accepted = [...weightsOf(header)].filter(([, weight]) => weight > 0).toSorted(([, a], [, b]) => b - a)
  for (const [range] of accepted) {
    const language = range === '*' ? DEFAULT_LANGUAGE : LANGUAGES.get(primarySubtag(range))
    if (language !== undefined) return language
  }
  return DEFAULT_LANGUAGE
}

export const requestLanguage = ({ headers }: FastifyRequest): Language => languageOf(headers['accept-language'])

function primarySubtag(tag: string): string {
  return tag.split('-', 1)[0] ?? ''
}
