/** The examples, what each needs, and how it is built and started. */
import { execFile, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Ability } from '#sdk/conform/abilities.ts'

export type Command = readonly [program: string, ...args: string[]]

export interface Example {
  /** What to install: Debian's packages. */
  readonly needs: string
  /** What it does not have. */
  readonly without: readonly Ability[]
  /** Succeeds if all of it is there. */
  readonly check: Command
  readonly build?: Command
  readonly run: Command
  /** A game that uses the class of the example. */
  readonly game?: { readonly build: Command; readonly run: Command }
}

export const ROOT = join(import.meta.dirname, '../..')
const SOURCE = join(ROOT, 'examples')
const GAMES = join(import.meta.dirname, 'class-games')
const OUT = mkdtempSync(join(tmpdir(), 'muster-examples-'))
/** The crates of Debian's packages, because this test downloads nothing. */
const CRATES = '/usr/share/cargo/registry'
const LUA = ['lua5.4', 'lua5.3', 'lua5.2', 'lua5.1'].find((name) => existsSync(`/usr/share/lua/${name.slice(3)}/lpeg_patterns`)) ?? 'lua'

const DOTNET = String(spawnSync('dotnet', ['--version']).stdout)
/** The framework of the SDK itself. Another one needs a download. */
const DOTNET_FRAMEWORK = DOTNET.startsWith('3.1.') ? 'netcoreapp3.1' : `net${Number.parseInt(DOTNET)}.0`

/** The game answers probes, not the program beside it. */
const BESIDE_THE_GAME: readonly Ability[] = ['tcp', 'signatures', 'udp']

const compileCpp = (source: string, output: string, ...options: readonly string[]): Command => [
  ...(['g++', '-std=c++17', '-Wall', '-Wextra', '-Wshadow', '-Werror', '-pthread'] as const),
  ...options,
  `-I${SOURCE}/cpp`,
  '-o',
  output,
  source,
  '-lcurl',
]

/** @param folder of the copied sources */
const compileCsharp = (folder: string): Command => [
  'dotnet',
  'build',
  `-p:TargetFramework=${DOTNET_FRAMEWORK}`,
  // No server of the compiler stays behind.
  '-nodeReuse:false',
  '-p:UseSharedCompilation=false',
  `--output=${OUT}/${folder}-build`,
  `${OUT}/${folder}`,
]

export const EXAMPLES: Readonly<Record<string, Example>> = {
  cpp: {
    without: ['signatures', 'udp'],
    needs: 'g++ libcurl4-openssl-dev nlohmann-json3-dev',
    check: ['g++', '-fsyntax-only', '-include', 'curl/curl.h', '-include', 'nlohmann/json_fwd.hpp', '-x', 'c++', '/dev/null'],
    build: compileCpp(`${SOURCE}/cpp/announce.cpp`, `${OUT}/cpp`),
    run: [`${OUT}/cpp`],
    game: { build: compileCpp(`${GAMES}/game.cpp`, `${OUT}/cpp-game`, '-fsanitize=thread'), run: [`${OUT}/cpp-game`] },
  },
  csharp: {
    without: ['signatures', 'udp'],
    needs: "Microsoft's .NET SDK, 3.1 or newer",
    check: ['dotnet', '--version'],
    build: compileCsharp('csharp'),
    run: ['dotnet', `${OUT}/csharp-build/Announce.dll`],
    game: { build: compileCsharp('csharp-game'), run: ['dotnet', `${OUT}/csharp-game-build/Announce.dll`] },
  },
  go: {
    without: ['families', ...BESIDE_THE_GAME],
    needs: 'golang-go',
    check: ['go', 'version'],
    build: ['go', 'build', '-o', `${OUT}/go`, `${SOURCE}/go/announce.go`],
    run: [`${OUT}/go`],
  },
  java: {
    without: ['families', ...BESIDE_THE_GAME],
    needs: 'default-jdk-headless',
    check: ['javac', '--release', '17', '-version'],
    build: ['javac', '-Werror', '-Xlint:all', '-d', `${OUT}/java`, `${SOURCE}/java/Announce.java`],
    run: ['java', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:-UsePerfData', '-cp', `${OUT}/java`, 'Announce'],
  },
  javascript: {
    without: ['udp'],
    needs: 'nothing more',
    check: [process.execPath, '--version'],
    build: [process.execPath, join(ROOT, 'sdk/build.ts')],
    run: [process.execPath, `${SOURCE}/javascript/announce.mjs`],
  },
  lua: {
    without: BESIDE_THE_GAME,
    needs: 'lua5.2 lua-http lua-cjson',
    check: [LUA, '-e', 'require "http.request" require "cqueues.signal" require "cjson"'],
    run: [LUA, `${SOURCE}/lua/announce.lua`],
  },
  php: {
    without: BESIDE_THE_GAME,
    needs: 'php-cli php-curl',
    check: ['php', '-r', 'exit((int) !(defined("CURLINFO_RETRY_AFTER") && function_exists("pcntl_sigtimedwait")));'],
    run: ['php', `${SOURCE}/php/announce.php`],
  },
  python: {
    without: BESIDE_THE_GAME,
    needs: 'python3',
    check: ['python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 8))'],
    run: ['python3', `${SOURCE}/python/announce.py`],
  },
  rust: {
    without: BESIDE_THE_GAME,
    needs: 'cargo librust-ctrlc-dev librust-fastrand-dev librust-serde-json-dev librust-ureq-dev',
    check: [
      'sh',
      '-c',
      `cargo --version && ls ${['ctrlc-3', 'fastrand', 'serde_json-1', 'ureq-2'].map((name) => `-d ${CRATES}/${name}*`).join(' ')}`,
    ],
    build: [
      'cargo',
      'build',
      '--offline',
      `--manifest-path=${OUT}/rust/Cargo.toml`,
      '--config=profile.dev.debug=false',
      '--config=source.crates-io.replace-with="debian"',
      `--config=source.debian.directory="${CRATES}"`,
    ],
    run: [`${OUT}/rust/target/debug/announce`],
  },
  shell: {
    without: BESIDE_THE_GAME,
    needs: 'bash curl, 7.84 or newer',
    check: ['bash', '-c', '[[ -z "$(curl --silent --write-out "%header{date}" file:///dev/null)" ]]'],
    run: [`${SOURCE}/shell/announce.sh`],
  },
}

export const execute = promisify(execFile)
const succeeds = ([program, ...args]: Command) =>
  execute(program, args).then(
    () => true,
    () => false,
  )

/** Their builds write beside their sources. */
export function copySources(): void {
  for (const folder of ['csharp', 'rust']) cpSync(join(SOURCE, folder), join(OUT, folder), { recursive: true })
  const game = join(OUT, 'csharp-game')
  cpSync(join(SOURCE, 'csharp'), game, { recursive: true })
  cpSync(join(GAMES, 'Game.cs'), join(game, 'Announce.cs'))
}

export function removeBuilds(): void {
  rmSync(OUT, { recursive: true, force: true })
}

async function buildAll(commands: readonly Command[]): Promise<void> {
  for (const [program, ...args] of commands) await execute(program, args)
}

/** Builds an example, if its toolchain is there. */
export async function prepare(
  name: string,
  { needs, check, build, game }: Example,
  isRequired: boolean,
): Promise<'ready' | 'failed' | 'skipped'> {
  if (!(await succeeds(check))) {
    console.log(`${isRequired ? 'FAIL   ' : 'skipped'}  ${name}: its toolchain is missing (${needs})`)
    return isRequired ? 'failed' : 'skipped'
  }
  if (build === undefined) return 'ready'
  return await buildAll([build, ...(game === undefined ? [] : [game.build])]).then(
    () => 'ready',
    (error: unknown) => {
      console.log(`FAIL     ${name}: ${String(error)}`)
      return 'failed'
    },
  )
}
