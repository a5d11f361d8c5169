/**
 * `npm run check:layers`: every import follows rules.ts, files and folders keep the limits of sizes.ts, and ARCHITECTURE.md shows the
 * current graph of the backend.
 * `node tests/layers/check.ts --write` updates the graph. No existing tool reads TypeScript 7 with JSX and type imports.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Import, allImports } from './imports.ts'
import { BACKEND, FORBIDDEN, type Layer, MASTERLIST, WEB } from './rules.ts'
import { sizeFaults } from './sizes.ts'

const ARCHITECTURE = join(import.meta.dirname, '../../ARCHITECTURE.md')
const GRAPH = /(<!-- graph: node tests\/layers\/check.ts --write -->\n)[\s\S]*?(\n<!-- end of graph -->)/

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

/** Draws the imports between modules, without platform and contract, and without arrows that others imply. */
function graph(imports: readonly Import[]): string {
  const importsOf = new Map<string, Set<string>>()
  for (const { from, to } of imports) {
    const [importer, imported] = [moduleOf(from, BACKEND), moduleOf(to, BACKEND)]
    if (importer === undefined || imported === undefined || importer.name === imported.name) continue
    if (imported.name === 'platform' || imported.name === 'contract' || importer.name === 'main and cli') continue
    importsOf.set(importer.name, (importsOf.get(importer.name) ?? new Set()).add(imported.name))
  }
  const reaches = (name: string, target: string): boolean =>
    [...(importsOf.get(name) ?? [])].some((next) => next === target || reaches(next, target))
  const arrows = [...importsOf].flatMap(([name, targets]) =>
    [...targets]
      .filter((target) => ![...targets].some((other) => other !== target && reaches(other, target)))
      .map((target) => `  ${name} --> ${target}`),
  )
  return ['```mermaid', 'graph LR', ...arrows.toSorted(), '```'].join('\n')
}

const imports = allImports()
const faults = [...imports.flatMap(faultsOf), ...sizeFaults()]
const text = readFileSync(ARCHITECTURE, 'utf8')
const next = text.replace(GRAPH, (_, begin: string, end: string) => `${begin}${graph(imports)}${end}`)
if (process.argv.includes('--write')) writeFileSync(ARCHITECTURE, next)
else if (next !== text) faults.push('The graph in ARCHITECTURE.md is out of date. Run: node tests/layers/check.ts --write')
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.exitCode = faults.length === 0 ? 0 : 1
