import { Modal } from 'antd'
import { useLayoutEffect } from 'react'
import { drawDialogsWith } from '../ui/page/dialogs.ts'

/** Renders the confirmations and errors of `dialogs.ts`. */
export default function DialogHost() {
  const [modal, contextHolder] = Modal.useModal()
  // Layout effect, so that a second press reaches the open dialog.
  useLayoutEffect(() => drawDialogsWith((kind, props) => modal[kind](props)), [modal])
  return contextHolder
}
