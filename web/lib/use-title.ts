import { useEffect } from 'react'
import { m } from '#messages'

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'Muster' : m.lib_page_title({ page: title })
  }, [title])
}
