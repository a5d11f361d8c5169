import { ImageOff, ImageUp } from 'lucide-react'
import { type ClipboardEvent, type DragEvent, Suspense, useEffect, useId, useRef, useState } from 'react'
import { type Image, PURPOSES, type Purpose } from '#contract/images.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { expectImage } from '#web/lib/image-crop.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { FieldError } from '#web/ui/form/field-error.tsx'
import './images.css'
import { DialogFallback, lazyPart } from '#web/ui/lazy-part.tsx'
import { ImageInput } from './image-input.tsx'

const CropDialog = lazyPart(() => import('./crop-dialog.tsx').then((part) => part.CropDialog), DialogFallback)

export interface ImageFieldProps {
  label: string
  purpose: Purpose
  /** The id of the uploaded image; null is none. */
  value: string | null
  /** Where the image that is shown now is served. */
  url: string | null
  /** The newly uploaded image, or null where it was taken away. */
  onChange: (image: Image | null) => void
  hint?: string | undefined
  error?: string | undefined
  disabled?: boolean | undefined
}

/** A picture that is chosen, dropped or pasted, cut to its purpose, uploaded and shown. The form's own Save decides what comes of it. */
export function ImageField({ label, purpose, value, url, onChange, hint, error, disabled = false }: ImageFieldProps) {
  const id = useId()
  const { file, problem, take, close } = useChosenFile(disabled)
  const [said, setSaid] = useState('')
  const zone = useDropZone(take)
  const change = (image: Image | null) => {
    close()
    setSaid(image ? `${label}: the picture is uploaded.` : `${label}: the picture is removed.`)
    onChange(image)
  }
  const wrong = problem ?? error
  return (
    <div role="group" aria-labelledby={id} aria-describedby={`${id}-note`} {...zone.props} className="relative">
      <p id={id} className="mb-1.5 text-13 font-medium text-ink-1">
        {label}
      </p>
      <div
        className={cx(
          'flex flex-wrap items-center gap-4 rounded-10 border border-dashed p-3 transition-colors duration-100',
          zone.isOver ? 'border-accent bg-surface-2' : wrong === undefined ? 'border-line-strong' : 'border-danger',
        )}
      >
        <Shown purpose={purpose} url={value === null ? null : url} />
        <div className={cx('min-w-0 flex-1', isWide(purpose) ? 'basis-52' : 'basis-36')}>
          <Choice label={label} hasOne={value !== null} disabled={disabled} onTake={take} onRemove={() => change(null)} />
          <p className="mt-2 text-13 text-ink-3">
            {zone.isOver ? 'Let go to use it.' : `Or drop or paste one here. ${hint ?? ''}`}{' '}
            <span className="whitespace-nowrap tabular-nums">
              {PURPOSES[purpose].width} × {PURPOSES[purpose].height} pixels.
            </span>
          </p>
        </div>
      </div>
      <FieldError id={`${id}-note`} said={said}>
        {wrong}
      </FieldError>
      {/* Its code arrives while the page stays. */}
      <Suspense fallback={null}>
        {file && <CropDialog label={label} purpose={purpose} file={file} onUploaded={change} onClose={close} />}
      </Suspense>
    </div>
  )
}

/** The file that is in the cropper, one at a time, or why the one that was chosen is not. */
function useChosenFile(disabled: boolean) {
  const [file, setFile] = useState<File>()
  const [problem, setProblem] = useState<string>()
  const take = (picked: File | undefined) => {
    // What is dropped or pasted in the open cropper comes by here too: the picture that is in it stays.
    if (!picked || disabled || file) return
    setProblem(undefined)
    try {
      expectImage(picked)
      setFile(picked)
    } catch (refusal) {
      setProblem(messageOf(refusal))
    }
  }
  const close = () => {
    setFile(undefined)
    setProblem(undefined)
  }
  return { file, problem, take, close }
}

/** Files that are dropped on the field or pasted in it. One that misses it does not take the place of the page. */
function useDropZone(take: (file: File | undefined) => void) {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const refuse = (event: globalThis.DragEvent) => {
      if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault()
    }
    addEventListener('dragover', refuse)
    addEventListener('drop', refuse)
    return () => {
      removeEventListener('dragover', refuse)
      removeEventListener('drop', refuse)
    }
  }, [])
  const props = {
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: (event: DragEvent) => {
      if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) setOver(false)
    },
    onDrop: (event: DragEvent) => {
      setOver(false)
      if (event.dataTransfer.files.length === 0) return
      event.preventDefault()
      take(event.dataTransfer.files[0])
    },
    onPaste: (event: ClipboardEvent) => {
      const pasted = [...event.clipboardData.files].find((file) => file.type.startsWith('image/'))
      if (!pasted) return
      event.preventDefault()
      take(pasted)
    },
  }
  return { isOver, props }
}

interface ChoiceProps {
  label: string
  hasOne: boolean
  disabled: boolean
  onTake: (file: File | undefined) => void
  onRemove: () => void
}

function Choice({ label, hasOne, disabled, onTake, onRemove }: ChoiceProps) {
  const chooser = useRef<HTMLInputElement>(null)
  const row = useRef<HTMLDivElement>(null)
  return (
    <div ref={row} className="flex flex-wrap gap-2">
      <Button
        data-choose
        aria-label={`${hasOne ? 'Replace' : 'Choose a picture'}: ${label}`}
        disabled={disabled}
        onClick={() => {
          // While a picture is looked for, the cropper arrives.
          void CropDialog.preload()
          chooser.current?.click()
        }}
      >
        {hasOne ? 'Replace' : 'Choose a picture'}
      </Button>
      {hasOne && (
        <Button
          look="quiet"
          aria-label={`Remove: ${label}`}
          disabled={disabled}
          onClick={() => {
            onRemove()
            // This button goes with the picture.
            row.current?.querySelector<HTMLElement>('[data-choose]')?.focus()
          }}
        >
          Remove
        </Button>
      )}
      <ImageInput ref={chooser} onTake={onTake} />
    </div>
  )
}

function isWide(purpose: Purpose): boolean {
  return PURPOSES[purpose].width / PURPOSES[purpose].height > 1.4
}

function Shown({ purpose, url }: { purpose: Purpose; url: string | null }) {
  const [broken, setBroken] = useState<string>()
  const { width, height } = PURPOSES[purpose]
  const form = { aspectRatio: `${width} / ${height}` }
  const size = isWide(purpose) ? 'w-full sm:w-60' : width === height ? 'w-24' : 'w-27'
  if (url !== null && url !== broken) {
    return <img src={url} alt="" style={form} onError={() => setBroken(url)} className={cx('checkered rounded-6 object-cover', size)} />
  }
  return (
    <span style={form} className={cx('flex flex-col items-center justify-center gap-1 rounded-6 bg-surface-2 text-12 text-ink-3', size)}>
      {url === null ? <ImageUp size={20} aria-hidden="true" /> : <ImageOff size={20} aria-hidden="true" />}
      {url !== null && 'Can’t be shown'}
    </span>
  )
}
