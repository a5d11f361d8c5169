import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { type Image, PURPOSES, type Purpose } from '#contract/images.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { type Area, cropImage, expectImage, loadPicture, type Size } from '#web/lib/image-crop.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { ErrorNote, WarnNote } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { CropStage } from './crop-stage.tsx'
import { useUpload } from './images.api.ts'

interface CropDialogProps {
  label: string
  purpose: Purpose
  file: File
  onUploaded: (image: Image) => void
  onClose: () => void
}

/** Cuts a picture to its purpose and uploads it. Whatever goes wrong is said here, with the cut as it was. */
export function CropDialog({ label, purpose, file, onUploaded, onClose }: CropDialogProps) {
  const target = PURPOSES[purpose]
  const opened = useOpened(file)
  const upload = useUpload(purpose)
  const [area, setArea] = useState<Area>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const hintId = useId()
  const mayFocus = useUnmovedFocus()
  const use = useSingly(async () => {
    setProblem(undefined)
    setBusy(true)
    try {
      onUploaded(await upload.mutateAsync(await cropImage(file, target, area)))
    } catch (error) {
      if (!isGivenUp(error)) setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  })
  const cancel = () => (busy ? upload.cancel() : onClose())
  const failure = problem ?? opened.problem
  // At the end of the page: inside a form its keys would be the form's.
  return createPortal(
    <Dialog title={`${label}: choose the part`} wide onDismiss={cancel}>
      <p id={hintId} hidden={opened.problem !== undefined} className="mt-1.5 text-13 text-ink-2">
        Move the picture by dragging or with the arrow keys. Zoom with the wheel, two fingers, or + and −. It becomes{' '}
        <span className="whitespace-nowrap tabular-nums">
          {target.width} × {target.height}
        </span>{' '}
        pixels.
      </p>
      <div className="mt-4">
        {opened.picture ? (
          <CropStage {...opened.picture} target={target} onArea={setArea} describedBy={hintId} disabled={busy} mayFocus={mayFocus} />
        ) : (
          opened.problem === undefined && <Skeleton className="h-[min(46dvh,380px)]" />
        )}
      </div>
      <Warning area={area} target={target} />
      {busy && <Progress part={upload.progress} />}
      {failure !== undefined && <ErrorNote className="mt-4">{failure}</ErrorNote>}
      <DialogActions>
        <Button onClick={cancel}>{busy ? 'Stop' : 'Cancel'}</Button>
        <Button look="primary" busy={busy} disabled={!opened.picture} onClick={use}>
          {problem === undefined ? 'Use picture' : 'Try again'}
        </Button>
      </DialogActions>
    </Dialog>,
    document.body,
  )
}

/** Whether the focus is still where the dialog put it, or nowhere. */
function useUnmovedFocus(): () => boolean {
  const put = useRef<Element>(null)
  // The dialog's own effect has run by now.
  useEffect(() => {
    put.current = document.activeElement
  }, [])
  return () => document.activeElement === put.current || document.activeElement === document.body
}

function isGivenUp(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

/** The file as something to look at, for as long as the dialog is there. */
function useOpened(file: File): { picture?: { url: string; picture: Size }; problem?: string } {
  const [opened, setOpened] = useState<ReturnType<typeof useOpened>>({})
  useEffect(() => {
    let isThere = true
    const url = URL.createObjectURL(file)
    const open = async () => {
      try {
        expectImage(file)
        const { naturalWidth: width, naturalHeight: height } = await loadPicture(url)
        if (isThere) setOpened({ picture: { url, picture: { width, height } } })
      } catch (error) {
        if (isThere) setOpened({ problem: messageOf(error) })
      }
    }
    void open()
    return () => {
      isThere = false
      URL.revokeObjectURL(url)
    }
  }, [file])
  return opened
}

function Warning({ area, target }: { area: Area | undefined; target: Size }): ReactNode {
  if (!area || area.width >= target.width * 0.99) return null
  return (
    <WarnNote className="mt-4">
      This part has only {Math.round(area.width)} × {Math.round(area.height)} pixels, so it will look soft. A larger picture looks better.
    </WarnNote>
  )
}

function Progress({ part }: { part: number }) {
  const percent = Math.round(part * 100)
  return (
    <div role="status" className="mt-4">
      <p className="mb-1.5 text-13 text-ink-2">{percent < 100 ? 'Uploading…' : 'Looking at the picture…'}</p>
      <progress className="upload-bar" value={percent} max={100} aria-label="Upload" />
    </div>
  )
}
