/** An earlier commit, installed and built in a temporary folder. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MIGRATIONS, levelOf, readSteps } from '#backend/platform/database/migration-steps.ts'
import { closeAfterTest } from '#tests/running.ts'

const ROOT = join(import.meta.dirname, '../..')
const MIGRATIONS_FOLDER = 'backend/platform/database/migrations'

export interface FormerInstallation {
  /** Starts the program, with Node. */
  readonly script: readonly string[]
  /** Whether its nodes run beside those of this checkout. */
  readonly isCompatible: boolean
}

/** Takes minutes. MUSTER_UPGRADE_FOLDER has one that is installed already. */
export async function installFormer(commit: string): Promise<FormerInstallation> {
  const folder = process.env.MUSTER_UPGRADE_FOLDER ?? install(commit)
  const level = Math.max(...readdirSync(join(folder, MIGRATIONS_FOLDER)).flatMap((file) => (file.endsWith('.sql') ? levelOf(file) : [])))
  const later = (await readSteps(MIGRATIONS)).filter((step) => step.level > level)
  return {
    script: [join(folder, 'backend/cli/muster.ts'), 'serve'],
    isCompatible: later.every(({ compatibleLevel }) => compatibleLevel <= level),
  }
}

function install(commit: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-former-'))
  closeAfterTest(() => rmSync(folder, { recursive: true, force: true }))
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 256 * 1024 * 1024 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  // Vitest sets NODE_ENV, and the build of the panel would be one for development.
  const env = { ...process.env, NODE_ENV: undefined }
  for (const command of ['ci --no-audit --no-fund', 'run build'])
    execFileSync('npm', command.split(' '), { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] })
  return folder
}
