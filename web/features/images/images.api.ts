/** Uploads images. The only request that is not JSON and reports progress. */
import type { Image, Purpose } from '#contract/servers/images.ts'
import { m } from '#messages'
import { ConnectionError, HttpError, isStatus } from '#web/lib/http/call.ts'
import { pageLanguage } from '#web/lib/language.ts'

const URL_PATH = '/api/users/images'

interface Upload {
  purpose: Purpose
  file: Blob
  /** From 0 to 1. */
  onProgress: (fraction: number) => void
  signal: AbortSignal
}

/**
 * Uses XMLHttpRequest, because `fetch` reports no upload progress.
 * @throws HttpError if rejected, ConnectionError without a response, AbortError if aborted.
 */
export function uploadImage({ purpose, file, onProgress, signal }: Upload): Promise<Image> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', URL_PATH)
    request.setRequestHeader('accept-language', pageLanguage)
    request.responseType = 'json'
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total))
    request.addEventListener('load', () => {
      // Null if the body is not JSON.
      const body: unknown = request.response
      const image = request.status < 300 ? (body as { data?: Image } | null)?.data : undefined
      if (image) resolve(image)
      else reject(rejectionOf(request, body))
    })
    request.addEventListener('error', () => reject(new ConnectionError(undefined, true)))
    request.addEventListener('abort', () => reject(signal.reason as Error))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    const form = new FormData()
    // The purpose comes first: the backend needs it before it reads the file.
    form.append('purpose', purpose)
    form.append('file', file, `image.${file.type.split('/')[1] ?? 'bin'}`)
    request.send(form)
  })
}

function rejectionOf(request: XMLHttpRequest, body: unknown): HttpError {
  const { status } = request
  // A reverse proxy's own response has no `errors`.
  const isFromBackend = Array.isArray((body as { errors?: unknown } | null)?.errors)
  const statusText = isFromBackend ? request.statusText : status === 413 ? m.images_too_large() : m.images_upload_failed()
  return new HttpError({ method: 'POST', status, statusText, url: URL_PATH, requestId: request.getResponseHeader('x-request-id'), body })
}

/** Whether the same file would be rejected again. */
export function isPermanentError(error: unknown): boolean {
  return isStatus(error, 400) || isStatus(error, 413)
}
