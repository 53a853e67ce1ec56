import { useCallback, useEffect, useRef, useState } from 'react'
import type { LogoChoice } from './logo-file.ts'

/** A chosen picture with an object URL to show it. */
export interface ChosenPicture extends LogoChoice {
  url: string
}

/** The chosen logo picture. Its object URL is revoked when the choice changes. */
export function useLogoChoice() {
  const [picture, setPicture] = useState<ChosenPicture>()
  const url = useRef<string>(undefined)
  const choose = useCallback((choice: LogoChoice | undefined) => {
    if (url.current) URL.revokeObjectURL(url.current)
    url.current = choice && URL.createObjectURL(choice.file)
    setPicture(choice && { ...choice, url: url.current ?? '' })
  }, [])
  useEffect(
    () => () => {
      if (url.current) URL.revokeObjectURL(url.current)
    },
    [],
  )
  return { picture, choose }
}
