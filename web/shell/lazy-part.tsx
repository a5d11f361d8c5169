import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router'
import { type ComponentType, createElement, use } from 'react'
import { Button } from '#web/ui/button.tsx'

interface Lazy<P extends object> {
  (props: P): React.ReactNode
  /** The router calls it before it enters a page. It never fails: the page says itself that it can't be loaded. */
  preload: () => Promise<void> | undefined
}

/**
 * A part of the panel that is loaded when it is first needed. Where that fails, nothing else goes with it and nothing is loaded anew
 * by itself: its place says so and asks again. (Whether the backend has another version by now is asked in `lib/new-version.ts`.)
 */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): Lazy<P> {
  let Part: ComponentType<P> | undefined
  let loading: Promise<ComponentType<P>> | undefined
  let failed = false
  const begin = () => {
    if (loading) return loading
    failed = false
    loading = load()
    loading.then(
      (part) => {
        Part = part
      },
      () => {
        failed = true
      },
    )
    return loading
  }
  const beginAnew = () => {
    if (failed) loading = undefined
    return begin()
  }
  const Loaded = (props: P) => createElement(Part ?? use(begin()), props)
  const Failed = ({ error, reset }: ErrorComponentProps) => {
    // What broke once it was there is no matter of loading.
    if (!failed) throw error
    return (
      <PartFailed
        onAgain={() => {
          void beginAnew().then(reset, reset)
        }}
      />
    )
  }
  const Lazily = (props: P) => (
    <CatchBoundary getResetKey={() => 'one'} errorComponent={Failed}>
      <Loaded {...props} />
    </CatchBoundary>
  )
  Lazily.preload = () =>
    Part
      ? undefined
      : beginAnew().then(
          () => {},
          () => {},
        )
  return Lazily
}

function PartFailed({ onAgain }: { onAgain: () => void }) {
  return (
    <div role="alert" className="card px-6 py-10 text-center">
      <p className="font-medium">This part can’t be loaded now.</p>
      <p className="mt-1 text-13 text-ink-2">Nothing was changed. Try again when the connection is back.</p>
      <Button className="mt-4" onClick={onAgain}>
        Try again
      </Button>
    </div>
  )
}
