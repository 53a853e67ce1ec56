import type { CommandValues } from '../../../../contract/device-kinds/capability.ts'
import { readPath } from '../../../../contract/device-kinds/history-fields.ts'
import { type Verdict, verdictOf } from '../../../../contract/rules/automation/truth.ts'
import type { GatewayEvents } from '../../../events.ts'
import type { Db } from '../../../store/db.ts'
import { isWorthTelling } from './alarm-readings.ts'
import { compile, type Compiled, keyOf, type RuleRow, isFollowed } from './compile.ts'
import type { Told } from './memory.ts'
import { homeKeyOf } from './places.ts'
import { readRules, readWatching, type RuleKey } from './rule-rows.ts'

/** The rules of all companies as this gateway knows them. What it knows may be old: it decides nothing by it, only what to decide. */
export interface Known {
  rules: Map<string, Compiled>
  /** By `tenant/uid`. */
  byDevice: Map<string, Set<Compiled>>
  /** By `tenant/homeId`: the conditions on a figure or a silence, by the UID of their device. */
  measured: Map<string, Map<string, Measured[]>>
  /** Of each rule, as the state said when this gateway saw it last. */
  verdicts: Map<string, readonly Verdict[]>
  /** Of each rule whose alarm is open: what was told of it last. */
  told: Map<string, Told>
}

/** One condition on a figure or a silence, ready to be compared with a status. */
interface Measured {
  rule: Compiled
  /** Which of the rule's conditions it is. */
  index: number
  condition: Compiled['watched'][number]['condition']
  /** Undefined for a silence. */
  read: ReadValue | undefined
}

type ReadValue = (values: CommandValues) => number | undefined

export const createKnown = (): Known => ({
  rules: new Map(),
  byDevice: new Map(),
  measured: new Map(),
  verdicts: new Map(),
  told: new Map(),
})

/** Reads all rules again; answers those that have not been decided since they were made or changed. */
export async function readAll(known: Known, db: Db): Promise<RuleKey[]> {
  const rows = await readWatching(db)
  const keys = new Set(rows.map(keyOf))
  for (const rule of known.rules.values()) if (!keys.has(rule.key)) forget(known, rule.key)
  for (const row of rows) keep(known, row)
  return rows.filter(({ isUnarmed }) => isUnarmed)
}

/** Reads some rules again; answers those that are watching. */
export async function readSome(known: Known, db: Db, keys: readonly RuleKey[]): Promise<RuleKey[]> {
  const rows = (await readRules(db, keys)).filter((row) => isFollowed(row) && row.rule.Conditions)
  const found = new Set(rows.map(keyOf))
  for (const key of keys.map(keyOf)) if (!found.has(key)) forget(known, key)
  for (const row of rows) keep(known, row)
  return rows
}

function keep(known: Known, row: RuleRow): void {
  forget(known, keyOf(row))
  const rule = compile(row)
  known.rules.set(rule.key, rule)
  for (const uid of rule.devices) addTo(known.byDevice, deviceKeyOf(rule.tenant, uid), rule)
  for (const [index, { condition, source }] of rule.watched.entries()) {
    if (source !== 'figure' && source !== 'silence') continue
    const read = source === 'figure' ? readerOf(condition.Field) : undefined
    const home = known.measured.get(homeKeyOf(rule)) ?? new Map<string, Measured[]>()
    known.measured.set(homeKeyOf(rule), home)
    const { PeripheralUID: uid } = condition
    const others = home.get(uid)
    if (others) others.push({ rule, index, condition, read })
    else home.set(uid, [{ rule, index, condition, read }])
  }
}

/** Knows a rule no more. */
export function forget(known: Known, key: string): void {
  const rule = known.rules.get(key)
  known.verdicts.delete(key)
  known.told.delete(key)
  if (!rule) return
  known.rules.delete(key)
  for (const uid of rule.devices) removeFrom(known.byDevice, deviceKeyOf(rule.tenant, uid), rule)
  const home = known.measured.get(homeKeyOf(rule))
  if (!home) return
  for (const uid of rule.devices) {
    const others = home.get(uid)?.filter((one) => one.rule !== rule) ?? []
    if (others.length > 0) home.set(uid, others)
    else home.delete(uid)
  }
  if (home.size === 0) known.measured.delete(homeKeyOf(rule))
}

const deviceKeyOf = (tenant: string, uid: string): string => `${tenant}/${uid}`

function addTo(sets: Map<string, Set<Compiled>>, key: string, rule: Compiled): void {
  const set = sets.get(key)
  if (set) set.add(rule)
  else sets.set(key, new Set([rule]))
}

function removeFrom(sets: Map<string, Set<Compiled>>, key: string, rule: Compiled): void {
  const set = sets.get(key)
  if (set?.delete(rule) && set.size === 0) sets.delete(key)
}

/** The rules of a device, by any of its fields. */
export const rulesOf = (known: Known, tenant: string, uid: string): Iterable<Compiled> =>
  known.byDevice.get(deviceKeyOf(tenant, uid)) ?? []

/**
 * The rules that stored statuses give reason to decide: a state that a rule may use has changed, or a figure turns one of its
 * conditions, or is to be noted of an open alarm. Statuses are read only where a figure of a device that reported is watched.
 *
 * now  epoch ms
 */
export function candidatesOf(
  known: Known,
  changed: GatewayEvents['statusChanged'],
  now: number,
): Set<Compiled> {
  const found = new Set<Compiled>()
  if (known.rules.size === 0) return found
  for (const uid of changed.moved) for (const rule of rulesOf(known, changed.tenant, uid)) found.add(rule)
  const home = known.measured.get(homeKeyOf(changed))
  if (!home || !changed.uids.some((uid) => home.has(uid))) return found
  for (const status of changed.statuses)
    for (const measured of home.get(status.PeripheralUID) ?? []) {
      const { rule } = measured
      if (!found.has(rule) && (turns(known, measured, status) || isToTell(known, rule, status, now)))
        found.add(rule)
    }
  return found
}

/** Whether a status makes a condition another than it was. */
function turns(
  { verdicts }: Known,
  { rule, index, condition, read }: Measured,
  status: CommandValues,
): boolean {
  const before = verdicts.get(rule.key)
  if (!before) return true
  const was = before[index]
  // Whoever has just reported is not silent.
  return read ? verdictOf(condition, read(status), was) !== was : was !== false
}

/** Whether a status is to be noted of a rule's open alarm. */
function isToTell(
  known: Known,
  rule: Compiled,
  status: CommandValues & { PeripheralUID: string },
  now: number,
): boolean {
  const told = known.told.get(rule.key)
  if (!told) return false
  const values = rule.watched.map(({ condition, source }, i) =>
    source === 'figure' && condition.PeripheralUID === status.PeripheralUID
      ? (valueAt(status, condition.Field) ?? null)
      : (told.values[i] ?? null),
  )
  return isWorthTelling(rule, told, values, now)
}

/** How to read a number of a status by its path, as rules and the history name it; undefined where it has none. */
function readerOf(path: string): ReadValue {
  const { field, zone, modbusKey } = readPath(path)
  const numeric = (value: unknown) => (typeof value === 'number' ? value : undefined)
  if (zone !== undefined)
    return ({ ThermostatTable: zones }) =>
      numeric(
        (zones as ({ NodeID: number } & CommandValues)[] | undefined)?.find(
          ({ NodeID }) => NodeID === zone,
        )?.[field],
      )
  if (modbusKey !== undefined)
    return (values) => numeric((values[field] as CommandValues | undefined)?.[modbusKey])
  return (values) => numeric(values[field])
}

/** A number of a status by its path; undefined where it has none. */
export const valueAt = (values: CommandValues, path: string): number | undefined => readerOf(path)(values)
