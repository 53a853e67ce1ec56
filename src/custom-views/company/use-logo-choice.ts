import { useCallback, useEffect, useRef, useState } from 'react'
import type { LogoChoice } from './logo-file.ts'

/** A chosen picture with an address to show it by. */
export interface ChosenPicture extends LogoChoice {
  url: string
}

/** The picture that may become the logo. Its address is given back when another or none is chosen. */
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
