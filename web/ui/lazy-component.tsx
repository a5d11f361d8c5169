import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router'
import { type ComponentType, createContext, createElement, use, useState } from 'react'
import { m } from '#messages'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog/dialog.tsx'

export interface Lazy<P extends object> {
  (props: P): React.ReactNode
  /** Preloads for the router. Never rejects, because `Fallback` covers a failure. */
  preload: () => Promise<void> | undefined
}

/** A component that loads when it is first rendered. If loading fails, it renders `Fallback`, by default with a retry. */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Fallback: ComponentType<FallbackProps<P>> = PageFallback,
): Lazy<P> {
  const loader = createLoader(load)
  const Props = createContext<P | undefined>(undefined)
  const Loaded = (props: P) => createElement(loader.loaded() ?? use(loader.start()), props)
  const Failed = ({ error, reset }: ErrorComponentProps) => {
    const props = use(Props)
    const [busy, setBusy] = useState(false)
    // The component itself threw.
    if (!loader.isFailure(error) || props === undefined) throw error
    const onRetry = () => {
      setBusy(true)
      // Nested components may have failed to load, too.
      for (const retry of failedRetries) retry().catch(() => {})
      loader.retry().then(reset, () => setBusy(false))
    }
    return <Fallback props={props} busy={busy} onRetry={onRetry} />
  }
  const LazyComponent = (props: P) => (
    <Props value={props}>
      <CatchBoundary getResetKey={() => 'one'} errorComponent={Failed}>
        <Loaded {...props} />
      </CatchBoundary>
    </Props>
  )
  LazyComponent.preload = () =>
    loader.loaded()
      ? undefined
      : loader.retry().then(
          () => {},
          () => {},
        )
  return LazyComponent
}

const failedRetries = new Set<() => Promise<unknown>>()

/** Loads once, and again only if the last attempt failed. */
function createLoader<T>(load: () => Promise<T>) {
  let loaded: T | undefined
  let loading: Promise<T> | undefined
  let failed = false
  const failures = new WeakSet<Error>()
  const start = () => {
    if (loading) return loading
    failed = false
    loading = load()
    loading.then(
      (value) => {
        loaded = value
        failedRetries.delete(retry)
      },
      (error: Error) => {
        failed = true
        failures.add(error)
        failedRetries.add(retry)
      },
    )
    return loading
  }
  const retry = () => {
    if (failed) loading = undefined
    return start()
  }
  return { loaded: () => loaded, start, retry, isFailure: (error: unknown) => error instanceof Error && failures.has(error) }
}

interface FallbackProps<P> {
  props: P
  busy: boolean
  onRetry: () => void
}

function PageFallback({ busy, onRetry }: FallbackProps<object>) {
  return (
    <div role="alert" className="card px-6 py-10 text-center">
      <p className="font-medium">{m.ui_part_failed()}</p>
      <p className="mt-1 text-13 text-ink-2">{m.ui_part_failed_hint()}</p>
      <Button className="mt-4" busy={busy} onClick={onRetry}>
        {m.common_try_again()}
      </Button>
    </div>
  )
}

export function DialogFallback({ props: { onClose }, busy, onRetry }: FallbackProps<{ onClose: () => void }>) {
  return (
    <Dialog title={m.ui_part_failed()} onDismiss={onClose}>
      <p className="mt-2 text-ink-2">{m.ui_part_failed_hint()}</p>
      <DialogActions>
        <Button onClick={onClose}>{m.common_close()}</Button>
        <Button data-focus-first variant="primary" busy={busy} onClick={onRetry}>
          {m.common_try_again()}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
