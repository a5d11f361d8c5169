/**
 * `useForm()`, the engine of every form, on react-hook-form: validation by a schema, a draft in this tab, rejections beside their fields, and
 * the changes that others save meanwhile. `<Form>` and `<FormNotes>` render it.
 */
import { zodResolver } from '@hookform/resolvers/zod'
import { type ComponentProps, useEffect, useLayoutEffect, useRef, useState } from 'react'
import {
  type Control,
  type DefaultValues,
  type FieldValues,
  type Path,
  type PathValue,
  type Resolver,
  useForm as useHookForm,
  type UseFormReturn,
  useWatch,
} from 'react-hook-form'
import { z } from 'zod'
import { m } from '#messages'
import { deleteDraft, readDraft, writeDraft } from '#web/lib/drafts.ts'
import { isEqual } from '#web/lib/merge.ts'
import { ErrorNote } from '#web/ui/states.tsx'
import {
  type Bases,
  type Basis,
  basisOf,
  changesIn,
  type EditOptions,
  type Form as FormState,
  type FormOptions,
  namesOf,
  type NewOptions,
  pick,
} from './form-options.ts'
import { useSave } from './use-save.ts'

/** Another version of the panel may have stored another shape, which is no draft then. */
const Draft = z.object({
  changes: z.record(z.string(), z.unknown()),
  /** So that an old draft conflicts with newer changes instead of overwriting them. */
  basis: z.object({ version: z.int().optional(), values: z.record(z.string(), z.unknown()) }),
})

type Draft<T> = { readonly changes: Partial<T>; readonly basis: Basis<T> }

type HookForm<T extends FieldValues, B> = UseFormReturn<T, unknown, B>

export function useForm<T extends FieldValues, B>(options: NewOptions<T, B>): FormState<T>
export function useForm<T extends FieldValues, B, S extends object>(options: EditOptions<T, B, S>): FormState<T>
export function useForm<T extends FieldValues, B, S extends object>(options: FormOptions<T, B, S>): FormState<T> {
  const { schema, draft } = options
  const edit = 'stored' in options ? options : undefined
  const saved: Basis<T> = 'stored' in options ? basisOf(options, options.stored) : { version: undefined, values: options.initial }
  const [restored] = useState(() => (draft === undefined ? undefined : (Draft.safeParse(readDraft(draft)).data as Draft<T> | undefined)))
  const form = useHookForm<T, unknown, B>({
    resolver: schemaResolver(schema, edit && saved.values),
    defaultValues: { ...saved.values, ...restored?.changes } as DefaultValues<T>,
    // Only long forms check each field that the user leaves: an error would move the buttons of a dialog.
    mode: draft === undefined ? 'onSubmit' : 'onTouched',
    shouldFocusError: false,
  })
  const { control, formState, setValue, reset, trigger } = form
  const values = useWatch({ control }) as T
  const changed = changesIn(values, saved.values)
  const isDirty = changed.length > 0
  const changes = JSON.stringify(pick(values, changed))
  const [discards, setDiscards] = useState(0)

  const bases = useBases(form, saved, restored?.basis, isDirty)
  useLockedFields(form, bases, (edit?.locked?.(values) ?? []).filter((name) => changed.includes(name)).join())
  useRecheck(form, changes)
  const isRestored = useDraft(draft, restored !== undefined, bases, changes)
  useEffect(() => {
    if (restored !== undefined) void trigger(namesOf(restored.changes) as Path<T>[])
  }, [restored, trigger])

  return {
    ...useSave(options, form, bases),
    control: control as unknown as Control<T>,
    values,
    isDirty,
    isRestored,
    isBusy: formState.isSubmitting,
    problem: formState.errors.root?.message,
    change: (partial) => {
      const options = { shouldTouch: true, shouldValidate: draft !== undefined || formState.isSubmitted }
      for (const [name, value] of Object.entries(partial)) setValue(name as Path<T>, value, options)
    },
    discard: () => {
      reset(bases.latest().values)
      setDiscards((count) => count + 1)
    },
    discards,
    deleteDraft: () => {
      if (draft !== undefined) deleteDraft(draft)
    },
  }
}

/** Fields that the user has not changed follow what is saved. */
function useBases<T extends FieldValues, B>(
  form: HookForm<T, B>,
  saved: Basis<T>,
  restored: Basis<T> | undefined,
  isDirty: boolean,
): Bases<T> {
  const latest = useRef(saved)
  const basis = useRef(restored ?? saved)
  const key = JSON.stringify(saved)
  useLayoutEffect(() => {
    const { values: previous } = latest.current
    const followed = namesOf(saved.values).filter((name) => isEqual(form.getValues(name as Path<T>), previous[name]))
    for (const name of followed) setField(form, name, saved.values[name])
    latest.current = saved
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only when something was saved
  }, [key])
  useEffect(() => {
    if (!isDirty) basis.current = latest.current
  }, [isDirty, key])
  return {
    latest: () => latest.current,
    basis: () => basis.current,
    rebase: (current) => {
      latest.current = current
      basis.current = current
    },
  }
}

/** @param names joined, of fields with values that the user may not set. They get the saved ones. */
function useLockedFields<T extends FieldValues, B>(form: HookForm<T, B>, { latest }: Bases<T>, names: string): void {
  useLayoutEffect(() => {
    for (const name of names === '' ? [] : names.split(',')) setField(form, name, latest().values[name])
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only when a field is locked
  }, [names])
}

function setField<T extends FieldValues, B>({ setValue, clearErrors }: HookForm<T, B>, name: string, value: unknown): void {
  setValue(name as Path<T>, value as PathValue<T, Path<T>>)
  clearErrors(name as Path<T>)
}

/** After each change: the problem of the form may be solved, and a rule may be about two fields. */
function useRecheck<T extends FieldValues, B>({ clearErrors, trigger, formState: { errors } }: HookForm<T, B>, changes: string): void {
  useEffect(() => {
    clearErrors('root')
    const wrong = Object.entries(errors).filter(([, error]) => error?.type !== 'server')
    if (wrong.length > 0) void trigger(wrong.map(([name]) => name) as Path<T>[])
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only when a value changed
  }, [changes])
}

/** Stores the changes in this tab until they are saved or discarded. Returns whether they include some from an earlier visit. */
function useDraft<T>(key: string | undefined, wasRestored: boolean, { basis }: Bases<T>, changes: string): boolean {
  const [isRestored, setRestored] = useState(wasRestored)
  const isDirty = changes !== '{}'
  if (isRestored && !isDirty) setRestored(false)
  useEffect(() => {
    if (key === undefined) return
    if (isDirty) writeDraft(key, { changes: JSON.parse(changes), basis: basis() })
    else deleteDraft(key)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only when a value changed
  }, [key, changes])
  return isRestored && isDirty
}

/** Accepts stored values as they are, because an earlier rule may have allowed them. Only changed ones are sent. */
export function schemaResolver<T extends FieldValues, B>(schema: z.ZodType<B, T>, stored: T | undefined): Resolver<T, unknown, B> {
  const check = zodResolver(schema as never) as unknown as Resolver<T, unknown, B>
  return async (values, context, options) => {
    const result = await check(values, context, options)
    const wrong = Object.keys(result.errors)
    if (stored === undefined || wrong.length === 0) return result
    const changed: readonly string[] = changesIn(values, stored)
    const errors = Object.entries(result.errors).filter(([name]) => changed.includes(name))
    if (errors.length > 0) return { values: {}, errors: Object.fromEntries(errors) as typeof result.errors & object }
    const { shape } = schema as unknown as z.ZodObject
    const parse = (name: string) => (wrong.includes(name) ? values[name] : shape[name]?.parse(values[name]))
    return { values: Object.fromEntries(namesOf(values).map((name) => [name, parse(name)])) as B, errors: {} }
  }
}

type FormProps<T extends FieldValues> = Omit<ComponentProps<'form'>, 'onSubmit'> & { form: Pick<FormState<T>, 'submit'> }

/** A form without the browser's own validation. */
export function Form<T extends FieldValues>({ form, ...rest }: FormProps<T>) {
  return (
    <form
      {...rest}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        form.submit(event.currentTarget)
      }}
    />
  )
}

/** Above the buttons: whether the input is from an earlier visit, and the problem that belongs to no field. */
export function FormNotes({ form, className }: { form: { isRestored: boolean; problem: string | undefined }; className?: string }) {
  return (
    <>
      {form.isRestored && (
        <p role="status" className={className}>
          <span className="text-13 text-ink-2">{m.common_unsaved_restored()}</span>
        </p>
      )}
      {form.problem !== undefined && <ErrorNote className={className}>{form.problem}</ErrorNote>}
    </>
  )
}
