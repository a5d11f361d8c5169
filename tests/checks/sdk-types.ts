/** The row of the list in the SDK: the contract's type, with its descriptions as comments. */
import { join } from 'node:path'
import { type Schema, components } from './api-document.ts'

export const SDK_TYPES = join(import.meta.dirname, '../../sdk/src/list/listed-server.generated.ts')

const HEADER = '/** A row of the list. Written by "npm run check:api -- --write"; never edit it. */\n'

export const sdkTypes = () => [HEADER, ...['ListedServer', 'ListedGroup'].map(interfaceOf)].join('\n')

function interfaceOf(name: string): string {
  const { description, properties = {} } = schemaOf(name)
  const fields = Object.entries(properties).map(
    ([key, field]) => `${comment('  ', field.description)}  readonly ${key}: ${typeOf(field)}\n`,
  )
  return `${comment('', description)}export interface ${name} {\n${fields.join('')}}\n`
}

const comment = (indent: string, text: string | undefined) => (text === undefined ? '' : `${indent}/** ${text} */\n`)

const TYPES: Readonly<Record<string, string>> = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' }

/** A code is any string, because later versions may add codes. */
function typeOf(schema: Schema): string {
  const { $ref, anyOf, items, type } = schema
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? ''
    return schemaOf(name).properties === undefined ? typeOf(schemaOf(name)) : name
  }
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' | ')
  if (items !== undefined) return `readonly ${typeOf(items)}[]`
  const names = [type].flat().map((one) => TYPES[String(one)])
  if (names.includes(undefined)) throw new Error(`The SDK has no type for ${JSON.stringify(schema)}.`)
  return names.join(' | ')
}

function schemaOf(name: string): Schema {
  const schema = components.schemas[name]
  if (schema === undefined) throw new Error(`The document lacks ${name}.`)
  return schema
}
