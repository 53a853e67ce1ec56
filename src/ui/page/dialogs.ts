import type { ModalFuncProps } from 'antd'
import { createStore } from '../../lib/store.ts'
import { findOpeners, returnFocus } from './focus.ts'

type Kind = 'confirm' | 'error'

/** Handle of an open dialog. */
export interface Dialog {
  /** Closes the dialog, whether it has been drawn yet or not; none of its callbacks runs. */
  destroy: () => void
}

interface DialogRequest {
  kind: Kind
  props: ModalFuncProps
  openers: readonly Element[]
  element?: Dialog
}

type Draw = (kind: Kind, props: ModalFuncProps) => Dialog
let draw: Draw | undefined

/** Oldest first. */
export const dialogs = createStore<readonly DialogRequest[]>([])

/**
 * Registers the function that draws dialogs; pending ones are drawn at once.
 *
 * returns  unregisters it: later dialogs are pending until the next registration
 */
export function drawDialogsWith(drawDialog: Draw): () => void {
  draw = drawDialog
  for (const dialog of dialogs.get()) drawInto(dialog)
  return () => {
    if (draw === drawDialog) draw = undefined
  }
}

function drawInto(dialog: DialogRequest): void {
  const { kind, props, openers } = dialog
  dialog.element ??= draw?.(kind, {
    // The button that changes nothing.
    autoFocusButton: kind === 'confirm' && props.okCancel !== false ? 'cancel' : 'ok',
    ...props,
    afterClose: () => {
      removeDialog(dialog)
      props.afterClose?.()
      // The library draws it until then.
      setTimeout(() => returnFocus(openers))
    },
  })
}

function removeDialog(dialog: DialogRequest): void {
  dialogs.set(dialogs.get().filter((other) => other !== dialog))
}

function open(kind: Kind, props: ModalFuncProps): Dialog {
  const dialog: DialogRequest = { kind, props, openers: findOpeners() }
  // A repeated press before the dialog is drawn opens it once.
  const isAgain = (other: DialogRequest) =>
    !other.element && other.kind === kind && other.props.title === props.title
  dialogs.set([...dialogs.get().filter((other) => !isAgain(other)), dialog])
  drawInto(dialog)
  return { destroy: () => (dialog.element ? dialog.element.destroy() : removeDialog(dialog)) }
}

/** Opens a confirmation. One that cannot be drawn stays pending, and none of its callbacks runs. */
export const confirm = (props: ModalFuncProps): Dialog => open('confirm', props)

/** Shows an error over the page until it is closed. */
export const showError = (props: ModalFuncProps): Dialog => open('error', props)

export function closeDialogs(): void {
  const all = dialogs.get()
  dialogs.set([])
  for (const { element } of all) element?.destroy()
}
