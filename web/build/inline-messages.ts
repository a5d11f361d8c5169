/**
 * Builds the panel in one language. Simple messages become literals. Every other message is imported from its own module. So the catalogues
 * add no bytes to the first page, and a page carries only its own messages.
 */
import { join } from 'node:path'
import type { Plugin } from 'vite'
import type { Language } from '#contract/text/panel-languages.ts'
import { API, buildFolderOf, type Catalogue, PANEL, textsOf } from './messages.ts'

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

interface Name extends Node {
  readonly name?: string
  readonly value?: unknown
}

interface Import extends Node {
  readonly source: Name
  readonly specifiers: readonly { readonly imported?: Name; readonly local: Name }[]
}

interface Member extends Node {
  readonly object?: Name
  readonly property?: Name
  readonly computed?: boolean
}

interface Call extends Node {
  readonly callee: Member
  readonly arguments: readonly (Node & { readonly properties?: readonly (Node & { readonly key?: Name; readonly value?: Node })[] })[]
}

/** A catalogue in one language. */
interface BuiltCatalogue {
  /** By key: a text, or the variants of a message. */
  readonly texts: Readonly<Record<string, unknown>>
  /** The folder of the compiled messages, one module each, with a slash at its end. */
  readonly modules: string
}

/** By the specifier of their imports, such as `#messages`. */
export type BuiltCatalogues = Readonly<Record<string, BuiltCatalogue>>

const CATALOGUES = [PANEL, API]

/** Needs `compileMessages`. */
export function inlineMessages(language: Language): Plugin {
  const built = (catalogue: Catalogue) => ({ texts: textsOf(catalogue, language), modules: join(buildFolderOf(catalogue), 'messages/') })
  const catalogues: BuiltCatalogues = Object.fromEntries(CATALOGUES.map((catalogue) => [catalogue.specifier, built(catalogue)]))
  return {
    name: 'muster:inline-messages',
    enforce: 'post',
    transform: {
      filter: { code: /messages['"]|getLocale/ },
      handler(code, id) {
        if (Object.values(catalogues).some(({ modules }) => id.startsWith(modules))) return { code: inLanguage(code, language), map: null }
        return { code: replaceMessages(code, this.parse(code), catalogues), map: null }
      },
    },
  }
}

/** Chooses the language of a compiled message, so that the minifier removes the others. Removes the lookup of the locale with Paraglide's runtime (1.5 kB). */
export function inLanguage(code: string, language: string): string {
  const result = code
    .replace(/^import .* from ['"]..\/runtime.js['"];?$/m, '')
    .replaceAll(/^.*\?\? getLocale\(\);?$/gm, '')
    .replaceAll(/\blocale === "([^"]+)"/g, (_, locale) => String(locale === language))
    // Paraglide's own function would be one more file of the login page.
    .replaceAll(/\bregistry\.plural\(("[^"]+"), ([^,()]+), \{\}\)/g, 'new Intl.PluralRules($1).select(Number($2))')
  if (/\blocale ===/.test(result)) throw new Error('unexpected compiled message: Paraglide may have changed it')
  return result
}

/** @param program the parsed `code` */
export function replaceMessages(code: string, program: Node, catalogues: BuiltCatalogues): string {
  const imports = new Map<string, string>()
  /** The catalogues that the module imports, by the local name. */
  const imported = new Map<string, BuiltCatalogue>()
  const rewrite = (node: Node): string => {
    if (node.type === 'ImportDeclaration') {
      const catalogue = catalogues[String((node as Import).source.value)]
      if (catalogue === undefined) return code.slice(node.start, node.end)
      imported.set(localNameOf(node as Import), catalogue)
      return ''
    }
    const text = isInlinable(node) ? simpleText(messageOf(node.callee, imported)) : undefined
    if (text !== undefined) return literalOf(text, inputsOf(node as Call), rewrite)
    const message = messageOf(node, imported)
    if (message !== undefined) {
      const { key, local, modules } = message
      imports.set(`${local}_${key}`, `import { ${key} as ${local}_${key} } from ${JSON.stringify(`${modules}${key}.js`)}\n`)
      return `${local}_${key}`
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
  return [...imports.values()].join('') + body
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

/** The `m` of `import { m } from …`, also under another name. */
function localNameOf({ source, specifiers }: Import): string {
  const [specifier] = specifiers
  const { name } = specifier?.local ?? {}
  if (specifiers.length !== 1 || specifier?.imported?.name !== 'm' || name === undefined)
    throw new Error(`import only m from ${String(source.value)}`)
  return name
}

/** The message in `m.key`. */
function messageOf(node: Node, imported: ReadonlyMap<string, BuiltCatalogue>) {
  const { object, property, computed } = node as Member
  const found = node.type === 'MemberExpression' && object?.type === 'Identifier' ? imported.get(object.name ?? '') : undefined
  if (found === undefined) return undefined
  if (computed === true || property?.name === undefined) throw new Error(`write the key of the message after ${object?.name}.`)
  const { modules, texts } = found
  return { key: property.name, local: object?.name ?? '', modules, content: texts[property.name] }
}

/** The text of a message without variants, markup or escapes. */
function simpleText(message: { content: unknown } | undefined): string | undefined {
  const text = message?.content
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
