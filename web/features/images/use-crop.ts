import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Image, PURPOSES, type Purpose } from '#contract/servers/images.ts'
import { m } from '#messages'
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

export function useCrop({ label, purpose, file: initialFile, onUploaded, onClose }: CropProps) {
  const [file, setFile] = useState(initialFile)
  const [area, setArea] = useState<Area>()
  const [progress, setProgress] = useState(0)
  const upload = useRef<AbortController>(undefined)
  useEffect(() => () => upload.current?.abort(), [])
  const dialog = useRemovalNotice(label)
  const crop = useMutation({
    mutationFn: async () => {
      const controller = new AbortController()
      upload.current = controller
      setProgress(0)
      const image = await cropImage(file, PURPOSES[purpose], area)
      controller.signal.throwIfAborted()
      return uploadImage({ purpose, file: image, onProgress: setProgress, signal: controller.signal })
    },
  })
  const submit = useSingleFlight(async () => {
    const image = await crop.mutateAsync()
    if (dialog.isRemoved()) return
    dialog.expectClose()
    onUploaded(image)
  })
  const cancel = () => {
    if (crop.isPending) return upload.current?.abort()
    dialog.expectClose()
    onClose()
  }
  const replaceFile = (next: File) => {
    setArea(undefined)
    crop.reset()
    setFile(next)
  }
  const error = isAbort(crop.error) ? null : crop.error
  return { file, area, setArea, error, busy: crop.isPending, progress, submit, cancel, replaceFile }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

/**
 * Shows a toast if the dialog is removed together with its field, for example because a benefit ended. Shows none if the user leaves the
 * page, or after `expectClose`.
 */
function useRemovalNotice(label: string): { expectClose: () => void; isRemoved: () => boolean } {
  const state = useRef({ isMounted: false, expectsClose: false })
  useEffect(() => {
    const { current } = state
    const { pathname } = location
    current.isMounted = true
    return () => {
      current.isMounted = false
      // Waits for a remount in strict mode, and for a change of the page.
      setTimeout(() => {
        if (current.isMounted || current.expectsClose || location.pathname !== pathname) return
        toastInfo(m.images_not_used(), m.images_not_used_hint({ field: label }))
      })
    }
  }, [label])
  return {
    expectClose: () => {
      state.current.expectsClose = true
    },
    isRemoved: () => !state.current.isMounted,
  }
}
