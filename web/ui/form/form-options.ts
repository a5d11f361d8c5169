/** What a form needs, and what its fields get. */
import type { Control, FieldValues } from 'react-hook-form'
import type { z } from 'zod'
import { isEqual } from '#web/lib/merge.ts'
import type { Conflict, ConflictPart } from './conflict-dialog.tsx'

interface CommonOptions<T, B> {
  readonly schema: z.ZodType<B, T>
  /** The key of the draft in this tab. */
  readonly draft?: string | undefined
}

/** A form of a new object, or of an action. */
export interface NewOptions<T, B> extends CommonOptions<T, B> {
  readonly initial: NoInfer<T>
  /** Its error is shown in the form. The input stays, until `discard`. */
  readonly submit: (body: B) => Promise<unknown>
}

/** A form of a stored object. Fields that the user has not changed follow what others save. */
export interface EditOptions<T, B, S> extends CommonOptions<T, B> {
  readonly stored: S
  readonly valuesOf: (stored: S) => NoInfer<T>
  /** What a conflict shows, in order. Only for objects with a version. */
  readonly parts?: readonly ConflictPart<T>[]
  /** Fields that get their stored values, because the user may not set others. */
  readonly locked?: (values: T) => readonly (keyof T & string)[]
  /** Called instead of `submit` if there is nothing to save. */
  readonly onUnchanged?: () => void
  /** Returns the object as it is now. Its error is shown in the form. */
  readonly submit: (body: B, change: Change<T>) => Promise<S>
}

export type FormOptions<T, B, S> = NewOptions<T, B> | EditOptions<T, B, S>

interface Change<T> {
  readonly changed: readonly (keyof T & string)[]
  /** The version that the changes are based on, and its values. */
  readonly ifMatch: number | undefined
  readonly previous: T
}

/** The values of a stored object, in one of its versions. */
export interface Basis<T> {
  readonly version: number | undefined
  readonly values: T
}

export interface Bases<T> {
  /** What is saved now. */
  readonly latest: () => Basis<T>
  /** What the user's changes are based on. */
  readonly basis: () => Basis<T>
  /** The user has seen this one. */
  readonly rebase: (current: Basis<T>) => void
}

export interface Form<T extends FieldValues> {
  readonly control: Control<T>
  readonly values: T
  readonly isDirty: boolean
  /** The changes include some from an earlier visit. */
  readonly isRestored: boolean
  readonly isBusy: boolean
  /** The sentence about no field. */
  readonly problem: string | undefined
  readonly conflict: OpenConflict<T> | undefined
  /** Sets values as the user would. */
  readonly change: (partial: Partial<T>) => void
  /** @param element contains the field that gets the focus if it is wrong */
  readonly submit: (element: HTMLElement | null) => void
  readonly discard: () => void
  /** How often changes were discarded: a key for controls with a state of their own. */
  readonly discards: number
  /** Before the user leaves without saving. */
  readonly deleteDraft: () => void
}

export interface OpenConflict<T> extends Conflict<T> {
  /** @param mine the parts that keep the user's values. */
  readonly resolve: (mine: readonly ConflictPart<T>[]) => void
  /** Back to the form, which keeps its values. */
  readonly close: () => void
}

export function basisOf<T, B, S>({ valuesOf }: Pick<EditOptions<T, B, S>, 'valuesOf'>, stored: S): Basis<T> {
  return { version: (stored as { version?: number }).version, values: valuesOf(stored) }
}

export const namesOf = <T extends object>(values: T) => Object.keys(values) as (keyof T & string)[]

export const pick = <T extends object>(values: T, names: readonly (keyof T)[]) =>
  Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<T>

export const changesIn = <T extends object>(values: T, saved: T) => namesOf(saved).filter((name) => !isEqual(values[name], saved[name]))
