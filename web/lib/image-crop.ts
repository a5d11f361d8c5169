/** Brings a picture to the requested size in the browser (product.md section 5). */

export interface Size {
  readonly width: number
  readonly height: number
}

/** A part of a picture, in its own pixels, turned the way it is shown. */
export interface Area extends Size {
  readonly x: number
  readonly y: number
}

/** 100 megapixels are 400 MB in memory. */
const MAX_PIXELS = 100_000_000
/** For JPEG and WebP; the backend encodes once more, so little may be lost here. */
const QUALITY = 0.95

/** @throws Error with a sentence for people, where the file does not say that it is an image. */
export function expectImage(file: Blob): void {
  if (!file.type.startsWith('image/')) throw new Error('Invalid file type. Expected an image.')
}

/**
 * Scales the area, else the largest fitting middle, to the size in pixels. Keeps the type where the browser can write it, else it is a PNG.
 * A picture that has the size already is passed on untouched. @throws Error with a sentence for people.
 */
export async function cropImage(file: Blob, to: Size, area?: Area): Promise<Blob> {
  expectImage(file)
  const url = URL.createObjectURL(file)
  try {
    const shown = await loadImage(url)
    const size = { width: shown.naturalWidth, height: shown.naturalHeight }
    const part = area ?? centerOf(size, to)
    if (isSameSize(size, to) && isSameSize(part, size)) return file
    // Some kinds, drawings for example, can be read by an image element only.
    const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => shown)
    try {
      return await encode(draw(picture, part, to), file.type)
    } finally {
      if ('close' in picture) picture.close()
    }
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** A loaded picture, turned as its EXIF says. @throws Error with a sentence for people. */
export async function loadImage(url: string): Promise<HTMLImageElement> {
  const picture = new Image()
  picture.src = url
  await new Promise<void>((resolve, reject) => {
    picture.addEventListener('load', () => resolve())
    picture.addEventListener('error', () =>
      reject(new Error('This picture can’t be opened. It may be damaged, or of a kind that this browser does not know.')),
    )
  })
  const pixels = picture.naturalWidth * picture.naturalHeight
  if (pixels === 0) throw new Error('This picture has no size of its own. Save it as PNG, JPEG or WebP first.')
  if (pixels > MAX_PIXELS) {
    throw new Error(
      `This picture is too large to be opened here: ${picture.naturalWidth} × ${picture.naturalHeight}. At most ${MAX_PIXELS / 1_000_000} megapixels are.`,
    )
  }
  return picture
}

/** The largest part around the middle with the proportions of the target. */
export function centerOf(size: Size, to: Size): Area {
  const scale = Math.max(to.width / size.width, to.height / size.height)
  const width = to.width / scale
  const height = to.height / scale
  return { x: (size.width - width) / 2, y: (size.height - height) / 2, width, height }
}

/** Areas come out of divisions: half a pixel is no difference. */
function isSameSize(one: Size, other: Size): boolean {
  return Math.abs(one.width - other.width) < 0.5 && Math.abs(one.height - other.height) < 0.5
}

function draw(picture: CanvasImageSource, part: Area, to: Size): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = to.width
  canvas.height = to.height
  const context = canvas.getContext('2d')
  if (!context) throw new Error('Failed to create 2D context')
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, part.x, part.y, part.width, part.height, 0, 0, to.width, to.height)
  return canvas
}

async function encode(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, QUALITY))
  if (!blob) throw new Error('Failed to create blob')
  return blob
}
