import { type KeyboardEvent, useRef, useState } from 'react'
import Cropper from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import type { Area, Size } from '#web/lib/image-crop.ts'
import { cx } from '#web/ui/class-names.ts'

/** In screen pixels per press of an arrow key. With Shift, a fifth of it. */
const KEYBOARD_STEP = 10
const ZOOM = { min: 1, max: 4, step: 0.1 } as const

/** Leaves room for the rest of the dialog on a phone in either orientation. */
export const CROP_BOX = 'h-[max(120px,min(46dvh,380px,100dvh-420px))] sm:h-[max(120px,min(46dvh,380px,100dvh-228px))]'

interface CropStageProps {
  url: string
  image: Size
  target: Size
  /** Receives the selected area in image pixels. */
  onArea: (area: Area) => void
  describedBy: string
  disabled: boolean
}

export function CropStage({ url, image, target, onArea, describedBy, disabled }: CropStageProps) {
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [announcement, setAnnouncement] = useState('')
  const [box, setBox] = useState<HTMLDivElement | null>(null)
  const isFirst = useRef(true)
  const zoomBy = (step: number) => setZoom((current) => Math.min(ZOOM.max, Math.max(ZOOM.min, current + step)))
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { '+': ZOOM.step, '=': ZOOM.step, '-': -ZOOM.step }[event.key]
    if (step === undefined || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    zoomBy(step)
  }
  return (
    <div inert={disabled} className={disabled ? 'opacity-60' : undefined}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles keys of the frame inside */}
      <div
        ref={setBox}
        onKeyDown={onKeyDown}
        className={cx(CROP_BOX, 'checkered relative overflow-hidden rounded-6 border border-line bg-surface-0')}
      >
        {box && (
          <Cropper
            image={url}
            crop={crop}
            zoom={zoom}
            minZoom={ZOOM.min}
            maxZoom={ZOOM.max}
            aspect={target.width / target.height}
            objectFit={fitOf(image, target, { width: box.clientWidth, height: box.clientHeight })}
            keyboardStep={KEYBOARD_STEP}
            zoomSpeed={0.4}
            disableAutomaticStylesInjection
            classes={{ cropAreaClassName: 'crop-frame' }}
            cropperProps={{
              role: 'application',
              'aria-label': m.images_crop_area(),
              'aria-describedby': describedBy,
            }}
            onCropChange={setCrop}
            onZoomChange={setZoom}
            onCropAreaChange={(_, pixels) => onArea(pixels)}
            onCropComplete={(area) => {
              // The frame exists now, and takes the focus for the arrow keys.
              if (!isFirst.current) setAnnouncement(areaText(area))
              else box.querySelector<HTMLElement>('[role="application"]')?.focus({ preventScroll: true })
              isFirst.current = false
            }}
          />
        )}
      </div>
      <ZoomSlider zoom={zoom} onZoom={setZoom} />
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </div>
  )
}

function ZoomSlider({ zoom, onZoom }: { zoom: number; onZoom: (zoom: number) => void }) {
  const percent = formatNumber(zoom, { style: 'percent' })
  return (
    <label className="mt-3 flex items-center gap-3">
      <span className="text-13 font-medium">{m.images_crop_zoom()}</span>
      <input
        type="range"
        {...ZOOM}
        value={zoom}
        aria-valuetext={percent}
        onChange={(event) => onZoom(Number(event.target.value))}
        className="h-9 min-w-0 flex-1 accent-(--accent)"
      />
      <span aria-hidden="true" className="w-12 text-right text-13 text-ink-3 tabular-nums">
        {percent}
      </span>
    </label>
  )
}

/** @param area in percent. */
function areaText({ x, y, width, height }: Area): string {
  return m.images_crop_position({ x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) })
}

/** Shows the whole image, unless it is taller than the frame: then the frame takes the full width. */
function fitOf(image: Size, target: Size, box: Size): 'horizontal-cover' | 'vertical-cover' {
  const [imageRatio, targetRatio, boxRatio] = [image, target, box].map(({ width, height }) => width / height) as [number, number, number]
  return imageRatio >= boxRatio || (imageRatio < targetRatio && targetRatio >= boxRatio) ? 'horizontal-cover' : 'vertical-cover'
}
