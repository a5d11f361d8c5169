import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router'
import { type ComponentType, createContext, createElement, use, useState } from 'react'
import { focusTitleAfterRemoval } from '#web/lib/focus.ts'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

interface Lazy<P extends object> {
  (props: P): React.ReactNode
  /** For the router, before it enters a page. Never fails: the page itself offers to try again. */
  preload: () => Promise<void> | undefined
}

/** A part that is loaded when first needed; where that fails, its place offers to try again. */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Instead: ComponentType<FallbackProps<P>> = PageFallback,
): Lazy<P> {
  const loader = loaderOf(load)
  const Given = createContext<P | undefined>(undefined)
  const Loaded = (props: P) => createElement(loader.loaded() ?? use(loader.begin()), props)
  const Failed = ({ error, reset }: ErrorComponentProps) => {
    const given = use(Given)
    const [busy, setBusy] = useState(false)
    // The part's own error.
    if (!loader.isFailure(error) || given === undefined) throw error
    const again = () => {
      setBusy(true)
      // A part inside this one may have failed with it.
      for (const anew of failing) anew().catch(() => {})
      loader.beginAnew().then(
        () => {
          focusTitleAfterRemoval()
          reset()
        },
        () => setBusy(false),
      )
    }
    return <Instead given={given} busy={busy} onAgain={again} />
  }
  const Lazily = (props: P) => (
    <Given value={props}>
      <CatchBoundary getResetKey={() => 'one'} errorComponent={Failed}>
        <Loaded {...props} />
      </CatchBoundary>
    </Given>
  )
  Lazily.preload = () =>
    loader.loaded()
      ? undefined
      : loader.beginAnew().then(
          () => {},
          () => {},
        )
  return Lazily
}

const failing = new Set<() => Promise<unknown>>()

/** Loads once; again only where the last attempt failed. */
function loaderOf<T>(load: () => Promise<T>) {
  let loaded: T | undefined
  let loading: Promise<T> | undefined
  let failed = false
  const failures = new WeakSet<Error>()
  const begin = () => {
    if (loading) return loading
    failed = false
    loading = load()
    loading.then(
      (part) => {
        loaded = part
        failing.delete(retry)
      },
      (error: Error) => {
        failed = true
        failures.add(error)
        failing.add(retry)
      },
    )
    return loading
  }
  const retry = () => {
    if (failed) loading = undefined
    return begin()
  }
  return { loaded: () => loaded, begin, beginAnew: retry, isFailure: (error: unknown) => error instanceof Error && failures.has(error) }
}

interface FallbackProps<P> {
  given: P
  busy: boolean
  onAgain: () => void
}

const ADVICE = 'Nothing was changed. Try again when the connection is back.'

function PageFallback({ busy, onAgain }: FallbackProps<object>) {
  return (
    <div role="alert" className="card px-6 py-10 text-center">
      <p className="font-medium">This part can’t be loaded now.</p>
      <p className="mt-1 text-13 text-ink-2">{ADVICE}</p>
      <Button className="mt-4" busy={busy} onClick={onAgain}>
        Try again
      </Button>
    </div>
  )
}

export function DialogFallback({ given: { onClose }, busy, onAgain }: FallbackProps<{ onClose: () => void }>) {
  return (
    <Dialog title="This part can’t be loaded now." onDismiss={onClose}>
      <p className="mt-2 text-ink-2">{ADVICE}</p>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Button data-focus-first look="primary" busy={busy} onClick={onAgain}>
          Try again
        </Button>
      </DialogActions>
    </Dialog>
  )
}
