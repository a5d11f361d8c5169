/** Splitting and adding of tags. */
import { describe, expect, test } from 'vitest'
import { addTags, splitTags, type TagRules } from './tag-list.ts'

const RULES: TagRules = { max: 3, maxLength: 8, allowDuplicates: false, delimiters: [','] }

describe('splitting', () => {
  test.each([
    ['a', ['a']],
    ['a,b', ['a', 'b']],
    ['a, ,b,', ['a', 'b', '']],
    ['a\nb\tc\r\nd', ['a', 'b', 'c', 'd']],
    ['a;b', ['a;b']],
  ])('%j', (text, pieces) => expect(splitTags(text, [','])).toEqual(pieces))

  test('uses the given delimiters', () => expect(splitTags('a;b c,d', [';', ' '])).toEqual(['a', 'b', 'c,d']))
})

describe('adding', () => {
  test('appends new tags, trimmed and in order', () =>
    expect(addTags(['one'], [' two ', '', 'three'], RULES)).toEqual({
      tags: ['one', 'two', 'three'],
      added: ['two', 'three'],
      rejected: [],
      reason: undefined,
    }))

  test('rejects duplicates in any case', () =>
    expect(addTags(['Drift'], ['drift'], RULES)).toMatchObject({
      tags: ['Drift'],
      rejected: ['drift'],
      reason: '“drift” is already added.',
    }))

  test('accepts duplicates if they are allowed', () =>
    expect(addTags(['drift'], ['drift'], { ...RULES, allowDuplicates: true }).tags).toEqual(['drift', 'drift']))

  test('rejects tags over the limit, and says what to do', () =>
    expect(addTags(['a', 'b'], ['c', 'd', 'e'], RULES)).toEqual({
      tags: ['a', 'b', 'c'],
      added: ['c'],
      rejected: ['d', 'e'],
      reason: 'You can add at most 3. Remove one to add “d”.',
    }))

  test('rejects tags that are too long, counted in code points', () => {
    expect(addTags([], ['😀😀😀😀😀😀😀😀'], RULES).added).toHaveLength(1)
    expect(addTags([], ['123456789'], RULES)).toMatchObject({ tags: [], reason: '“123456789” is too long: 9 of 8 characters.' })
  })
})
