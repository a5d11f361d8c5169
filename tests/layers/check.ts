/**
 * `npm run check:layers`: every import follows rules.ts, and files and folders keep the limits of sizes.ts. No existing tool reads
 * TypeScript 7 with JSX and type imports.
 */
import { type Import, allImports } from './imports.ts'
import { BACKEND, FORBIDDEN, type Layer, MASTERLIST, WEB } from './rules.ts'
import { sizeFaults } from './sizes.ts'

interface Module {
  readonly name: string
  readonly folder: string
  readonly layer: number
}

/** The module with the longest folder that contains the file. */
function moduleOf(file: string, layers: readonly Layer[]): Module | undefined {
  const modules = layers.flatMap((rows, layer) => Object.entries(rows).map(([name, folder]) => ({ name, folder, layer })))
  const found = modules.filter(({ folder }) => file.startsWith(folder)).toSorted((a, b) => b.folder.length - a.folder.length)[0]
  return found
}

function faultsOf({ from, to }: Import): string[] {
  const faults: string[] = []
  if (
    /^(backend\/(core|services)|web\/features)\//.test(from) &&
    ![BACKEND, WEB].some((layers) => moduleOf(from, layers)?.folder.split('/').length === 4)
  )
    faults.push(`${from}: its feature has no row in rules.ts`)
  for (const layers of [BACKEND, WEB, MASTERLIST]) {
    const [importer, imported] = [moduleOf(from, layers), moduleOf(to, layers)]
    if (importer === undefined || imported === undefined || importer.name === imported.name) continue
    if (imported.layer >= importer.layer) faults.push(`${from} imports ${to}: ${imported.name} is not below ${importer.name}`)
  }
  for (const rule of FORBIDDEN) {
    const [importer, imported] = [rule.from.exec(from), rule.to.exec(to)]
    const isOwn = importer?.[1] !== undefined && importer[1] === imported?.[1]
    if (importer !== null && imported !== null && !isOwn) faults.push(`${from} imports ${to}: ${rule.why}`)
  }
  return faults
}

const imports = allImports()
const faults = [...imports.flatMap(faultsOf), ...sizeFaults()]
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.exitCode = faults.length === 0 ? 0 : 1
