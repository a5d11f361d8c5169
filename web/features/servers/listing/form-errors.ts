import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { m } from '#api-messages'
import { BENEFITS } from '#contract/benefits/benefit-texts.ts'
import type { BenefitKey } from '#contract/benefits/benefits.ts'
import { SERVER_FIELD_NAMES, serverField } from '#contract/servers/server-field-shapes.ts'
import { type Beginnings, fieldOfMessage } from '#web/lib/http/field-of-message.ts'
import { HttpError, messageOf } from '#web/lib/http/http-error.ts'

function missingBenefit(key: BenefitKey) {
  const benefit = () => ({ benefit: BENEFITS[key].name() })
  return [() => m.error_benefit_not_held(benefit()), () => m.error_benefit_not_held_by_owner(benefit())]
}

const BEGINNINGS: Beginnings<string> = SERVER_FIELD_NAMES.map((name) => {
  const { label, otherStarts, benefit } = serverField(name)
  return [name, label, ...otherStarts, ...(benefit === null ? [] : missingBenefit(benefit))]
})

const CONFLICT_FIELDS: Readonly<Record<string, string>> = { NAME_ALREADY_EXISTS: 'name', VANITY_URL_ALREADY_EXISTS: 'vanity_url' }

/** Messages without a field are shown above the form. */
export function setFormErrors<T extends FieldValues>(error: unknown, fields: readonly Path<T>[], setError: UseFormSetError<T>): void {
  const conflict = error instanceof HttpError ? fields.find((name) => name === CONFLICT_FIELDS[error.businessStatus ?? '']) : undefined
  const messages = error instanceof HttpError && conflict === undefined ? error.errors : [messageOf(error)]
  const others: string[] = []
  for (const message of messages) {
    const field = conflict ?? fields.find((name) => name === fieldOfMessage(message, BEGINNINGS))
    if (field) setError(field, { type: 'server', message }, { shouldFocus: true })
    else others.push(message)
  }
  if (others.length > 0) setError('root', { type: 'server', message: others.join(', ') })
}
