/** Compiles the message catalogues (`messages/<name>/<locale>.json`) into typed functions, imported as `#messages` and `#api-messages`. */
import type { CompilerOptions } from '@inlang/paraglide-js'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

export interface Catalogue {
  /** The specifier of its imports. */
  readonly specifier: string
  readonly folder: string
  /** The messages in English. */
  readonly english: string
  /** Without a strategy that detects the locale: the build knows it, and the backend sets it (`platform/messages/language.ts`). */
  readonly options: CompilerOptions
}

function catalogue(name: string, specifier: string): Catalogue {
  const folder = join(ROOT, 'messages', name)
  return {
    specifier,
    folder,
    english: join(folder, 'en.json'),
    options: {
      project: join(folder, 'project.inlang'),
      outdir: join(ROOT, '.cache', specifier.slice(1)),
      strategy: ['baseLocale'],
      emitGitIgnore: false,
      emitPrettierIgnore: false,
      emitReadme: false,
    },
  }
}

/** The texts of the panel. */
export const PANEL = catalogue('panel', '#messages')
/** The texts that the backend sends. The contract uses them, so the panel shows some too. */
export const API = catalogue('api', '#api-messages')

/** The messages in a language by key: a text, or the variants of a message. A missing one is in English. */
export function textsOf({ english, folder }: Catalogue, language: string): Readonly<Record<string, unknown>> {
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, unknown>>
  return { ...read(english), ...read(join(folder, `${language}.json`)) }
}

/** Compiles for the backend, the type checker and the tests if the sources have changed. The panel's build compiles separately. */
export async function compileMessages(...catalogues: readonly Catalogue[]): Promise<void> {
  for (const { folder, options } of catalogues) {
    const sources = [
      import.meta.filename,
      ...globSync(join(folder, '{*.json,*.inlang/settings.json}')).toSorted(),
      join(ROOT, 'package-lock.json'),
    ]
    const hash = createHash('sha256')
    for (const source of sources) hash.update(readFileSync(source))
    const digest = hash.digest('hex')
    const stamp = join(options.outdir, 'sources.sha256')
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) continue
    // Loading the compiler takes longer than everything above.
    const { compile } = await import('@inlang/paraglide-js')
    await compile({ ...options, outputStructure: 'locale-modules' })
    writeFileSync(stamp, digest)
  }
}

if (import.meta.main) await compileMessages(PANEL, API)
