/** Scales and crops an image in the browser. */
import { m } from '#messages'

export interface Size {
  readonly width: number
  readonly height: number
}

/** A part of an image, in its own pixels, in display orientation. */
export interface Area extends Size {
  readonly x: number
  readonly y: number
}

/** 100 megapixels are 400 MB in memory. */
const MAX_PIXELS = 100_000_000
/** For JPEG and WebP. High, because the backend encodes again. */
const QUALITY = 0.95

/** @throws Error with a message for users if the file's type is not an image type. */
export function assertImage(file: Blob): void {
  if (!file.type.startsWith('image/')) throw new Error(m.lib_image_not_image())
}

/**
 * Scales the area, by default the largest centered one, to the size in pixels. Keeps the type if the browser can encode it, else uses PNG.
 * Returns an image that already has the size unchanged. @throws Error with a message for users.
 */
export async function cropImage(file: Blob, target: Size, area?: Area): Promise<Blob> {
  assertImage(file)
  const url = URL.createObjectURL(file)
  try {
    const image = await loadImage(url)
    const size = { width: image.naturalWidth, height: image.naturalHeight }
    const crop = area ?? centeredArea(size, target)
    if (isSameSize(size, target) && isSameSize(crop, size)) return file
    return await encode(draw(image, crop, target), file.type)
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** Loads an image in its EXIF orientation. @throws Error with a message for users. */
export async function loadImage(url: string): Promise<HTMLImageElement> {
  const image = new Image()
  image.src = url
  await new Promise<void>((resolve, reject) => {
    image.addEventListener('load', () => resolve())
    image.addEventListener('error', () => reject(new Error(m.lib_image_unreadable())))
  })
  const pixels = image.naturalWidth * image.naturalHeight
  if (pixels === 0) throw new Error(m.lib_image_no_size())
  if (pixels > MAX_PIXELS) {
    throw new Error(m.lib_image_too_large({ width: image.naturalWidth, height: image.naturalHeight, megapixels: MAX_PIXELS / 1_000_000 }))
  }
  return image
}

/** The largest centered area with the target's aspect ratio. */
function centeredArea(size: Size, target: Size): Area {
  const scale = Math.max(target.width / size.width, target.height / size.height)
  const width = target.width / scale
  const height = target.height / scale
  return { x: (size.width - width) / 2, y: (size.height - height) / 2, width, height }
}

/** Tolerates half a pixel, because areas are results of divisions. */
function isSameSize(a: Size, b: Size): boolean {
  return Math.abs(a.width - b.width) < 0.5 && Math.abs(a.height - b.height) < 0.5
}

function draw(image: CanvasImageSource, crop: Area, target: Size): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = target.width
  canvas.height = target.height
  const context = canvas.getContext('2d')
  if (!context) throw new Error(m.lib_image_context())
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, crop.x, crop.y, crop.width, crop.height, 0, 0, target.width, target.height)
  return canvas
}

async function encode(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, QUALITY))
  if (!blob) throw new Error(m.lib_image_blob())
  return blob
}
