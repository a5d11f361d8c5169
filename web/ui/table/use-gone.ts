import { useEffect, useEffectEvent } from 'react'
import { toastNews } from '#web/ui/toast.ts'

/** An address may name a row that is not there, or never was: it is said, and leaves the address with its empty panel. */
export function useGone(gone: boolean, said: string, onClose: () => void): void {
  const leave = useEffectEvent(() => {
    toastNews(said)
    onClose()
  })
  useEffect(() => {
    if (gone) leave()
  }, [gone])
}
