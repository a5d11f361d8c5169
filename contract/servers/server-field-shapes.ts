/** Schemas, lists and types that derive from the rows of `server-fields.ts`. */
import type { z } from 'zod'
import type { BenefitKey } from '#contract/benefits/benefits.ts'
import { SERVER_FIELDS, type ServerField } from './server-fields.ts'

type Rows = typeof SERVER_FIELDS
export type ServerFieldName = keyof Rows
export const SERVER_FIELD_NAMES = Object.keys(SERVER_FIELDS) as [ServerFieldName, ...ServerFieldName[]]

/** The row of a field, without the literal types. */
export const serverField = (name: ServerFieldName): ServerField => SERVER_FIELDS[name]

/** The fields whose row has this type in a column. */
type FieldsWith<Column extends keyof ServerField, Value> = {
  [F in ServerFieldName]: Rows[F][Column] extends Value ? F : never
}[ServerFieldName]

/** The fields of one card of the form. */
export const fieldsOfPermission = <P extends 'EDIT_DETAILS' | 'EDIT_APPEARANCE'>(permission: P) =>
  SERVER_FIELD_NAMES.filter((name) => SERVER_FIELDS[name].permission === permission) as FieldsWith<'permission', P>[]

/** Whether the field is cleared, which needs no benefit. */
export const isInitial = (name: ServerFieldName, value: unknown) => JSON.stringify(value) === JSON.stringify(serverField(name).initial)

/** The fields that need a benefit of the owner. */
export type BenefitField = FieldsWith<'benefit', BenefitKey>
export const BENEFIT_FIELDS = SERVER_FIELD_NAMES.filter((name) => SERVER_FIELDS[name].benefit !== null) as [BenefitField, ...BenefitField[]]

/** Input schemas by field. */
export const FIELD_INPUTS = shapeOf('input')
export const FIELD_REPLIES = shapeOf('reply')

function shapeOf<Column extends 'input' | 'reply'>(column: Column) {
  const entries = SERVER_FIELD_NAMES.map((name) => {
    const { description, benefit, [column]: schema } = serverField(name)
    const needs = column === 'input' && benefit !== null ? ` The owner needs the benefit \`${benefit}\`.` : ''
    return [name, schema.describe(description + needs)]
  })
  return Object.fromEntries(entries) as { [F in ServerFieldName]: Rows[F][Column] }
}

/** What the columns store. */
export type StoredFields = { [F in ServerFieldName]: z.output<Rows[F]['input']> }

/** The values of a new server that only has a name. */
export const INITIAL_FIELDS = Object.fromEntries(
  SERVER_FIELD_NAMES.filter((name) => serverField(name).initial !== undefined).map((name) => [name, serverField(name).initial]),
) as Omit<StoredFields, 'name'>

type ListField = FieldsWith<'list', object>
type ListShape = { [F in ListField as Rows[F]['list']['name']]: Rows[F]['list']['schema'] }
export type ListName = keyof ListShape

/** The fields in the rows of the list, with their names there. */
export const LIST_FIELDS = SERVER_FIELD_NAMES.flatMap((field) => {
  const { list, filter, description, benefit, initial } = serverField(field)
  if (list === null) return []
  const schema = list.schema.describe(description)
  return [{ field, name: list.name as ListName, schema, filter, benefit, initial }]
})

/** The part of a row of the list that comes from these fields. */
export const LIST_SHAPE = Object.fromEntries(LIST_FIELDS.map(({ name, schema }) => [name, schema])) as ListShape
type ListOutput = z.output<z.ZodObject<ListShape>>
export type ListFields = {
  readonly [N in keyof ListOutput]: ListOutput[N] extends readonly (infer Item)[] ? readonly Item[] : ListOutput[N]
}

type FilterField = Extract<FieldsWith<'filter', object>, ListField>
export type FieldFilter = Rows[FilterField]['filter']['name']

/** The filters of the list, with the name of the values in its rows. */
export const FIELD_FILTERS = LIST_FIELDS.flatMap(({ name, filter }) =>
  filter === null ? [] : [{ ...filter, name: filter.name as FieldFilter, valueName: name }],
)
