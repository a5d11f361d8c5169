import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Image, PURPOSES, type Purpose } from '#contract/images.ts'
import { focusAfterRemoval } from '#web/lib/focus.ts'
import { type Area, cropImage } from '#web/lib/image-crop.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { toastInfo } from '#web/ui/toast.ts'
import { uploadImage } from './images.api.ts'

export interface CropProps {
  label: string
  purpose: Purpose
  file: File
  onUploaded: (image: Image) => void
  onClose: () => void
}

export function useCrop({ label, purpose, file: first, onUploaded, onClose }: CropProps) {
  const [file, setFile] = useState(first)
  const [area, setArea] = useState<Area>()
  const [progress, setProgress] = useState(0)
  const running = useRef<AbortController>(undefined)
  // Whatever wanted the picture is gone.
  useEffect(() => () => running.current?.abort(), [])
  const closing = useClosing(label)
  const cut = useMutation({
    mutationFn: async () => {
      const controller = new AbortController()
      running.current = controller
      setProgress(0)
      const picture = await cropImage(file, PURPOSES[purpose], area)
      controller.signal.throwIfAborted()
      return uploadImage({ purpose, file: picture, onProgress: setProgress, signal: controller.signal })
    },
  })
  const use = useSingleFlight(async () => {
    const image = await cut.mutateAsync()
    if (closing.isGone()) return
    closing.isMeant()
    onUploaded(image)
  })
  const cancel = () => {
    if (cut.isPending) return running.current?.abort()
    closing.isMeant()
    onClose()
  }
  const another = (chosen: File) => {
    setArea(undefined)
    cut.reset()
    setFile(chosen)
  }
  const problem = isGivenUp(cut.error) ? null : cut.error
  return { file, area, setArea, problem, busy: cut.isPending, progress, use, cancel, another }
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
        focusAfterRemoval(() => document.querySelector<HTMLElement>('h1[tabindex]'))
        toastInfo('The picture was not used', `${label} can’t be changed any more.`)
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
