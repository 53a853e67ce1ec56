import { useEffect, type ReactNode } from 'react'
import DialogHost from '../../src/shell/dialog-host.tsx'
import { closeDialogs } from '../../src/ui/page/dialogs.ts'

/** What is drawn as in the shell, which shows what it asks over the page; nothing asked is left to the next test. */
export function Asking({ children }: { children: ReactNode }) {
  useEffect(() => closeDialogs, [])
  return (
    <>
      {children}
      <DialogHost />
    </>
  )
}
