import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { SettingsKey } from '#contract/benefits.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { dropDraft, keepDraft, readDraft } from '#web/lib/drafts.ts'
import { HttpError, messageOf } from '#web/lib/http-error.ts'
import { isSame } from '#web/lib/is-same.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { toastSuccess } from '#web/ui/toast.ts'
import { type Chosen, fieldOf, problemsOf } from './form-values.ts'
import { useSaveSettings } from './save-settings.ts'
import type { Whose } from './settings.api.ts'

type Problems = Readonly<Record<string, string>>

export interface SettingsForm<T> {
  readonly typed: T
  readonly change: (some: Partial<T>) => void
  /** The field was left: from now on it says what is wrong with it. */
  readonly leave: (field: keyof T & string) => void
  /** What is wrong, by field; `root` is about the form as a whole. */
  readonly problems: Problems
  readonly isDirty: boolean
  /** The changes were left unsaved before and have been put back. */
  readonly isBack: boolean
  readonly isBusy: boolean
  readonly save: () => void
  readonly discard: () => void
  readonly dropDraft: () => void
}

interface SettingsFormInput<T> {
  readonly key: SettingsKey
  readonly whose: Whose
  /** What the backend has, in the form's shape. */
  readonly saved: T
  /** Those there are now: a chosen one that has gone meanwhile is chosen no more. */
  readonly servers: readonly { public_id: string }[]
  /** Under a benefit that is not held: such a field can only be emptied. What was typed waits until it can be said again. */
  readonly locked?: readonly (keyof T & string)[]
}

/**
 * The settings as they are saved with what was changed over them. Only the changes are held, so what somebody else saves meanwhile
 * arrives in every field that was not touched. They are kept in this tab until they are saved or discarded.
 * @param onWrong hears of a save that was refused, with the first field that is wrong.
 */
export function useSettingsForm<T extends Chosen>(
  { key, whose, saved, servers, locked = [] }: SettingsFormInput<T>,
  onWrong: (field: string) => void,
): SettingsForm<T> {
  const { changes: kept, setChanges, isBack, forget } = useKeptChanges<T>(`benefit.${key}.${whose ?? 'own'}`)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [refused, setRefused] = useState<Problems>({})
  const mutation = useSaveSettings(key, whose)
  const changes = without(kept, locked)
  const typed: T = { ...saved, ...changes }
  typed.server_ids = typed.server_ids.filter((id) => servers.some(({ public_id }) => public_id === id))
  const isDirty = Object.keys(changes).length > 0 && !isSame(typed, saved)
  const found = problemsOf(key, typed as Record<string, unknown>)

  const save = useSingly(async () => {
    const [wrong] = Object.keys(found)
    setLeft(new Set(Object.keys(typed)))
    setRefused({})
    if (wrong !== undefined) {
      onWrong(wrong)
      return
    }
    try {
      await mutation.mutateAsync(changedOf(changes, typed))
      // What was changed on while it was saved stays, and is unsaved.
      setChanges((now) => unlike(now, typed))
      setLeft(new Set())
      toastSuccess('Settings saved')
    } catch (error) {
      const problems = sentencesOf(error, typed)
      setRefused(problems)
      const [field] = Object.keys(problems)
      if (field !== undefined && field !== 'root') onWrong(field)
    }
  })

  return {
    typed,
    change: (some) => {
      // While it is saved, what is saved now is about to change.
      setChanges((now) => (mutation.isPending ? { ...now, ...some } : unlike({ ...now, ...some }, saved)))
      setRefused((now) => Object.fromEntries(Object.entries(now).filter(([field]) => field !== 'root' && !(field in some))))
    },
    leave: (field) => setLeft((now) => new Set(now).add(field)),
    problems: { ...Object.fromEntries(Object.entries(found).filter(([field]) => left.has(field))), ...refused },
    isDirty,
    isBack,
    isBusy: mutation.isPending,
    save,
    discard: () => {
      setChanges({})
      setRefused({})
      setLeft(new Set())
    },
    dropDraft: forget,
  }
}

/** Of the changes those that say something else. */
function unlike<T extends object>(changes: Partial<T>, other: T): Partial<T> {
  const entries = Object.entries(changes).filter(([name, value]) => !isSame(value, other[name as keyof T]))
  return Object.fromEntries(entries) as Partial<T>
}

/** Without what was typed into locked fields. */
function without<T extends object>(changes: Partial<T>, locked: readonly string[]): Partial<T> {
  return Object.fromEntries(Object.entries(changes).filter(([name, value]) => value === '' || !locked.includes(name))) as Partial<T>
}

/** What is sent of a form: its changes, as they show now. The two fields about servers say one thing together. */
function changedOf<T extends Chosen>(changes: Partial<T>, typed: T): Record<string, unknown> {
  const names = Object.keys(changes) as (keyof T)[]
  if (names.includes('all_servers') || names.includes('server_ids')) names.push('all_servers', 'server_ids')
  return Object.fromEntries(names.map((name) => [name, typed[name]]))
}

/** The refusal's sentences, each at its field. */
function sentencesOf(error: unknown, typed: object): Problems {
  const problems: Record<string, string> = {}
  for (const sentence of error instanceof HttpError ? error.errors : [messageOf(error)]) {
    const field = fieldOf(sentence, typed)
    problems[field] = problems[field] === undefined ? sentence : `${problems[field]} ${sentence}`
  }
  return problems
}

function useKeptChanges<T extends object>(name: string) {
  const { data: me } = useSuspenseQuery(meOptions)
  const key = `${me.id}.${name}`
  const [changes, setChanges] = useState(() => (readDraft(key) ?? {}) as Partial<T>)
  const [isBack, setBack] = useState(() => Object.keys(changes).length > 0)
  const hadSome = useRef(isBack)
  const hasSome = Object.keys(changes).length > 0
  useEffect(() => {
    if (hasSome) keepDraft(key, changes as Record<string, unknown>)
    else if (hadSome.current) {
      dropDraft(key)
      setBack(false)
    }
    hadSome.current = hasSome
  }, [key, changes, hasSome])
  return { changes, setChanges, isBack, forget: () => dropDraft(key) }
}
