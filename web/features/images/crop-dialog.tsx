import { useMutation } from '@tanstack/react-query'
import { type Ref, useEffect, useId, useRef, useState } from 'react'
import { type Image, IMAGE_TYPES, type Purpose, PURPOSES } from '#contract/servers/images.ts'
import { m } from '#messages'
import { messageOf } from '#web/lib/http/call.ts'
import { type Area, assertImage, cropImage, loadImage, type Size } from '#web/lib/image-crop.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog/dialog.tsx'
import { ErrorNote, Skeleton, WarnNote } from '#web/ui/states.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { toastInfo } from '#web/ui/toast.ts'
import { CROP_BOX, CropStage } from './crop-stage.tsx'
import { assertSupportedImage } from './image-type.ts'
import { isPermanentError, uploadImage } from './images.api.ts'

const TITLES = {
  SERVER_ICON: m.images_crop_icon(),
  BANNER: m.images_crop_banner(),
  JOIN_BACKGROUND: m.images_crop_join_background(),
  LAUNCHER_BACKGROUND: m.images_crop_background(),
  LAUNCHER_LOGO: m.images_crop_logo(),
  LAUNCHER_UI_BACKGROUND: m.images_crop_ui_background(),
} as const satisfies Record<Purpose, string>

export function CropDialog(props: CropProps) {
  const target = PURPOSES[props.purpose]
  const { file, area, setArea, error, busy, progress, submit, cancel, replaceFile } = useCrop(props)
  const opened = useOpenedImage(file)
  const hintId = useId()
  const fileInput = useRef<HTMLInputElement>(null)
  const failure = error ? messageOf(error) : opened.error
  const needsOtherFile = isPermanentError(error) || opened.error !== undefined
  return (
    <Dialog
      title={opened.error !== undefined ? m.images_crop_unusable() : TITLES[props.purpose]}
      wide
      onDismiss={cancel}
      ignoreBackdrop={opened.image !== undefined}
    >
      <p id={hintId} hidden={opened.error !== undefined} className="mt-1.5 text-13 text-ink-2 [@media(max-height:480px)]:sr-only">
        <RichText
          message={m.images_crop_hint}
          inputs={{ width: target.width, height: target.height }}
          tags={{ size: (text) => <span className="whitespace-nowrap tabular-nums">{text}</span> }}
        />
      </p>
      <div className="mt-4">
        {opened.image ? (
          <CropStage key={opened.image.url} {...opened.image} target={target} onArea={setArea} describedBy={hintId} disabled={busy} />
        ) : (
          opened.error === undefined && <Skeleton className={CROP_BOX} />
        )}
      </div>
      {area && area.width < target.width * 0.99 && (
        <WarnNote className="mt-4">{m.images_crop_small({ width: Math.round(area.width), height: Math.round(area.height) })}</WarnNote>
      )}
      {busy && <Progress fraction={progress} />}
      {failure !== undefined && <ErrorNote className="mt-4">{failure}</ErrorNote>}
      <DialogActions>
        <Button onClick={cancel}>{busy ? m.images_upload_cancel() : m.common_cancel()}</Button>
        {/* One button for all actions, so it keeps the focus. */}
        <Button
          variant="primary"
          busy={busy}
          disabled={!opened.image && !needsOtherFile}
          onClick={needsOtherFile ? () => fileInput.current?.click() : submit}
        >
          {needsOtherFile ? m.images_crop_other() : error ? m.common_try_again() : m.images_crop_use()}
        </Button>
        <ImageInput ref={fileInput} onSelect={replaceFile} />
      </DialogActions>
    </Dialog>
  )
}

interface OpenedImage {
  image?: { url: string; image: Size }
  error?: string
}

function useOpenedImage(file: File): OpenedImage {
  const [opened, setOpened] = useState<OpenedImage & { file?: File }>({})
  useEffect(() => {
    let isCurrent = true
    const url = URL.createObjectURL(file)
    const open = async () => {
      try {
        assertImage(file)
        await assertSupportedImage(file)
        const { naturalWidth: width, naturalHeight: height } = await loadImage(url)
        if (isCurrent) setOpened({ file, image: { url, image: { width, height } } })
      } catch (error) {
        if (isCurrent) setOpened({ file, error: messageOf(error) })
      }
    }
    void open()
    return () => {
      isCurrent = false
      URL.revokeObjectURL(url)
    }
  }, [file])
  return opened.file === file ? opened : {}
}

function Progress({ fraction }: { fraction: number }) {
  const percent = Math.round(fraction * 100)
  return (
    <div role="status" className="mt-4">
      <p className="mb-1.5 text-13 text-ink-2">{percent < 100 ? m.images_uploading() : m.images_processing()}</p>
      <progress className="block h-1.5 w-full accent-(--accent)" value={percent} max={100} aria-label={m.images_upload()} />
    </div>
  )
}

interface CropProps {
  label: string
  purpose: Purpose
  file: File
  onUploaded: (image: Image) => void
  onClose: () => void
}

/** Cuts the image to the chosen area, and uploads it. */
function useCrop({ label, purpose, file: initialFile, onUploaded, onClose }: CropProps) {
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
  const error = crop.error?.name === 'AbortError' ? null : crop.error
  return { file, area, setArea, error, busy: crop.isPending, progress, submit, cancel, replaceFile }
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

export function ImageInput({ ref, onSelect }: { ref: Ref<HTMLInputElement>; onSelect: (file: File) => void }) {
  return (
    <input
      ref={ref}
      type="file"
      hidden
      accept={IMAGE_TYPES.join(',')}
      onChange={({ target }) => {
        const [file] = target.files ?? []
        // Lets the user choose the same file again.
        target.value = ''
        if (file) onSelect(file)
      }}
    />
  )
}
