import { describe, expect, test } from 'vitest'
import { addTags, splitTags, type TagRules } from './tag-list.ts'

const RULES: TagRules = { max: 3, maxLength: 8, allowDuplicates: false, delimiters: [','] }

describe('what is between delimiters', () => {
  test.each([
    ['a', ['a']],
    ['a,b', ['a', 'b']],
    ['a, ,b,', ['a', 'b', '']],
    ['a\nb\tc\r\nd', ['a', 'b', 'c', 'd']],
    ['a;b', ['a;b']],
  ])('%j', (text, pieces) => expect(splitTags(text, [','])).toEqual(pieces))

  test('delimiters can be chosen', () => expect(splitTags('a;b c,d', [';', ' '])).toEqual(['a', 'b', 'c,d']))
})

describe('what becomes a tag', () => {
  test('what is new, trimmed, in order', () =>
    expect(addTags(['one'], [' two ', '', 'three'], RULES)).toEqual({
      tags: ['one', 'two', 'three'],
      added: ['two', 'three'],
      rejected: [],
      reason: undefined,
    }))

  test('what is there already does not, in whatever case', () =>
    expect(addTags(['Drift'], ['drift'], RULES)).toMatchObject({
      tags: ['Drift'],
      rejected: ['drift'],
      reason: '“drift” is already added.',
    }))

  test('unless duplicates are allowed', () =>
    expect(addTags(['drift'], ['drift'], { ...RULES, allowDuplicates: true }).tags).toEqual(['drift', 'drift']))

  test('what is beyond the limit does not, and says what to do', () =>
    expect(addTags(['a', 'b'], ['c', 'd', 'e'], RULES)).toEqual({
      tags: ['a', 'b', 'c'],
      added: ['c'],
      rejected: ['d', 'e'],
      reason: 'You can add at most 3. Remove one to add “d”.',
    }))

  test('what is too long does not; length is in code points', () => {
    expect(addTags([], ['😀😀😀😀😀😀😀😀'], RULES).added).toHaveLength(1)
    expect(addTags([], ['123456789'], RULES)).toMatchObject({ tags: [], reason: '“123456789” is too long: 9 of 8 characters.' })
  })
})
