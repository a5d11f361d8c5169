import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { PURPOSES } from '#contract/images.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { type Area, expectImage, loadImage, type Size } from '#web/lib/image-crop.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { ErrorNote, WarnNote } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { CropStage } from './crop-stage.tsx'
import { assertSupportedImage } from './image-type.ts'
import { ImageInput } from './image-input.tsx'
import { isPermanentError } from './images.api.ts'
import { type CropProps, useCrop } from './use-crop.ts'

export function CropDialog(props: CropProps) {
  const target = PURPOSES[props.purpose]
  const { file, area, setArea, problem, busy, progress, use, cancel, another } = useCrop(props)
  const opened = useOpened(file)
  const hintId = useId()
  const mayFocus = useUnmovedFocus(file)
  const chooser = useRef<HTMLInputElement>(null)
  const failure = problem ? messageOf(problem) : opened.problem
  const mustChange = isPermanentError(problem) || opened.problem !== undefined
  // At the end of the page: inside a form its keys would be the form's.
  return createPortal(
    <Dialog
      title={opened.problem !== undefined ? 'This picture can’t be used' : `${props.label}: choose the part`}
      wide
      onDismiss={cancel}
      keepOnBackdrop={opened.picture !== undefined}
    >
      <p id={hintId} hidden={opened.problem !== undefined} className="crop-hint mt-1.5 text-13 text-ink-2">
        Move the picture by dragging or with the arrow keys. Zoom with the wheel, two fingers, or + and −. It becomes{' '}
        <span className="whitespace-nowrap tabular-nums">
          {target.width} × {target.height}
        </span>{' '}
        pixels.
      </p>
      <div className="mt-4">
        {opened.picture ? (
          <CropStage
            key={opened.picture.url}
            {...opened.picture}
            target={target}
            onArea={setArea}
            describedBy={hintId}
            disabled={busy}
            mayFocus={mayFocus}
          />
        ) : (
          opened.problem === undefined && <Skeleton className="crop-box" />
        )}
      </div>
      <Warning area={area} target={target} />
      <div className="crop-foot">
        {busy && <Progress part={progress} />}
        {failure !== undefined && <ErrorNote className="mt-4">{failure}</ErrorNote>}
        <DialogActions>
          <Button onClick={cancel}>{busy ? 'Stop' : 'Cancel'}</Button>
          {/* One button, which keeps the focus whatever it does next. */}
          <Button
            look="primary"
            busy={busy}
            disabled={!opened.picture && !mustChange}
            onClick={mustChange ? () => chooser.current?.click() : use}
          >
            {mustChange ? 'Choose another picture' : problem ? 'Try again' : 'Use picture'}
          </Button>
          <ImageInput ref={chooser} onTake={another} />
        </DialogActions>
      </div>
    </Dialog>,
    document.body,
  )
}

interface Opened {
  picture?: { url: string; picture: Size }
  problem?: string
}

function useOpened(file: File): Opened {
  const [opened, setOpened] = useState<Opened & { file?: File }>({})
  useEffect(() => {
    let isThere = true
    const url = URL.createObjectURL(file)
    const open = async () => {
      try {
        expectImage(file)
        await assertSupportedImage(file)
        const { naturalWidth: width, naturalHeight: height } = await loadImage(url)
        if (isThere) setOpened({ file, picture: { url, picture: { width, height } } })
      } catch (error) {
        if (isThere) setOpened({ file, problem: messageOf(error) })
      }
    }
    void open()
    return () => {
      isThere = false
      URL.revokeObjectURL(url)
    }
  }, [file])
  return opened.file === file ? opened : {}
}

/** Whether the focus is still where it was when the file came, or nowhere. */
function useUnmovedFocus(file: File): () => boolean {
  const put = useRef<Element>(null)
  // The dialog's own effect has run by now.
  useEffect(() => {
    put.current = document.activeElement
  }, [file])
  return () => document.activeElement === put.current || document.activeElement === document.body
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
