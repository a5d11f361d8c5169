/** The lengths that the documents state are those of the examples. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EXAMPLES_FOLDER, codeLines } from './code-lines.ts'

const ROOT = join(EXAMPLES_FOLDER, '..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
/** Not announcers. */
const OTHERS = ['docker', 'launcher', 'mirror', 'systemd']

/** The files of each row of the table, and the lines that it states. */
const rows = [...read('examples/README.md').matchAll(/^\| [^|]+ \| (\[[^|]+) \| ([\d +]+) \|/gm)].map(([, links = '', lines = '']) => ({
  files: [...links.matchAll(/\]\(([^)]+)\)/g)].map(([, file = '']) => file),
  lines: lines.split('+').map(Number),
}))

test('the table of examples has every announcer, with the lines of code of each file', () => {
  const folders = readdirSync(EXAMPLES_FOLDER, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !OTHERS.includes(entry.name),
  )
  expect(rows.map(({ files }) => files[0]?.split('/')[0]).toSorted()).toEqual(folders.map(({ name }) => name).toSorted())
  expect(rows.map(({ files, lines }) => [files, lines])).toEqual(rows.map(({ files }) => [files, files.map(codeLines)]))
})

test('an announcer has at most 60 lines of code; a program beside a class to copy, 20', () => {
  for (const { files, lines } of rows) expect(lines.at(-1), files.join(', ')).toBeLessThanOrEqual(files.length > 1 ? 20 : 60)
})

test('the launcher and the first program with the SDK have the lines that the documents state', () => {
  const [, launcher] = /\[a launcher in (\d+) lines\]/.exec(read('sdk/README.md')) ?? []
  expect(read('examples/launcher/index.html').trimEnd().split('\n')).toHaveLength(Number(launcher))
  const guide = read('docs/announcing.md')
  const [, sdk] = /^\| [^|]+ \| \[the SDK\]\(#the-sdk\) \| (\d+) \|/m.exec(guide) ?? []
  const [, code = ''] = /```js\n(.*?)```/s.exec(guide) ?? []
  expect(code.split('\n').filter((line) => line.trim() !== '')).toHaveLength(Number(sdk))
})
