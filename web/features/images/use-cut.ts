import { useEffect, useRef, useState } from 'react'
import { type Image, PURPOSES, type Purpose } from '#contract/images.ts'
import { focusOnceGone } from '#web/lib/focus.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { type Area, cropImage } from '#web/lib/image-crop.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { toastNews } from '#web/ui/toast.ts'
import { isFinal, useUpload } from './images.api.ts'

export interface CutProps {
  label: string
  purpose: Purpose
  file: File
  onUploaded: (image: Image) => void
  onClose: () => void
}

/** The file in the dialog, the part of it that is used, and its way to the backend. */
export function useCut({ label, purpose, file: first, onUploaded, onClose }: CutProps) {
  const [file, setFile] = useState(first)
  const [area, setArea] = useState<Area>()
  const [problem, setProblem] = useState<{ text: string; isFinal: boolean }>()
  const [busy, setBusy] = useState(false)
  const upload = useUpload(purpose)
  const closing = useClosing(label)
  const use = useSingly(async () => {
    setProblem(undefined)
    setBusy(true)
    try {
      const cut = await cropImage(file, PURPOSES[purpose], area)
      if (closing.isGone()) return
      const image = await upload.mutateAsync(cut)
      if (closing.isGone()) return
      closing.isMeant()
      onUploaded(image)
    } catch (error) {
      if (!isGivenUp(error)) setProblem({ text: messageOf(error), isFinal: isFinal(error) })
    } finally {
      setBusy(false)
    }
  })
  const cancel = () => {
    if (busy) return upload.cancel()
    closing.isMeant()
    onClose()
  }
  const another = (chosen: File) => {
    setArea(undefined)
    setProblem(undefined)
    setFile(chosen)
  }
  return { file, area, setArea, problem, busy, progress: upload.progress, use, cancel, another }
}

function isGivenUp(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

/**
 * For a dialog that may go with the field it was opened from, such as when a benefit ends meanwhile: then it says so. Where the person
 * leaves the page, or `isMeant` was called, it says nothing.
 */
function useClosing(label: string): { isMeant: () => void; isGone: () => boolean } {
  const state = useRef({ isThere: false, isMeant: false })
  useEffect(() => {
    const now = state.current
    const { pathname } = location
    now.isThere = true
    return () => {
      now.isThere = false
      // A moment later it is known whether it is gone for good, and whether the page is.
      setTimeout(() => {
        if (now.isThere || now.isMeant || location.pathname !== pathname) return
        focusOnceGone(() => document.querySelector<HTMLElement>('h1[tabindex]'))
        toastNews('The picture was not used', `${label} can’t be changed any more.`)
      })
    }
  }, [label])
  return {
    isMeant: () => {
      state.current.isMeant = true
    },
    isGone: () => !state.current.isThere,
  }
}
