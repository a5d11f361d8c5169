/**
 * Compiles the messages for the build. Simple messages become literals. Every other message is imported from its own module. So the
 * catalogues add no bytes to the first page, and a page carries only its own messages. Valid while there is one locale.
 */
import { compile } from '@inlang/paraglide-js'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { API, type Catalogue, PANEL } from './messages.ts'

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

interface Name extends Node {
  readonly name?: string
  readonly value?: unknown
}

interface Member extends Node {
  readonly object?: Name
  readonly property?: Name
}

interface Call extends Node {
  readonly callee: Member
  readonly arguments: readonly (Node & { readonly properties?: readonly (Node & { readonly key?: Name; readonly value?: Node })[] })[]
}

/** What the build knows of a catalogue. */
export interface BuiltCatalogue {
  readonly texts: Readonly<Record<string, unknown>>
  /** The folder of the compiled messages, one module each, with a slash at its end. */
  readonly modules: string
}

/** By what importers name them. */
export type BuiltCatalogues = Readonly<Record<string, BuiltCatalogue>>

export function inlineMessages(): Plugin {
  const catalogues: Record<string, BuiltCatalogue> = {}
  return {
    name: 'muster:inline-messages',
    enforce: 'post',
    async buildStart() {
      for (const catalogue of [PANEL, API]) catalogues[catalogue.specifier] = await compileForBrowser(catalogue)
    },
    transform: {
      filter: { code: /#(api-)?messages|getLocale/ },
      handler(code, id) {
        if (Object.values(catalogues).some(({ modules }) => id.startsWith(modules))) return { code: withoutRuntime(code), map: null }
        return { code: replaceMessages(code, this.parse(code), catalogues), map: null }
      },
    },
  }
}

async function compileForBrowser({ specifier, english, options }: Catalogue): Promise<BuiltCatalogue> {
  const outdir = join(options.outdir, '../web-messages', specifier.slice(1))
  await compile({ ...options, outdir, experimentalStaticLocale: '"en"', outputStructure: 'message-modules' })
  return { texts: JSON.parse(readFileSync(english, 'utf8')) as BuiltCatalogue['texts'], modules: join(outdir, 'messages/') }
}

/** Removes the locale lookup from a compiled message, so that Paraglide's runtime (1.5 kB) is not bundled. */
function withoutRuntime(code: string): string {
  return code.replace(/^import .* from ['"]..\/runtime.js['"];?$/m, '').replaceAll(/^.*\?\? getLocale\(\);?$/gm, '')
}

/** @param program the parsed `code`, which imports `m` from at most one of the catalogues. */
export function replaceMessages(code: string, program: Node, catalogues: BuiltCatalogues): string {
  const declaration = childrenOf(program).find((node) => catalogues[sourceOf(node)] !== undefined)
  if (declaration === undefined) return code
  const { texts, modules } = catalogues[sourceOf(declaration)] as BuiltCatalogue
  const imported = new Set<string>()
  const rewrite = (node: Node): string => {
    if (node === declaration) return ''
    const text = isInlinable(node) ? simpleText(keyOf(node.callee), texts) : undefined
    if (text !== undefined) return literalOf(text, inputsOf(node as Call), rewrite)
    const key = keyOf(node)
    if (key !== undefined) {
      imported.add(key)
      return `m_${key}`
    }
    let result = ''
    let end = node.start
    for (const child of childrenOf(node)) {
      result += code.slice(end, child.start) + rewrite(child)
      end = child.end
    }
    return result + code.slice(end, node.end)
  }
  const body = rewrite(program)
  return [...imported].map((key) => `import { ${key} as m_${key} } from ${JSON.stringify(`${modules}${key}.js`)}\n`).join('') + body
}

/** What an import declaration names; empty for other nodes. */
function sourceOf(node: Node): string {
  return node.type === 'ImportDeclaration' ? String((node as { source?: Name }).source?.value) : ''
}

function childrenOf(node: Node): Node[] {
  const children = Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value === 'object' && value !== null && typeof (value as Node).type === 'string')
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
  // The key of a shorthand property is part of its value.
  return children.filter((child, index) => child.start >= (children[index - 1]?.end ?? 0))
}

/** Whether the inputs of a call are known: none, or an object literal without spreads. */
function isInlinable(node: Node): node is Call {
  if (node.type !== 'CallExpression') return false
  const [inputs] = (node as Call).arguments
  return (
    inputs === undefined || (inputs.type === 'ObjectExpression' && inputs.properties?.every(({ type }) => type === 'Property') === true)
  )
}

/** The key in `m.key`. */
function keyOf(node: Node): string | undefined {
  const { object, property } = node as Member
  return node.type === 'MemberExpression' && object?.name === 'm' ? property?.name : undefined
}

/** The text of a message without variants, markup or escapes. */
function simpleText(key: string | undefined, texts: BuiltCatalogue['texts']): string | undefined {
  const text = key === undefined ? undefined : texts[key]
  return typeof text === 'string' && !/\{[#/]|\\/.test(text) ? text : undefined
}

function inputsOf({ arguments: [inputs] }: Call): Map<string, Node> {
  return new Map((inputs?.properties ?? []).map(({ key, value }) => [key?.name ?? '', value as Node]))
}

function literalOf(text: string, inputs: ReadonlyMap<string, Node>, codeOf: (value: Node) => string): string {
  if (inputs.size === 0) return JSON.stringify(text)
  const parts = text.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return part.replaceAll(/[`$\\]/g, String.raw`\$&`)
    const value = inputs.get(part)
    if (value === undefined) throw new Error(`the message "${text}" is called without ${part}`)
    return `\${${codeOf(value)}}`
  })
  return `\`${parts.join('')}\``
}
