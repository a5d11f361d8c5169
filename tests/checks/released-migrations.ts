/** `npm run check`: a released migration never changes. Compares the files with the digests in SHA256SUMS, as `sha256sum -c` does. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MIGRATIONS, readSteps } from '#backend/platform/database/migration-steps.ts'

const folder = process.argv[2] ?? MIGRATIONS
const recorded = new Map(
  readFileSync(join(folder, 'SHA256SUMS'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): [string, string] => [line.slice(66), line.slice(0, 64)]),
)
const steps = new Map((await readSteps(folder)).map(({ name, digest }) => [`${name}.sql`, digest]))

const faults = [
  ...[...steps].flatMap(([file, digest]) => {
    if (!recorded.has(file)) return [`${file} has no digest. Run: cd ${folder} && sha256sum ${file} >> SHA256SUMS`]
    if (recorded.get(file) === digest) return []
    return [`${file} changed after its release. Restore it, and put the change into a new migration.`]
  }),
  ...[...recorded.keys()].filter((file) => !steps.has(file)).map((file) => `${file} has a digest and is missing. Restore it.`),
]
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.exitCode = faults.length === 0 ? 0 : 1
