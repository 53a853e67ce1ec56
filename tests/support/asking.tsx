import { useEffect, type ReactNode } from 'react'
import DialogHost from '../../src/shell/dialog-host.tsx'
import { closeDialogs } from '../../src/ui/page/dialogs.ts'

/** Renders children as the shell does, with confirmation dialogs over the page; dialogs do not survive the test. */
export function Asking({ children }: { children: ReactNode }) {
  useEffect(() => closeDialogs, [])
  return (
    <>
      {children}
      <DialogHost />
    </>
  )
}
