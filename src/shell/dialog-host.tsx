import { Modal } from 'antd'
import { useLayoutEffect } from 'react'
import { drawDialogsWith } from '../ui/page/dialogs.ts'

/** Draws what is asked over the page. */
export default function DialogHost() {
  const [modal, holder] = Modal.useModal()
  // At once, so that a second press meets the question.
  useLayoutEffect(() => drawDialogsWith((kind, props) => modal[kind](props)), [modal])
  return holder
}
