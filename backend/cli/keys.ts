/** `keys init|renew|rotate-root FOLDER`: the keys of the signed list. `help.ts` describes the options. */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '#backend/platform/clock.ts'
import { type KeyNote, type KeyNotes, appendKeyNote, readKeyNotes } from '#backend/platform/signing/key-notes.ts'
import { PrivateKey, isKeyName } from '#backend/platform/signing/signed-note.ts'

const DAY_MS = 86_400_000
const DAYS = { default: '180', max: 800 } as const
/** The clock of the machine that signs the list may be behind this one. */
const BEFORE_MS = 3_600_000
const NOTE_FILE = /^keys-(\d+)\.note$/

export const KEYS_OPTIONS = {
  name: { type: 'string' },
  days: { type: 'string', default: DAYS.default },
  root: { type: 'string' },
  revoke: { type: 'boolean', default: false },
} as const

type Values = ReturnType<typeof readOptions>['values']

interface Folder {
  readonly path: string
  readonly notes: KeyNotes
}

/** A file to write, and what it is. */
type File = readonly [name: string, content: string, description: string]

export function keys(args: readonly string[]): void {
  const { verb, folder, values } = readOptions(args)
  if (verb === 'init') return init(folder, values)
  const existing = { path: folder, notes: newestNotes(folder) }
  return verb === 'renew' ? renew(existing, values) : rotateRoot(existing, values)
}

function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: KEYS_OPTIONS })
  const [verb, folder, ...more] = positionals
  if ((verb !== 'init' && verb !== 'renew' && verb !== 'rotate-root') || folder === undefined || more.length > 0)
    throw new Error('Usage: npm run muster -- keys init|renew|rotate-root FOLDER [options]')
  const days = Number(values.days)
  if (!Number.isInteger(days) || days < 1 || days > DAYS.max) throw new Error(`--days must be a whole number from 1 to ${DAYS.max}.`)
  return { verb, folder: resolve(folder), values: { ...values, days } } as const
}

function init(folder: string, values: Values): void {
  if (filesIn(folder).some((name) => NOTE_FILE.test(name)))
    throw new Error(`${folder} already has keys. Nothing was changed. Use another folder, or "keys renew".`)
  const name = values.name ?? hostOfList() ?? 'muster'
  if (!isKeyName(`${name}/root`)) throw new Error('--name must be at most 95 characters, without spaces or plus signs.')
  const root = PrivateKey.create(`${name}/root`)
  const online = PrivateKey.create(name)
  const note = { version: 1, time: timeIn(0), keys: [validKey(online, values)] }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  write(folder, [
    ['root-1.key', root.reveal(), 'the root key, private'],
    ['online-1.key', online.reveal(), `the online key, private, valid for ${values.days} days`],
    ['keys-1.note', appendKeyNote(undefined, note, root), 'the note that names the online key'],
  ])
  explain([
    ...offline('root-1.key'),
    ...onNodes(folder, 'online-1.key', 'keys-1.note'),
    'Give this public key to launchers and mirrors:',
    `  ${root.publicKey.text}`,
  ])
}

function hostOfList(): string | undefined {
  return URL.parse(process.env.MASTERLIST_PUBLIC_URL ?? '')?.host
}

function renew({ path, notes }: Folder, values: Values): void {
  const root = findRoot({ path, notes }, values)
  const online = PrivateKey.create(notes.root.name.replace(/\/root$/, ''))
  const next = nextNote(notes)
  const kept = values.revoke ? [] : next.keys
  const note = { ...next, keys: [...kept, validKey(online, values)] }
  const [keyFile, noteFile] = [`online-${next.version}.key`, `keys-${next.version}.note`]
  write(path, [
    [keyFile, online.reveal(), `the next online key, private, valid for ${values.days} days`],
    [
      noteFile,
      appendKeyNote(notes, note, root),
      kept.length === 0 ? 'the note that names it alone' : 'the note that names it beside the former ones',
    ],
  ])
  explain([
    ...onNodes(path, keyFile, noteFile),
    ...(kept.length === 0
      ? ['Restart all nodes at once: readers reject what the former keys sign as soon as they have the new note.']
      : ['With several nodes, first set only SIGNING_KEYS on all of them, then SIGNING_KEY on one after the other.']),
    'The public key for launchers and mirrors stays the same.',
  ])
}

function rotateRoot({ path, notes }: Folder, values: Values): void {
  const former = findRoot({ path, notes }, values)
  const root = PrivateKey.create(notes.root.name)
  const next = nextNote(notes)
  const [keyFile, noteFile] = [`root-${next.version}.key`, `keys-${next.version}.note`]
  write(path, [
    [keyFile, root.reveal(), 'the next root key, private'],
    [noteFile, appendKeyNote(notes, next, root, former), 'the note in which the former root key names it'],
  ])
  explain([
    ...offline(keyFile),
    'Copy the note to each node, and set there:',
    `  SIGNING_KEYS_FILE=${join(path, noteFile)}`,
    'Launchers and mirrors with the former public key follow by themselves. New ones get this one:',
    `  ${root.publicKey.text}`,
    'Destroy the former root key once the nodes serve the note.',
  ])
}

const timeIn = (ms: number) => new Date(systemClock.now() + ms).toISOString()

const validKey = ({ publicKey }: PrivateKey, { days }: Values): KeyNote['keys'][number] => ({
  key: publicKey.text,
  from: timeIn(-BEFORE_MS),
  until: timeIn(days * DAY_MS),
})

/** With the keys that have not ended. */
function nextNote({ current }: KeyNotes): Omit<KeyNote, 'root'> {
  const valid = current.keys.filter(({ until }) => Date.parse(until) > systemClock.now())
  return { version: current.version + 1, time: timeIn(0), keys: valid.length === 0 ? current.keys : valid }
}

function newestNotes(folder: string): KeyNotes {
  const versions = filesIn(folder).flatMap((name) => Number(NOTE_FILE.exec(name)?.[1] ?? 0))
  const newest = Math.max(0, ...versions)
  if (newest === 0) throw new Error(`${folder} has no file keys-N.note. Run "npm run muster -- keys init FOLDER" first.`)
  try {
    return readKeyNotes(readFileSync(join(folder, `keys-${newest}.note`), 'utf8'))
  } catch (error) {
    throw new Error(`The key notes in keys-${newest}.note ${(error as Error).message}.`)
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The private key of the notes' root, from `--root` or the folder. */
function findRoot({ path, notes }: Folder, { root: file }: Values): PrivateKey {
  const candidates =
    file === undefined
      ? filesIn(path)
          .filter((name) => /^root-\d+\.key$/.test(name))
          .map((name) => join(path, name))
      : [file]
  const found = candidates.map((each) => PrivateKey.parse(readText(each))).find((key) => key?.publicKey.text === notes.root.text)
  if (found !== undefined) return found
  throw new Error(
    file === undefined
      ? `${path} does not have the root key ${notes.root.text}. Name its file with --root FILE.`
      : `${file} is not the root key ${notes.root.text}.`,
  )
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new Error(`${file} cannot be read.`)
  }
}

/** Overwrites nothing. */
function write(folder: string, files: readonly File[]): void {
  const existing = new Set(filesIn(folder))
  const taken = files.find(([name]) => existing.has(name))
  if (taken !== undefined)
    throw new Error(`${join(folder, taken[0])} already exists. Nothing was changed. Use an empty folder, or "keys renew".`)
  for (const [name, content] of files) writeFileSync(join(folder, name), `${content.trimEnd()}\n`, { mode: 0o600, flag: 'wx' })
  const width = Math.max(...files.map(([name]) => name.length))
  explain([`Wrote to ${folder}:`, ...files.map(([name, , description]) => `  ${name.padEnd(width)}  ${description}`), ''])
}

const offline = (file: string) => [
  `Move ${file} to a place that is not online, such as two USB sticks. Only it can name the next online key.`,
]

const onNodes = (folder: string, keyFile: string, noteFile: string) => [
  `Copy ${keyFile} and ${noteFile} to each node, and set there:`,
  `  SIGNING_KEY_FILE=${join(folder, keyFile)}`,
  `  SIGNING_KEYS_FILE=${join(folder, noteFile)}`,
]

const explain = (lines: readonly string[]) => void process.stdout.write(`${lines.join('\n')}\n`)
