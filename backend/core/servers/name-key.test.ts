/** Name keys: look-alike names have the same key. */
import fc from 'fast-check'
import confusables from 'unhomoglyph/data.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { nameKey } from './name-key.ts'

test.each([
  ['Los Santos', 'LOS SANTOS', 'case'],
  ['Los Santos', 'Ｌｏｓ Ｓａｎｔｏｓ', 'width'],
  ['Los Santos', 'Lös Sántøs'.replace('ø', 'ö'), 'accents'],
  ['Los Santos', 'Lоs Sаntоs', 'Cyrillic letters'],
  ['Los Santos', 'L0s Sant0s', 'zero for o'],
  ['Illusion', 'lllusion', 'l for I'],
  ['Illusion', '1llusion', '1 for I'],
  ['Modern', 'rnodern', 'rn for m'],
  ['BIG HARBOUR', 'ВІG НАRВОUR', 'Cyrillic capitals'],
  ['City', '𝓒𝓲𝓽𝔂', 'mathematical letters'],
  ['City', 'Ⓒⓘⓣⓨ', 'circled letters'],
  ['City', 'ᴄɪᴛʏ', 'small capitals'],
  ['Misc Probe', 'ᴍɪꜱᴄ ᴘʀᴏʙᴇ', 'small capitals'],
  ['Two words', 'Two  words', 'spaces'],
  ['Cosmic', 'ϲosmiϲ', 'Greek lunate sigma'],
  ['Cosmic', 'Ϲosmic', 'Greek capital lunate sigma'],
  ['City', '🅒🅘🅣🅨', 'negative circled letters'],
  ['City', '🅲🅸🆃🆈', 'negative squared letters'],
  ['City', '🄲🄸🅃🅈', 'squared letters'],
  ['City', '🇨🇮🇹🇾', 'regional indicators'],
  ['City', '⒞⒤⒯⒴', 'letters in brackets'],
  ['Zone', 'Zಂne', 'Kannada anusvara'],
  ['Zone', 'Zംne', 'Malayalam anusvara'],
  ['City', 'C!ty', 'an exclamation mark inside a word'],
  ['City', 'C¡ty', 'an inverted exclamation mark inside a word'],
  ['City', 'Cǃty', 'a click letter inside a word'],
  ['Server 1', 'Server ❶', 'circled digits'],
  ['Roleplay', 'Røleplay', 'a stroke'],
  ['LEGION', 'ŁEGION', 'a capital with a stroke'],
  ['dark', 'đark', 'a bar'],
  ['hero', 'ħero', 'a bar'],
  ['zone', 'ƶone', 'a stroke'],
  ['king', 'қing', 'a Cyrillic descender'],
  ['king', 'ƙing', 'a hook'],
  ['Zone', 'Ⱬøȵɇ', 'a descender, a stroke and a curl'],
  ['Texas', 'Tɇҳȧş', 'a Cyrillic descender among accents'],
  ['"Elite"', '“Elite”', 'quotation marks'],
  ['"Elite"', "''Elite''", 'doubled apostrophes'],
  ['«Elite»', '„Elite‟', 'quotation marks of other languages'],
  ["King's Road", 'King’s Road', 'apostrophes'],
  ['World', 'VVorld', 'vv for w'],
])('%s and %s have one key (%s)', (a, b) => {
  expect(nameKey(a)).toBe(nameKey(b))
})

test.each([
  ['Los Santos', 'Las Santos'],
  ['Server 1', 'Server 2'],
  ['Roleplay', 'Role play'],
  ['Alpha-1', 'Alpha1'],
  ['北京', '東京'],
  ['Москва', 'Казань'],
  ['car', 'cay'],
  ['Join now!', 'Join nowi'],
  ['Wow! City', 'Wowi City'],
  ['!City', 'iCity'],
  ['"Elite"', 'Elite'],
  ['қала', 'дала'],
])('%s and %s have two keys', (a, b) => {
  expect(nameKey(a)).not.toBe(nameKey(b))
})

test('the key of plain Latin never depends on case', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_|') })
  fc.assert(
    fc.property(letters, (text) => {
      expect(nameKey(text.toUpperCase())).toBe(nameKey(text))
      expect(nameKey(text.toLowerCase())).toBe(nameKey(text))
    }),
  )
})

test("every character that Unicode's table maps to one ASCII letter has that letter's key", () => {
  const entries = Object.entries(confusables as Record<string, string>).filter(([, looksLike]) => /^[A-Za-z]$/.test(looksLike))
  expect(entries.length).toBeGreaterThan(1000)
  expect(entries.filter(([letter, looksLike]) => nameKey(letter) !== nameKey(looksLike))).toEqual([])
})

test("every character that Unicode's table maps to one ASCII letter with marks has that letter's key", () => {
  const entries = Object.entries(confusables as Record<string, string>).filter(([, looksLike]) => /^[A-Za-z]\p{M}+$/u.test(looksLike))
  expect(entries.length).toBeGreaterThan(100)
  expect(entries.filter(([letter, looksLike]) => nameKey(letter) !== nameKey(looksLike[0] ?? ''))).toEqual([])
})
