import { useEffect, useEffectEvent } from 'react'
import { toastNews } from '#web/ui/toast.ts'

/** Says that the row named by the address does not exist, and closes its panel. */
export function useGone(gone: boolean, said: string, onClose: () => void): void {
  const leave = useEffectEvent(() => {
    toastNews(said)
    onClose()
  })
  useEffect(() => {
    if (gone) leave()
  }, [gone])
}
