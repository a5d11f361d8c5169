/** Inlining of messages into the built code. */
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { inLanguage, replaceMessages } from './inline-messages.ts'

const IMPORT = "import { m } from '#messages'\n"
const CATALOGUES = {
  '#messages': { texts: { hello: 'Hello', greeting: 'Hello {name}, `$5`', count: [{ match: {} }], rich: '{#b}Hello{/b}' }, modules: '/m/' },
  '#api-messages': { texts: { hello: 'Hello from the API' }, modules: '/api/' },
}

const replace = (code: string) => replaceMessages(code, parseSync('page.js', code).program, CATALOGUES)
const inline = (code: string) =>
  replace(IMPORT + code)
    .replace(/^\n/, '')
    .replace('\n\n', '\n')

test('a simple message becomes a literal that contains its inputs', () => {
  expect(inline('f(m.hello(), { a: m.greeting({ name }) })')).toBe('f("Hello", { a: `Hello ${name}, \\`\\$5\\`` })')
  expect(inline("m.greeting({ name: ok ? m.hello() : 'x' })")).toBe('`Hello ${ok ? "Hello" : \'x\'}, \\`\\$5\\``')
})

test('a message with variants or markup, or passed as a function, is imported from its own module', () => {
  expect(inline('f(m.count({ count: 2 }), m.rich, m.hello)')).toBe(
    ['count', 'rich', 'hello'].map((key) => `import { ${key} as m_${key} } from "/m/${key}.js"\n`).join('') +
      'f(m_count({ count: 2 }), m_rich, m_hello)',
  )
})

test('a message whose inputs come from a variable or a spread is imported', () => {
  for (const inputs of ['names', '{ ...names }', 'of(name)']) {
    expect(inline(`m.greeting(${inputs})`)).toBe(`import { greeting as m_greeting } from "/m/greeting.js"\nm_greeting(${inputs})`)
  }
})

test('a message in a default value is replaced', () => {
  expect(inline('function f({ text = m.rich, other }) {}')).toContain('function f({ text = m_rich, other }) {}')
})

test('a call without one of its inputs fails the build', () => {
  expect(() => inline('m.greeting({ other: 1 })')).toThrow('is called without name')
})

test('an import under another name works, and other imports and computed keys fail the build', () => {
  expect(replace("import { m as api } from '#api-messages'\nimport { m } from '#messages'\nf(api.hello(), m.hello(), api.count())")).toBe(
    'import { count as api_count } from "/api/count.js"\n\n\nf("Hello from the API", "Hello", api_count())',
  )
  expect(() => inline("m['hello']()")).toThrow('write the key')
  expect(() => replace("import * as m from '#messages'\nm.hello()")).toThrow('import only m')
})

test('a compiled message keeps only its language', () => {
  const compiled = 'const locale = experimentalStaticLocale ?? options.locale ?? getLocale()\nif (locale === "de") return de()\nreturn en()'
  expect([inLanguage(compiled, 'de'), inLanguage(compiled, 'en')]).toEqual([
    '\nif (true) return de()\nreturn en()',
    '\nif (false) return de()\nreturn en()',
  ])
})

test('a plural form needs no library', () => {
  expect(inLanguage('const form = registry.plural("de", i?.count, {});', 'de')).toBe(
    'const form = new Intl.PluralRules("de").select(Number(i?.count));',
  )
})

test('the import decides the catalogue', () => {
  expect(replace("import { m } from '#api-messages'\nf(m.hello(), m.count())")).toBe(
    'import { count as m_count } from "/api/count.js"\n\nf("Hello from the API", m_count())',
  )
  expect(replace("import * as m from './messages.ts'\nm.hello()")).toBe("import * as m from './messages.ts'\nm.hello()")
})
