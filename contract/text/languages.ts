/** The languages of servers: ISO 639-1, and `all` for multilingual servers. */

interface Language {
  readonly code: string
  readonly name: string
  readonly native_name: string
}

/** Every code of ISO 639-1. */
const ISO_639_1 =
  'aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ' +
  'ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo ' +
  'lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl ' +
  'sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu'

export const LANGUAGE_CODES: ReadonlySet<string> = new Set(['all', ...ISO_639_1.split(' ')])

/** Intl reports it as Akan, which includes it; ISO 639-1 has both. */
const TWI = { code: 'tw', name: 'Twi', native_name: 'Twi' }

/** Multilingual first, then all languages sorted by English name, with their native names from Intl. Takes about 20 ms: call it once. */
export function languageTable(): Language[] {
  const english = new Intl.DisplayNames(['en'], { type: 'language' })
  const languages = Array.from(LANGUAGE_CODES, (code) => {
    if (code === TWI.code) return TWI
    const name = english.of(code) ?? code
    return { code, name, native_name: nativeNameOf(code) ?? name }
  })
  return [
    { code: 'all', name: 'Multilingual', native_name: 'Multilingual' },
    ...languages.filter(({ code }) => code !== 'all').toSorted((a, b) => a.name.localeCompare(b.name, 'en')),
  ]
}

/** Undefined if Intl does not support the language. */
export function nativeNameOf(code: string): string | undefined {
  const own = new Intl.DisplayNames([code], { type: 'language' })
  const name = own.resolvedOptions().locale.split('-', 1)[0] === code ? own.of(code) : undefined
  return name === undefined ? undefined : name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
}
