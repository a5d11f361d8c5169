/** Reads server-sent events from a response. */

export interface StreamEvent {
  readonly data: string
  /** Milliseconds before a reader reconnects, if the list said so. */
  readonly retry: number | undefined
}

/** Yields each event, and an empty one for each comment: the list sends one every 15 seconds. */
export async function* readEvents(response: Response): AsyncGenerator<StreamEvent> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (let chunk = await reader?.read(); chunk?.value !== undefined; chunk = await reader?.read()) {
    text += decoder.decode(chunk.value, { stream: true })
    const blocks = text.split(/\r?\n\r?\n/)
    text = blocks.pop() ?? ''
    for (const block of blocks) yield eventOf(block)
  }
}

function eventOf(block: string): StreamEvent {
  let data = ''
  let retry: number | undefined
  for (const line of block.split(/\r?\n/)) {
    const [, field, value = ''] = /^(\w*): ?(.*)$/.exec(line) ?? []
    if (field === 'data') data += value
    if (field === 'retry' && Number(value) >= 0) retry = Number(value)
  }
  return { data, retry }
}
