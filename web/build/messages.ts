/** Compiles the message catalogues (`messages/<name>/<locale>.json`) into typed functions, imported as `#messages` and `#api-messages`. */
import type { CompilerOptions } from '@inlang/paraglide-js'
import { createHash } from 'node:crypto'
import fs, { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { messageTypes, runtimeTypes } from './message-types.ts'

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

function catalogueOf(name: string, specifier: string): Catalogue {
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
export const PANEL = catalogueOf('panel', '#messages')
/** The texts that the backend sends. The contract uses them, so the panel shows some too. */
export const API = catalogueOf('api', '#api-messages')

/** The messages in a language by key: a text, or the variants of a message. A missing one is in English. */
export function textsOf({ english, folder }: Catalogue, language: string): Readonly<Record<string, unknown>> {
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, unknown>>
  return { ...read(english), ...read(join(folder, `${language}.json`)) }
}

/** The folder with a module for each message, for the panel's build. */
export const buildFolderOf = ({ options }: Catalogue) => `${options.outdir}-build`

/** Compiles what has changed: a module for each language for the backend and the tests, and one for each message for the panel's build. */
export async function compileMessages(): Promise<void> {
  for (const catalogue of [PANEL, API]) {
    const { folder, english, options } = catalogue
    const sources = [
      import.meta.filename,
      join(import.meta.dirname, 'message-types.ts'),
      ...globSync(join(folder, '{*.json,*.inlang/settings.json}')).toSorted(),
      join(ROOT, 'package-lock.json'),
    ]
    const hash = createHash('sha256')
    for (const source of sources) hash.update(readFileSync(source))
    const digest = hash.digest('hex')
    const stamp = join(options.outdir, 'sources.sha256')
    if ([stamp, buildFolderOf(catalogue)].every(existsSync) && readFileSync(stamp, 'utf8') === digest) continue
    const { compileProject } = await import('@inlang/paraglide-js')
    const { loadProjectFromDirectory } = await import('@inlang/sdk')
    // Loading takes most of the time, so it serves both.
    const project = await loadProjectFromDirectory({ path: options.project, fs })
    const compile = (outputStructure: 'locale-modules' | 'message-modules') =>
      compileProject({ project, compilerOptions: { ...options, outputStructure } })
    writeModules(buildFolderOf(catalogue), await compile('message-modules'))
    const types = { 'messages.d.ts': messageTypes(english), 'runtime.d.ts': runtimeTypes() }
    writeModules(options.outdir, { ...(await compile('locale-modules')), ...types })
    const errors = await project.errors.get()
    await project.close()
    if (errors.length > 0) throw new AggregateError(errors, `${folder} could not be compiled`)
    writeFileSync(stamp, digest)
  }
}

/** Replaces the folder. */
function writeModules(folder: string, modules: Readonly<Record<string, string>>): void {
  rmSync(folder, { recursive: true, force: true })
  for (const [file, content] of Object.entries(modules)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), content)
  }
}

if (import.meta.main) await compileMessages()
