/** Finds a browser. It prefers a headless shell: the same engine without a window, at half the CPU time. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import type { LaunchOptions } from '@playwright/test'

const SYSTEM_SHELL = '/usr/lib/chromium/chromium-headless-shell'
const SYSTEM = '/usr/bin/chromium'

const SHARED_MEMORY = '/dev/shm'
/** Docker's default of 64 MB is too small for a browser. */
const MIN_SHARED_MEMORY = 1024 ** 3
/** Set by Playwright: shared memory is in files, which cost a twentieth of all CPU time. */
const WITHOUT_SHARED_MEMORY = '--disable-dev-shm-usage'

/** How to start the browser that `findBrowser` found. */
export function launchOptions(executablePath: string): LaunchOptions {
  return {
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
    ignoreDefaultArgs: hasSharedMemory() ? [WITHOUT_SHARED_MEMORY] : [],
  }
}

function hasSharedMemory(): boolean {
  if (!existsSync(SHARED_MEMORY)) return false
  const { bavail, bsize } = statfsSync(SHARED_MEMORY)
  return bavail * bsize >= MIN_SHARED_MEMORY
}

/** The first available executable: PW_CHROMIUM, the system's shell, the shell from npm, or the system's full browser. */
export async function findBrowser(): Promise<string> {
  const configured = process.env.PW_CHROMIUM
  if (configured) return configured
  if (existsSync(SYSTEM_SHELL)) return SYSTEM_SHELL
  return await packagedShell().catch((error: unknown) => {
    if (existsSync(SYSTEM)) return SYSTEM
    throw error
  })
}

/** Sets LD_LIBRARY_PATH if the browser needs its own libraries. Rejects if it does not run on this machine. */
async function packagedShell(): Promise<string> {
  const { default: chromium } = await import('@sparticuz/chromium')
  const path = await chromium.executablePath()
  const previousPath = process.env.LD_LIBRARY_PATH
  if (lacksLibraries(path)) process.env.LD_LIBRARY_PATH = [unpackLibraries(), previousPath].filter(Boolean).join(':')
  try {
    execFileSync(path, ['--version'], { stdio: 'ignore' })
  } catch (error) {
    // The next browser must not load these libraries.
    if (previousPath === undefined) delete process.env.LD_LIBRARY_PATH
    else process.env.LD_LIBRARY_PATH = previousPath
    throw error
  }
  return path
}

function lacksLibraries(program: string): boolean {
  try {
    return execFileSync('ldd', [program], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).includes('not found')
  } catch {
    return true
  }
}

/** The package contains the few libraries that a bare machine lacks. */
function unpackLibraries(): string {
  const folder = join(tmpdir(), 'muster-browser-libraries')
  const libraries = join(folder, 'lib')
  if (existsSync(libraries)) return libraries
  mkdirSync(folder, { recursive: true })
  const entry = fileURLToPath(import.meta.resolve('@sparticuz/chromium'))
  const bin =
    [join(dirname(entry), 'bin'), join(dirname(entry), '../bin'), join(dirname(entry), '../../bin')].find((path) => existsSync(path)) ?? ''
  execFileSync('tar', ['-x', '-C', folder], { input: brotliDecompressSync(readFileSync(join(bin, 'al2023.tar.br'))) })
  return [libraries, join(folder, 'al2023/lib')].find((path) => existsSync(path)) ?? libraries
}

// oxlint-disable-next-line import/no-default-export -- Playwright calls the default export
export default async function setup(): Promise<void> {
  process.env.PW_CHROMIUM = await findBrowser()
}
