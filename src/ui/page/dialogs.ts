import type { ModalFuncProps } from 'antd'
import { createStore } from '../../lib/store.ts'
import { findOpeners, returnFocus } from '../dialog/focus.ts'

type Kind = 'confirm' | 'error'

/** What was asked. */
export interface Dialog {
  /** Takes it back, whether it has been drawn yet or not; none of its answers runs. */
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

/** What is asked over the page until it is closed, oldest first. */
export const dialogs = createStore<readonly Asked[]>([])

/**
 * The shell hands in how what is asked is drawn over the page; what was asked before is drawn at once.
 *
 * returns  ends it: what is asked waits then for who draws it next
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
    // The answer that changes nothing.
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
  // Who presses again before the question is there is asked once.
  const isAgain = (one: Asked) => !one.drawn && one.kind === kind && one.props.title === props.title
  dialogs.set([...dialogs.get().filter((one) => !isAgain(one)), asked])
  show(asked)
  return { destroy: () => (asked.drawn ? asked.drawn.destroy() : forget(asked)) }
}

/** Asks over the page. A question that cannot be drawn waits, and none of its answers runs. */
export const confirm = (props: ModalFuncProps): Dialog => open('confirm', props)

/** Says over the page what went wrong, until it is closed. */
export const showError = (props: ModalFuncProps): Dialog => open('error', props)

/** Takes back whatever is asked. */
export function closeDialogs(): void {
  const all = dialogs.get()
  dialogs.set([])
  for (const { drawn } of all) drawn?.destroy()
}
