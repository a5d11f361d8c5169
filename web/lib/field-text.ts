import { SERVER_FIELD_NAMES, serverField } from '#contract/servers/server-field-shapes.ts'
import type { Control } from '#contract/servers/server-fields.ts'
import { languageName } from './language-name.ts'
import { regionName } from './region-name.ts'

const NAMES: Readonly<Partial<Record<Control, (code: string) => string>>> = { language: languageName, region: regionName }

/** A text of a field as people read it: codes by their name. Other fields than a server's have no codes. */
export function fieldText(field: string, text: string): string {
  const name = SERVER_FIELD_NAMES.find((each) => each === field)
  return (name && NAMES[serverField(name).control]?.(text)) ?? text
}
