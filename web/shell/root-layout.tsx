import { Outlet } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { recoverFocus } from '#web/lib/recover-focus.ts'
import { Tooltips } from '#web/ui/tooltips.tsx'
import { ErrorPage } from './error-page.tsx'
import { Uncaught } from './uncaught.tsx'

export function RootLayout() {
  useEffect(recoverFocus, [])
  const [uncaught, setUncaught] = useState<{ readonly error: unknown }>()
  const onUncaught = useCallback((error: unknown) => setUncaught((first) => first ?? { error }), [])
  return (
    <>
      {uncaught ? <ErrorPage error={uncaught.error} onRetry={() => setUncaught(undefined)} /> : <Outlet />}
      <Tooltips />
      <Uncaught onError={onUncaught} />
    </>
  )
}
