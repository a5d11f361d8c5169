import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { m } from '#api-messages'
import { BENEFITS } from '#contract/benefit-texts.ts'
import { type BenefitField, FIELD_BENEFITS } from '#contract/benefits.ts'
import * as names from '#contract/field-names.ts'
import * as messages from '#contract/messages.ts'
import { LIMITS } from '#contract/servers.ts'
import { type Beginnings, fieldOfMessage } from '#web/lib/field-of-message.ts'
import { HttpError, messageOf } from '#web/lib/http-error.ts'

const missingBenefit = (field: BenefitField) => {
  const benefit = () => ({ benefit: BENEFITS[FIELD_BENEFITS[field]].name() })
  return [() => m.error_benefit_not_held(benefit()), () => m.error_benefit_not_held_by_owner(benefit())]
}

const BEGINNINGS: Beginnings<string> = [
  ['name', names.name],
  ['description', names.description],
  ['language', names.language, messages.languageUnknown],
  ['region', names.region],
  ['tags', names.tag, messages.tagsNotList, messages.tagRepeated, messages.hasTooManyTags(LIMITS.tags.count)],
  ['game_mode', names.gameMode],
  ['website', names.website],
  ['vanity_url', names.vanityId, messages.vanityIdCharacters, messages.vanityIdNotAllowed, ...missingBenefit('vanity_url')],
  ['group_id', names.group, () => m.error_group_choice_not_found(), ...missingBenefit('group_id')],
  ['promoted', names.promoted, ...missingBenefit('promoted')],
  ['icon_image_id', names.icon, ...missingBenefit('icon_image_id')],
]

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
