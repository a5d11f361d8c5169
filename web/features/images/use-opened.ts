import { useEffect, useState } from 'react'
import { messageOf } from '#web/lib/http-error.ts'
import { expectImage, loadPicture, type Size } from '#web/lib/image-crop.ts'
import { expectTaken } from './file-kind.ts'

interface Opened {
  picture?: { url: string; picture: Size }
  /** Why it can't be cut, in words. */
  problem?: string
}

/** The file as something to look at, for as long as the dialog is there. Neither picture nor problem while it is still being opened. */
export function useOpened(file: File): Opened {
  const [opened, setOpened] = useState<Opened & { file?: File }>({})
  useEffect(() => {
    let isThere = true
    const url = URL.createObjectURL(file)
    const open = async () => {
      try {
        expectImage(file)
        await expectTaken(file)
        const { naturalWidth: width, naturalHeight: height } = await loadPicture(url)
        if (isThere) setOpened({ file, picture: { url, picture: { width, height } } })
      } catch (error) {
        if (isThere) setOpened({ file, problem: messageOf(error) })
      }
    }
    void open()
    return () => {
      isThere = false
      URL.revokeObjectURL(url)
    }
  }, [file])
  return opened.file === file ? opened : {}
}
