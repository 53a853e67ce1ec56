import type { ModalFuncProps } from 'antd'
import { createStore } from '../../lib/store.ts'
import { findOpeners, returnFocus } from '../dialog/focus.ts'

type Kind = 'confirm' | 'error'

/** Handle of an open dialog. */
export interface Dialog {
  /** Closes the dialog, whether it has been drawn yet or not; none of its callbacks runs. */
  destroy: () => void
}

interface Asked {
  kind: Kind
  props: ModalFuncProps
  openers: readonly Element[]
  drawn?: Dialog
}

type Draw = (kind: Kind, props: ModalFuncProps) => Dialog
let draw: Draw | undefined

/** Oldest first. */
export const dialogs = createStore<readonly Asked[]>([])

/**
 * Registers the function that draws dialogs; pending ones are drawn at once.
 *
 * returns  unregisters it: later dialogs are pending until the next registration
 */
export function drawDialogsWith(drawn: Draw): () => void {
  draw = drawn
  for (const asked of dialogs.get()) show(asked)
  return () => {
    if (draw === drawn) draw = undefined
  }
}

function show(asked: Asked): void {
  const { kind, props, openers } = asked
  asked.drawn ??= draw?.(kind, {
    // The button that changes nothing.
    autoFocusButton: kind === 'confirm' && props.okCancel !== false ? 'cancel' : 'ok',
    ...props,
    afterClose: () => {
      forget(asked)
      props.afterClose?.()
      // The library draws it until then.
      setTimeout(() => returnFocus(openers))
    },
  })
}

function forget(gone: Asked): void {
  dialogs.set(dialogs.get().filter((asked) => asked !== gone))
}

function open(kind: Kind, props: ModalFuncProps): Dialog {
  const asked: Asked = { kind, props, openers: findOpeners() }
  // A repeated press before the dialog is drawn opens it once.
  const isAgain = (one: Asked) => !one.drawn && one.kind === kind && one.props.title === props.title
  dialogs.set([...dialogs.get().filter((one) => !isAgain(one)), asked])
  show(asked)
  return { destroy: () => (asked.drawn ? asked.drawn.destroy() : forget(asked)) }
}

/** Opens a confirmation. One that cannot be drawn stays pending, and none of its callbacks runs. */
export const confirm = (props: ModalFuncProps): Dialog => open('confirm', props)

/** Shows an error over the page until it is closed. */
export const showError = (props: ModalFuncProps): Dialog => open('error', props)

export function closeDialogs(): void {
  const all = dialogs.get()
  dialogs.set([])
  for (const { drawn } of all) drawn?.destroy()
}
