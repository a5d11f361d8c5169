/** Puts the text of simple messages in place of their calls. The catalogue then adds no bytes to the first page. */
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import { CATALOGUE } from './messages.ts'

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

interface Call extends Node {
  readonly callee: Node & { readonly object?: Node & { readonly name?: string }; readonly property?: Node & { readonly name?: string } }
  readonly arguments: readonly (Node & { readonly properties?: readonly Property[] })[]
}

interface Property extends Node {
  readonly key?: Node & { readonly name?: string }
  readonly value?: Node
}

type Catalogue = Readonly<Record<string, unknown>>

/** Calls of messages with variants or markup stay calls. Valid while there is one locale. */
export function inlineMessages(): Plugin {
  let catalogue: Catalogue = {}
  return {
    name: 'muster:inline-messages',
    apply: 'build',
    enforce: 'post',
    buildStart() {
      catalogue = JSON.parse(readFileSync(CATALOGUE, 'utf8')) as Catalogue
    },
    transform: {
      filter: { code: '#messages' },
      handler(code) {
        return { code: inlined(code, this.parse(code), catalogue), map: null }
      },
    },
  }
}

/** @param root any node of the parsed `code`; returns the code of that node. */
export function inlined(code: string, root: Node, catalogue: Catalogue): string {
  const text = messageOf(root, catalogue)
  if (text !== undefined) return literalOf(text, inputsOf(root as Call), (value) => inlined(code, value, catalogue))
  let result = ''
  let at = root.start
  for (const child of childrenOf(root)) {
    result += code.slice(at, child.start) + inlined(code, child, catalogue)
    at = child.end
  }
  return result + code.slice(at, root.end)
}

function childrenOf(node: Node): Node[] {
  const children = Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value === 'object' && value !== null && typeof (value as Node).type === 'string')
  // Shorthand properties name the same place twice.
  return children.toSorted((a, b) => a.start - b.start).filter((child, index, all) => child.start >= (all[index - 1]?.end ?? 0))
}

/** The text of `m.key(…)`, if the message is a simple one. */
function messageOf(node: Node, catalogue: Catalogue): string | undefined {
  if (node.type !== 'CallExpression') return undefined
  const { callee } = node as Call
  if (callee.type !== 'MemberExpression' || callee.object?.name !== 'm') return undefined
  const text = catalogue[callee.property?.name ?? '']
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
