import { isRecord } from '../../../contract/kernel/is-record.ts'
import { isUnknown } from './template.ts'
import { text, textOf, texts, topic, type EntityConfig } from './config.ts'
import { NoCounterpart, type EntityAccess, type Incoming } from './entity.ts'

const SINGLE = 1
const DOUBLE = 2
const LONG = 3

/** Words for button actions without a counterpart: three or more presses, release, turning. */
const NO_PRESS = /release|triple|quadruple|quintuple|many|rotate|tilt|shake|slide|turn|_stop$|^stop$/i
const IS_LONG = /long|hold|held/i
const IS_DOUBLE = /double/i
const IS_SINGLE = /single|short|press|click|push|ring|pressed|^(?:on|off|toggle|up|down|open|close)$/i
/** Words of a press within an action; the rest names the button. */
const PRESS_WORDS =
  /(?:^|_)(?:button_)?(?:single|double|long|short|hold|held|press(?:ed)?|click|push)(?:_(?:press(?:ed)?|click))?(?=_|$)/gi

/** Kind of press in the status field's numbering; undefined if the word is not a press. */
export const pressOf = (word: string): number | undefined =>
  NO_PRESS.test(word)
    ? undefined
    : IS_LONG.test(word)
      ? LONG
      : IS_DOUBLE.test(word)
        ? DOUBLE
        : IS_SINGLE.test(word)
          ? SINGLE
          : undefined

/** The button that a word names: "1" of `1_double`, '' of `single`. */
export const buttonOf = (word: string): string => word.replace(PRESS_WORDS, '').replace(/^_|_$/g, '')

/** An event of discovery: JSON with the type of the event, one of `event_types`. errors  Error if none of them is a press */
export function eventButton(config: EntityConfig): EntityAccess {
  const types = texts(config, 'event_types', [])
  if (!types.some((type) => pressOf(type) !== undefined))
    throw new NoCounterpart('noType', 'no type for an event')
  const from = topic(config, 'state_topic')
  if (from === undefined) throw new Error('an event without state_topic')
  const textIn = textOf(config, 'value_template')
  const read = (message: Incoming) => {
    const raw = textIn(message)
    return isUnknown(raw) ? undefined : pressOf(typeIn(raw))
  }
  return {
    role: { kind: 'button', part: '', source: 'event' },
    reads: [{ topic: from, aspect: 'press', read }],
    writes: {},
  }
}

function typeIn(raw: string): string {
  try {
    const body: unknown = JSON.parse(raw)
    const type = isRecord(body) ? body['event_type'] : undefined
    return typeof type === 'string' ? type : ''
  } catch {
    return ''
  }
}

/** A trigger of discovery: one payload is one kind of press of one button. errors  Error for one that is not a press */
export function triggerButton(config: EntityConfig): EntityAccess {
  const type = text(config, 'type') ?? ''
  const subtype = text(config, 'subtype') ?? ''
  const expectedPayload = text(config, 'payload')
  const from = topic(config, 'topic')
  // Zigbee2MQTT uses type "action" and puts the press in the subtype; others use the press as type and the button as subtype.
  const press = pressOf(type) ?? pressOf(subtype)
  if (press === undefined) throw new NoCounterpart('noType', 'no type for a trigger')
  if (from === undefined) throw new Error('a trigger without topic')
  const textIn = textOf(config, 'value_template')
  const part = pressOf(type) === undefined ? buttonOf(subtype) : subtype
  return {
    role: { kind: 'button', part, source: 'trigger' },
    reads: [
      {
        topic: from,
        aspect: 'press',
        read: (message) =>
          expectedPayload === undefined || textIn(message) === expectedPayload ? press : undefined,
      },
    ],
    writes: {},
  }
}
