import type { Ref } from 'react'
import { IMAGE_TYPES } from '#contract/servers/images.ts'

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
