import { expect, test } from 'vitest'
import { highlight } from './highlight.ts'

test('highlighting keeps every character', () => {
  const code = '\n\n# “Say” \'it\'\r\nvalue = """a\n\nb"""  # end\n'
  for (const language of ['python', 'shell', 'yaml', 'javascript', 'html', 'rust', 'cpp'] as const) {
    const tokens = highlight(code, language)
    expect(tokens.map(({ text }) => text).join('')).toBe(code)
  }
  expect(highlight('if x: # why', 'python').map(({ type }) => type)).toEqual(expect.arrayContaining(['keyword', 'identifier', 'comment']))
  expect(highlight('x // why', 'rust').at(-1)?.type).toBe('comment')
})
