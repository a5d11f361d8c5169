import { expect, test } from 'vitest'
import { rankCommands } from './rank-commands.ts'

const TEXTS = ['Frontier RP: edit listing', 'Servers', 'Attic: reissue credential', 'Reissue everything', 'Prereissue']
const ranked = (input: string) =>
  rankCommands(
    TEXTS.map((text) => ({ text })),
    input,
  ).map(({ text }) => text)

test('contiguous matches come before beginnings of words, and the start of a word before its middle', () => {
  expect(ranked('reiss')).toEqual(['Reissue everything', 'Attic: reissue credential', 'Prereissue'])
  expect(ranked('fredit')).toEqual(['Frontier RP: edit listing'])
})

test('letters that are scattered over a text do not match, nor do one or two inside a word', () => {
  expect(ranked('ers')).toEqual(['Servers'])
  expect(ranked('theme')).toEqual([])
  expect(ranked('i')).toEqual([])
  expect(ranked('er')).toEqual([])
  expect(ranked('e t')).toEqual([])
})

test('other words find a command too', () => {
  expect(rankCommands([{ text: 'Log out', words: 'sign out' }, { text: 'Servers' }], 'sign')).toEqual([
    { text: 'Log out', words: 'sign out' },
  ])
})

test('words match in any order, and the letter case and extra spaces do not matter', () => {
  expect(ranked('  CREDENTIAL   attic ')).toEqual(['Attic: reissue credential'])
})

test('accents do not matter, nor do the special letters of Turkish and Polish', () => {
  const commands = ['İstatistikler', 'Sunucu: işaret', 'ISLIK', 'Łódź'].map((text) => ({ text }))
  const found = (input: string) => rankCommands(commands, input).map(({ text }) => text)
  expect(found('ista')).toEqual(['İstatistikler'])
  expect(found('ıslık')).toEqual(['ISLIK'])
  expect(found('ISARET')).toEqual(['Sunucu: işaret'])
  expect(found('lodz')).toEqual(['Łódź'])
})

test('an empty input keeps all commands in their order, and an unknown one matches nothing', () => {
  expect(ranked(' ')).toEqual(TEXTS)
  expect(ranked('zzz')).toEqual([])
})
