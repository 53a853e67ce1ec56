import { MOVES, STOP } from '../../../contract/devices/capabilities/cover.ts'
import { CommandRefused } from '../../lib/commands.ts'
import { number, numeric, payload, readOf, text, writeOf, type EntityConfig } from './config.ts'
import type { EntityAccess, Value } from './entity.ts'

/** States of a cover, as Home Assistant names them. */
export const COVER_WORDS = ['open', 'opening', 'closed', 'closing', 'stopped'] as const
export type CoverWord = (typeof COVER_WORDS)[number]

/** Device classes that can injure people. */
const HEAVY = /^(?:garage|gate|door)$/

/** Converts a position between the values for closed and open to percent open. */
export const toOpen = (raw: number, closed: number, open: number): number =>
  Math.min(100, Math.max(0, Math.round(((raw - closed) / (open - closed || 1)) * 100)))
export const fromOpen = (percent: Value, closed: number, open: number): number =>
  Math.round(closed + (Number(percent) / 100) * (open - closed))

/** The status field's number of a movement. */
export const moveOf = (name: 'open' | 'close'): number => MOVES.find(([, one]) => one === name)?.[0] ?? STOP

/** A cover of discovery. errors  Error for one without a command */
export function cover(config: EntityConfig): EntityAccess {
  const closed = number(config, 'position_closed', 0)
  const open = number(config, 'position_open', 100)
  const orders = new Map<Value, string>([
    [moveOf('open'), payload(config, 'payload_open', 'OPEN')],
    [moveOf('close'), payload(config, 'payload_close', 'CLOSE')],
    // null means that the cover has no stop command.
    ...(config['payload_stop'] === null ? [] : ([[STOP, payload(config, 'payload_stop', 'STOP')]] as const)),
  ])
  const order = writeOf(config, 'command_topic', 'command_template', (value) => orders.get(value) ?? '')
  const writePosition = writeOf(config, 'set_position_topic', 'set_position_template', (value) =>
    fromOpen(value, closed, open),
  )
  if (!order && !writePosition) throw new Error('nothing to move it by: no command_topic')
  const words = new Map<string, CoverWord>(
    COVER_WORDS.map((word) => [payload(config, `state_${word}`, word), word]),
  )
  return {
    role: { kind: 'cover', isHeavy: HEAVY.test(text(config, 'device_class') ?? '') },
    reads: [
      ...readOf(config, 'cover', 'state_topic', 'value_template', (raw) => words.get(raw)),
      ...readOf(config, 'position', 'position_topic', 'position_template', (got) => {
        const raw = numeric(got)
        return raw === null ? null : toOpen(raw, closed, open)
      }),
    ],
    writes: {
      ...(order && {
        move: (value: Value) => {
          if (!orders.has(value)) throw new CommandRefused('it cannot be stopped')
          return order(value)
        },
      }),
      ...(writePosition && { targetPosition: writePosition }),
    },
  }
}
