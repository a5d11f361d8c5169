import { type ClipboardEvent, type DragEvent, useEffect, useState } from 'react'

/** Files that are dropped on the field or pasted in it. One that misses it does not take the place of the page. */
export function useDropZone(take: (file: File | undefined) => void) {
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
