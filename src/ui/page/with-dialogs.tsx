import type { ComponentType } from 'react'

/** A screen as it is: what asks over the page is drawn by the shell. */
export function withDialogs(Screen: ComponentType): ComponentType {
  return Screen
}
