import type { KeyboardEvent } from 'react'

/** `keyCode` of keys that an input method handles; Safari ends the composition before it reports the Enter that ended it. */
const HANDLED_BY_INPUT_METHOD = 229

/** Whether a key belongs to an input method that composes text, such as Zhuyin. */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === HANDLED_BY_INPUT_METHOD

/** Key handler that acts on Enter, except on the Enter that ends a composition. For `onPressEnter` and `onKeyDown`. */
export const onEnter =
  (act: () => unknown) =>
  (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !isComposing(event)) act()
  }
