import { Drawer as AntDrawer, Modal as AntModal, type DrawerProps, type ModalProps } from 'antd'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import { InRowMenu } from './icon-button.tsx'
import { usePhone, useVeryWide } from './use-screen.ts'
import { findOpeners, focusFirstField, rememberOpeners, returnFocus } from './focus.ts'

interface FocusProps {
  /** Initial focus: the first field, or the dialog itself if a field would act at once or cover the content. */
  focusAtFirst?: 'field' | 'dialog'
}

/** Moves the focus into an open dialog, and back to its opener after it closes. Returns the ref of the dialog's panel. */
function useDialogFocus(open: boolean, { focusAtFirst = 'field' }: FocusProps) {
  const [panel, setPanel] = useState<HTMLElement | null>(null)
  const [wasOpen, setWasOpen] = useState(false)
  const contentRef = useRef<HTMLElement>(null)
  const isOpen = useRef(false)
  const [openers, setOpeners] = useState<readonly Element[]>([])
  // During render: afterwards a field of the dialog has the focus.
  if (open !== wasOpen) {
    setWasOpen(open)
    if (open) setOpeners(findOpeners())
  }
  useEffect(() => {
    if (!open || !panel) return
    contentRef.current = panel
    rememberOpeners(panel, openers)
    return focusAtFirst === 'field' ? focusFirstField(panel) : undefined
  }, [open, panel, openers, focusAtFirst])
  useLayoutEffect(() => {
    isOpen.current = open
    if (!open) return
    return () => {
      isOpen.current = false
      // After the content of the dialog has been removed from the page.
      queueMicrotask(() => isOpen.current || returnFocus(openers, contentRef.current))
    }
  }, [open, openers])
  return setPanel
}

export function Modal({ focusAtFirst, ...props }: ModalProps & FocusProps) {
  const panelRef = useDialogFocus(props.open ?? false, { focusAtFirst })
  return (
    <InRowMenu value={undefined}>
      <AntModal {...props} panelRef={panelRef} />
    </InRowMenu>
  )
}

/** Width of a drawer, px. */
const DRAWER_WIDTH = { usual: 480, veryWide: 640 }

type OwnDrawerProps = Omit<DrawerProps, 'placement' | 'width' | 'height' | 'closable'> &
  FocusProps & {
    /** For phones only: as high as its content. */
    isSheet?: boolean
  }

/** Drawer at the right side of the page; on phones at the bottom. */
export function Drawer({ focusAtFirst, isSheet = false, ...props }: OwnDrawerProps) {
  const t = useT()
  const isPhone = usePhone()
  const isVeryWide = useVeryWide()
  const panelRef = useDialogFocus(props.open ?? false, { focusAtFirst })
  return (
    <InRowMenu value={undefined}>
      <AntDrawer
        {...props}
        {...(isSheet || isPhone
          ? { placement: 'bottom', height: isSheet ? 'auto' : '88dvh' }
          : { placement: 'right', width: isVeryWide ? DRAWER_WIDTH.veryWide : DRAWER_WIDTH.usual })}
        closable={{ 'aria-label': t('screens:close') }}
        panelRef={panelRef}
      />
    </InRowMenu>
  )
}
