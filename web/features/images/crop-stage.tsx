import { type KeyboardEvent, useRef, useState } from 'react'
import Cropper from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import type { Area, Size } from '#web/lib/image-crop.ts'

/** One press of an arrow moves so many pixels of the screen; with Shift a fifth of it. */
const STEP = 10
const ZOOM = { min: 1, max: 4, step: 0.1 } as const

interface CropStageProps {
  url: string
  picture: Size
  target: Size
  /** The whole picture's part that is used, in its pixels. */
  onArea: (area: Area) => void
  describedBy: string
  disabled: boolean
  /** Whether nobody has gone on to something else since the dialog opened. */
  mayFocus: () => boolean
}

export function CropStage({ url, picture, target, onArea, describedBy, disabled, mayFocus }: CropStageProps) {
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [said, setSaid] = useState('')
  const [box, setBox] = useState<HTMLDivElement | null>(null)
  const isFirst = useRef(true)
  const zoomBy = (step: number) => setZoom((now) => Math.min(ZOOM.max, Math.max(ZOOM.min, now + step)))
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { '+': ZOOM.step, '=': ZOOM.step, '-': -ZOOM.step }[event.key]
    if (step === undefined || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    zoomBy(step)
  }
  return (
    <div inert={disabled} className={disabled ? 'opacity-60' : undefined}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- hears the keys of the frame inside */}
      <div
        ref={setBox}
        onKeyDown={onKeyDown}
        className="crop-box checkered relative overflow-hidden rounded-6 border border-line bg-surface-0"
      >
        {box && (
          <Cropper
            image={url}
            crop={crop}
            zoom={zoom}
            minZoom={ZOOM.min}
            maxZoom={ZOOM.max}
            aspect={target.width / target.height}
            objectFit={fitOf(picture, target, { width: box.clientWidth, height: box.clientHeight })}
            keyboardStep={STEP}
            zoomSpeed={0.4}
            disableAutomaticStylesInjection
            classes={{ cropAreaClassName: 'crop-frame' }}
            cropperProps={{
              role: 'application',
              'aria-label': 'Part of the picture that is used',
              'aria-describedby': describedBy,
            }}
            onCropChange={setCrop}
            onZoomChange={setZoom}
            onCropAreaChange={(_, pixels) => onArea(pixels)}
            onCropComplete={(part) => {
              // The frame is there now, and the arrow keys are meant for it.
              if (!isFirst.current) setSaid(sentenceOf(part))
              else if (mayFocus()) box.querySelector<HTMLElement>('[role="application"]')?.focus({ preventScroll: true })
              isFirst.current = false
            }}
          />
        )}
      </div>
      <ZoomSlider zoom={zoom} onZoom={setZoom} />
      <p role="status" className="sr-only">
        {said}
      </p>
    </div>
  )
}

function ZoomSlider({ zoom, onZoom }: { zoom: number; onZoom: (zoom: number) => void }) {
  const percent = `${Math.round(zoom * 100)}%`
  return (
    <label className="mt-3 flex items-center gap-3">
      <span className="text-13 font-medium">Zoom</span>
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

function sentenceOf(part: Area): string {
  const [x, y, width, height] = [part.x, part.y, part.width, part.height].map((each) => `${Math.round(each)}%`)
  return `Used: ${width} of the width and ${height} of the height, from ${x} left and ${y} top.`
}

/** How the picture lies in its box at first: all of it in sight, but for one that is taller than the frame, where the frame takes the whole width. */
function fitOf(picture: Size, target: Size, box: Size): 'horizontal-cover' | 'vertical-cover' {
  const [form, wanted, room] = [picture, target, box].map(({ width, height }) => width / height) as [number, number, number]
  return form >= room || (form < wanted && wanted >= room) ? 'horizontal-cover' : 'vertical-cover'
}
