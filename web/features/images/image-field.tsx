import { ImageOff, ImageUp } from 'lucide-react'
import { type ClipboardEvent, type DragEvent, useEffect, useId, useRef, useState } from 'react'
import type { Control, FieldValues, Path } from 'react-hook-form'
import { type Image, type Purpose, PURPOSES } from '#contract/servers/images.ts'
import { m } from '#messages'
import { messageOf } from '#web/lib/http/call.ts'
import { assertImage } from '#web/lib/image-crop.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { FieldError, useField } from '#web/ui/form/fields.tsx'
import './images.css'
import { CropDialog, ImageInput } from './crop-dialog.tsx'
import { type FormImage, formImage } from './form-image.ts'

interface ImageFieldProps<T extends FieldValues> {
  form: { readonly control: Control<T> }
  name: Path<T>
  label: string
  purpose: Purpose
  hint?: string | undefined
}

/** Uploads a chosen, dropped or pasted image, cropped to its purpose. Its value is a `FormImage`. */
export function ImageField<T extends FieldValues>({ form, name, label, purpose, hint }: ImageFieldProps<T>) {
  const id = useId()
  const { value, onChange, error } = useField(form, name)
  const { file, error: fileError, select, close } = useSelectedFile()
  const [announcement, setAnnouncement] = useState('')
  const zone = useDropZone(select)
  const change = (image: Image | null) => {
    close()
    setAnnouncement(image ? m.images_uploaded({ field: label }) : m.images_removed({ field: label }))
    onChange(image && formImage(image.id, image.url))
  }
  const shownError = fileError ?? error
  return (
    <div
      role="group"
      aria-labelledby={id}
      aria-describedby={`${id}-note`}
      data-invalid={error === undefined ? undefined : ''}
      {...zone.props}
      className="relative"
    >
      <p id={id} className="mb-1.5 text-13 font-medium text-ink-1">
        {label}
      </p>
      <div
        className={cx(
          'flex flex-wrap items-center gap-4 rounded-10 border border-dashed p-3 transition-colors duration-100',
          zone.isOver ? 'border-accent bg-surface-2' : shownError === undefined ? 'border-line-strong' : 'border-danger',
        )}
      >
        <Preview purpose={purpose} url={(value as FormImage)?.url ?? null} />
        <div className={cx('min-w-0 flex-1', isWide(purpose) ? 'basis-52' : 'basis-36')}>
          <Controls label={label} hasImage={value !== null} onSelect={select} onRemove={() => change(null)} />
          <p className="mt-2 text-13 text-ink-3">
            {zone.isOver ? m.images_drop() : m.images_drop_hint()} {!zone.isOver && hint}{' '}
            <span className="whitespace-nowrap tabular-nums">
              {m.images_size({ width: PURPOSES[purpose].width, height: PURPOSES[purpose].height })}
            </span>
          </p>
        </div>
      </div>
      <FieldError id={`${id}-note`} announcement={announcement}>
        {shownError}
      </FieldError>
      {file && <CropDialog label={label} purpose={purpose} file={file} onUploaded={change} onClose={close} />}
    </div>
  )
}

/** The file in the crop dialog, or why it was rejected. */
function useSelectedFile() {
  const [file, setFile] = useState<File>()
  const [error, setError] = useState<string>()
  const select = (picked: File | undefined) => {
    // Drops and pastes in the open crop dialog arrive here, too. They don't replace its image.
    if (!picked || file) return
    setError(undefined)
    try {
      assertImage(picked)
      setFile(picked)
    } catch (rejection) {
      setError(messageOf(rejection))
    }
  }
  const close = () => {
    setFile(undefined)
    setError(undefined)
  }
  return { file, error, select, close }
}

/** Receives dropped and pasted files. A file dropped beside the field does not replace the page. */
function useDropZone(onSelect: (file: File | undefined) => void) {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const prevent = (event: globalThis.DragEvent) => {
      if (event.dataTransfer && hasFiles(event.dataTransfer)) event.preventDefault()
    }
    addEventListener('dragover', prevent)
    addEventListener('drop', prevent)
    return () => {
      removeEventListener('dragover', prevent)
      removeEventListener('drop', prevent)
    }
  }, [])
  const props = {
    onDragOver: (event: DragEvent) => {
      if (!hasFiles(event.dataTransfer)) return
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
      onSelect(event.dataTransfer.files[0])
    },
    onPaste: (event: ClipboardEvent) => {
      const pasted = [...event.clipboardData.files].find((file) => file.type.startsWith('image/'))
      if (!pasted) return
      event.preventDefault()
      onSelect(pasted)
    },
  }
  return { isOver, props }
}

const hasFiles = ({ types }: DataTransfer) => types.some((type) => type === 'Files')

interface ControlsProps {
  label: string
  hasImage: boolean
  onSelect: (file: File | undefined) => void
  onRemove: () => void
}

function Controls({ label, hasImage, onSelect, onRemove }: ControlsProps) {
  const fileInput = useRef<HTMLInputElement>(null)
  const row = useRef<HTMLDivElement>(null)
  return (
    <div ref={row} className="flex flex-wrap gap-2">
      <Button
        data-choose
        aria-label={hasImage ? m.images_replace_named({ field: label }) : m.images_choose_named({ field: label })}
        onClick={() => fileInput.current?.click()}
      >
        {hasImage ? m.images_replace() : m.images_choose()}
      </Button>
      {hasImage && (
        <Button
          variant="quiet"
          aria-label={m.images_remove_named({ field: label })}
          onClick={() => {
            onRemove()
            // This button disappears with the image.
            row.current?.querySelector<HTMLElement>('[data-choose]')?.focus()
          }}
        >
          {m.images_remove()}
        </Button>
      )}
      <ImageInput ref={fileInput} onSelect={onSelect} />
    </div>
  )
}

function isWide(purpose: Purpose): boolean {
  return PURPOSES[purpose].width / PURPOSES[purpose].height > 1.4
}

function Preview({ purpose, url }: { purpose: Purpose; url: string | null }) {
  const [brokenUrl, setBrokenUrl] = useState<string>()
  const { width, height } = PURPOSES[purpose]
  const ratio = { aspectRatio: `${width} / ${height}` }
  const size = isWide(purpose) ? 'w-full sm:w-60' : width === height ? 'w-24' : 'w-27'
  if (url !== null && url !== brokenUrl) {
    return <img src={url} alt="" style={ratio} onError={() => setBrokenUrl(url)} className={cx('checkered rounded-6 object-cover', size)} />
  }
  return (
    <span style={ratio} className={cx('flex flex-col items-center justify-center gap-1 rounded-6 bg-surface-2 text-12 text-ink-3', size)}>
      {url === null ? <ImageUp size={20} aria-hidden="true" /> : <ImageOff size={20} aria-hidden="true" />}
      {url !== null && m.images_broken()}
    </span>
  )
}
