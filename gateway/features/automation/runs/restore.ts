import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import { isRecord } from '../../../../contract/kernel/is-record.ts'
import { confirms } from '../../../../contract/devices/status-order.ts'
import type { LastSetBy } from './set-since.ts'

type Values = Readonly<Record<string, unknown>>

/** Fields that trigger an action and hold no state, so cannot be restored. */
const ACTS = ['SendIR', 'Calibration']

/** One field of a command, or one part of a compound field: a register, or a zone's setting. */
type Part = CommandValues

export function partsOf(values: Values): Part[] {
  return Object.entries(values).flatMap(([field, value]): Part[] => {
    if (Array.isArray(value))
      return (value as Record<string, unknown>[]).flatMap(({ NodeID, ...set }) =>
        Object.entries(set).map(([name, one]) => ({ [field]: [{ NodeID, [name]: one }] })),
      )
    if (isRecord(value) && !ACTS.includes(field))
      return Object.entries(value).map(([key, one]) => ({ [field]: { [key]: one } }))
    return [{ [field]: value }]
  })
}

export function joinParts(parts: readonly Part[]): CommandValues {
  const joined: CommandValues = {}
  for (const part of parts)
    for (const [field, value] of Object.entries(part)) {
      const known = joined[field]
      if (Array.isArray(value) && Array.isArray(known)) joined[field] = joinNodes([...known, ...value])
      else joined[field] = isRecord(value) && isRecord(known) ? { ...known, ...value } : value
    }
  return joined
}

function joinNodes(nodes: readonly { NodeID: number }[]): { NodeID: number }[] {
  const byId = new Map<number, { NodeID: number }>()
  for (const node of nodes) byId.set(node.NodeID, { ...byId.get(node.NodeID), ...node })
  return [...byId.values()]
}

/** Present values of the fields that a command sets; null if the device has reported none of them. */
export function beforeOf(values: Values, status: Values | null): CommandValues | null {
  const known = partsOf(values).flatMap((part) => {
    const present = shownPart(part, status)
    return present ? [present] : []
  })
  return known.length > 0 ? joinParts(known) : null
}

function shownPart(part: Part, status: Values | null): Part | undefined {
  const [field = '', value] = Object.entries(part)[0] ?? []
  const shown = status?.[field]
  if (shown === undefined || shown === null) return undefined
  if (Array.isArray(value)) {
    const { NodeID, ...set } = value[0] as { NodeID: number }
    const [name = ''] = Object.keys(set)
    const node = (shown as { NodeID: number }[]).find((one) => one.NodeID === NodeID) as Values | undefined
    return node?.[name] === undefined || node[name] === null
      ? undefined
      : { [field]: [{ NodeID, [name]: node[name] }] }
  }
  if (isRecord(value) && isRecord(shown) && !ACTS.includes(field)) {
    const [key = ''] = Object.keys(value)
    return typeof shown[key] === 'number' ? { [field]: { [key]: shown[key] } } : undefined
  }
  return { [field]: shown }
}

/**
 * Values that restore what a run set: for each value that the run set last and the device still shows, the value before; `off`
 * switches off what the run switched on instead. Values set by others since, and unknown ones, are left.
 *
 * setBy    last setter of one of the values
 * returns  left: number of values that were not restored though they could have been
 */
export function restoring(
  { values, before }: { values: Values; before?: Values | null | undefined },
  status: Values | null,
  mode: 'before' | 'off',
  setBy: (part: CommandValues) => LastSetBy = () => 'run',
): { values: CommandValues; left: number } {
  const back: Part[] = []
  let left = 0
  for (const part of partsOf(values)) {
    const field = Object.keys(part)[0] as string
    if (ACTS.includes(field)) continue
    const wanted = mode === 'off' ? switchedOff(part) : shownPart(part, before ?? null)
    if (mode === 'off' && !wanted) continue
    if (wanted && confirms(part, wanted)) continue
    const by = setBy(part)
    if (by === 'nobody') continue
    if (by === 'run' && wanted && status && confirms(status, part)) back.push(wanted)
    else left += 1
  }
  return { values: joinParts(back), left }
}

/** Same field at 0 if it is an on/off field that was set to 1. */
function switchedOff(part: Part): Part | undefined {
  const [field = '', value] = Object.entries(part)[0] ?? []
  if (field.startsWith('Switch')) return value === 1 ? { [field]: 0 } : undefined
  if (!Array.isArray(value)) return undefined
  const node = value[0] as { NodeID: number; Switch?: number }
  return node.Switch === 1 ? { [field]: [{ NodeID: node.NodeID, Switch: 0 }] } : undefined
}
