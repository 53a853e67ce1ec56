import type { UnmappedReason } from '../../contract/devices/channels/unmapped.ts'
import type { CommandValues } from '../../contract/devices/capabilities/capability.ts'
import { parseStatusFields } from '../../contract/devices/kinds/status.ts'
import { parseExactJson } from '../../contract/kernel/parse-json.ts'
import type { Clock } from '../../device-link/clock.ts'
import { CommandRefused } from '../lib/commands.ts'
import { createCatalog } from './catalog.ts'
import type { Entity, Incoming, NotShown, Publication } from './entity.ts'
import { createLiveEntity, type LiveEntity } from './live-entity.ts'
import { notShown, type ReadEntity, type Peripheral } from './peripheral.ts'
import type { Problems } from './problems.ts'
import { createReaders, type Reader, type Readers } from './readers.ts'
import type { Source } from './source.ts'

/** A message larger than this is not read; the list of a large Zigbee network has some hundred kilobytes. */
const MAX_MESSAGE = 8 * 1024 * 1024

export interface DevicesOptions {
  sources: readonly Source[]
  clock: Clock
  problems: Problems
  /** What a device has said changes the status of a peripheral. */
  onChanged(PeripheralUID: string): void
  /** Entities have come or gone: peripherals are made of them when `settle` is called. */
  onUnsettled(): void
  /** Topics that are to be heard, or no longer. */
  listen(topics: readonly string[]): void
  unlisten(topics: readonly string[]): void
  /** Questions to be put to devices, slowly, and to none that has answered by itself meanwhile. */
  ask(publications: readonly Publication[], answered?: () => boolean): void
}

export type Devices = ReturnType<typeof createDevices>

interface DevicesState {
  options: DevicesOptions
  catalog: ReturnType<typeof createCatalog>
  live: Map<Entity, LiveEntity>
  readers: Readers
  /** Status fields as they were worked out last, until something of the device changes. */
  worked: Map<string, Record<string, unknown>>
  /** What an entity last said of an aspect. */
  look: ReadEntity
}

/** What is known of the devices on a broker, from their messages alone. */
export function createDevices(options: DevicesOptions) {
  const catalog = createCatalog(options.problems)
  const live = new Map<Entity, LiveEntity>()
  const look: ReadEntity = (entity, aspect) => live.get(entity)?.value(aspect)
  const state: DevicesState = { options, catalog, live, readers: createReaders(), worked: new Map(), look }
  return {
    /** Takes a message of the device broker; `retained` where it was there before we asked for its topic. */
    receive: (topic: string, payload: Buffer, retained = false) => receive(state, topic, payload, retained),
    /** The broker is about to say again what it retains. */
    begin: () => state.readers.dropAll(),
    /** Makes peripherals of what has been announced; tells whether the list of them has changed. */
    settle(): boolean {
      state.worked.clear()
      return catalog.settle()
    },
    peripherals: catalog.peripherals,
    /** Report of what is not shown now. */
    unmapped: () => options.problems.report((topic) => state.readers.has(topic)),
    figures: catalog.figures,
    /** The status fields of a peripheral as its type allows them; undefined while nothing is known. */
    status: (uid: string) => statusOf(state, uid),
    /** When a peripheral said anything last, epoch ms; undefined while it has not. */
    heardAt: (uid: string) => heardAt(state, uid),
    /** What to publish for a command. errors  CommandRefused */
    command: (uid: string, values: CommandValues) => commandFor(state, uid, values),
    /** Takes for true what was sent to a device that does not tell. */
    assume({ assumes }: Publication): void {
      if (assumes && live.get(assumes.entity)?.take(assumes.aspect, assumes.value))
        tell(state, assumes.entity)
    },
    /** Forgets timers. */
    end(): void {
      for (const one of live.values()) one.end()
    },
  }
}

function receive(state: DevicesState, topic: string, payload: Buffer, retained: boolean): void {
  const { readers, options } = state
  const { sources, problems, clock } = options
  const size = payload.length
  const tooLarge = size > MAX_MESSAGE && problem(topic, 'tooLarge', `${size} bytes`)
  problems.replace('oversized', topic, tooLarge ? [tooLarge] : [])
  if (tooLarge) return
  const text = payload.toString()
  for (const source of sources) takeAnnouncement(state, source, topic, text)
  // Last, so that an announcement which carries a state is heard by what it announces.
  const those = readers.of(topic)
  if (those.length === 0) return
  takeValues(state, those, text)
  readers.keep(topic, text, retained, clock.now())
}

function takeAnnouncement(state: DevicesState, source: Source, topic: string, text: string): void {
  const { problems, ask } = state.options
  const { rank } = source
  try {
    const found = source.parse(topic, text)
    for (const { place, entities, skipped } of found?.announcements ?? []) {
      problems.replace('unmapped', place, skipped)
      replace(state, place, source.rank, entities)
    }
    if (found?.asks) ask(found.asks)
    problems.replace('announcement', `${rank} ${topic}`, [])
  } catch (error) {
    problems.replace('announcement', `${rank} ${topic}`, [
      problem(topic, 'malformed', (error as Error).message),
    ])
  }
}

const problem = (id: string, code: UnmappedReason, reason: string): NotShown => ({ id, code, reason })

/** Follows and forgets entities as a place announces other ones. */
function replace(state: DevicesState, place: string, rank: number, entities: readonly Entity[]): void {
  const { options, catalog, live, readers } = state
  const { came, gone } = catalog.announce(place, rank, entities)
  if (came.length + gone.length === 0) return
  const earlier = new Map(gone.map((entity) => [entity.id, live.get(entity)]))
  const unheard = gone.flatMap((entity) => forget(state, entity))
  for (const entity of came) follow(state, entity, earlier.get(entity.id))
  const left = unheard.filter((topic) => !readers.has(topic))
  for (const topic of left) readers.drop(topic)
  // Mostly one message answers for all that a device is; what has gone again need not answer.
  const answered = () => came.every((entity) => live.get(entity)?.heard ?? true)
  for (const { asks } of came) if (asks) options.ask(asks, answered)
  options.unlisten(left)
  options.listen(came.flatMap(topicsOf))
  options.onUnsettled()
}

/** earlier  the entity of the same id, whose values hold until there are others */
function follow(state: DevicesState, entity: Entity, earlier: LiveEntity | undefined): void {
  const { options, live, readers } = state
  const one = createLiveEntity(entity, options.clock, () => tell(state, entity), earlier)
  live.set(entity, one)
  for (const topic of topicsOf(entity)) {
    const reads = entity.reads.filter((read) => read.topic === topic)
    const hears = entity.availability?.topics.some((said) => said.topic === topic) ?? false
    const reader = { one, topic, reads, hears }
    readers.add(reader)
    // Whoever subscribes first hears what the broker retains; whoever comes later would wait for the next message.
    for (const { text, at } of readers.standing(topic)) takeValues(state, [reader], text, at)
  }
}

/** Answers the topics that this entity was the last to read. */
function forget({ live, readers }: DevicesState, entity: Entity): string[] {
  const one = live.get(entity)
  if (!one) return []
  one.end()
  live.delete(entity)
  return topicsOf(entity).filter((topic) => readers.remove(topic, entity))
}

function takeValues(state: DevicesState, those: readonly Reader[], text: string, at?: number): void {
  const { problems } = state.options
  const message = incoming(text)
  for (const { one, topic, reads, hears } of those) {
    let changed = false
    try {
      if (hears) changed = one.hear(topic, message)
      for (const { aspect, read } of reads) {
        const value = read(message)
        if (value !== undefined && one.take(aspect, value, at)) changed = true
      }
      problems.replace('template', one.entity.id, [])
    } catch (error) {
      const { message } = error as Error
      problems.replace('template', one.entity.id, [notShown(one.entity, 'template', message)])
    }
    if (changed) tell(state, one.entity)
  }
}

/** Tells that what is made of an entity has changed. */
function tell({ catalog, worked, options }: DevicesState, entity: Entity): void {
  for (const { PeripheralUID } of catalog.madeOf(entity)) {
    worked.delete(PeripheralUID)
    options.onChanged(PeripheralUID)
  }
}

function statusOf(state: DevicesState, uid: string): Record<string, unknown> | undefined {
  const { catalog, worked } = state
  const peripheral = catalog.peripheral(uid)
  if (!peripheral) return undefined
  let fields = worked.get(uid)
  if (!fields) {
    fields = workOut(state, peripheral)
    // What grows too old by itself is worked out each time.
    if (!peripheral.entities.some(({ expireAfter }) => expireAfter !== undefined)) worked.set(uid, fields)
  }
  // TaiSEIAType is what the device is, not what it said.
  const says = Object.keys(fields).some((field) => field !== 'TaiSEIAType')
  return says ? fields : undefined
}

function heardAt({ catalog, live }: DevicesState, uid: string): number | undefined {
  const entities = catalog.peripheral(uid)?.entities ?? []
  return Math.max(0, ...entities.map((entity) => live.get(entity)?.memory.heardAt ?? 0)) || undefined
}

function workOut({ look, options }: DevicesState, peripheral: Peripheral): Record<string, unknown> {
  const { PeripheralUID, PeripheralName, PeripheralType } = peripheral
  const fields = peripheral.status(look)
  const parsed = parseStatusFields(PeripheralType, fields)
  const odd: NotShown[] = []
  if (parsed && !parsed.success)
    for (const { path, message } of parsed.error.issues) {
      const field = String(path[0])
      odd.push({ ...problem(`${PeripheralUID} ${field}`, 'value', message), name: PeripheralName })
      delete fields[field]
    }
  options.problems.replace('value', PeripheralUID, odd)
  return fields
}

function commandFor(
  { catalog, live, look }: DevicesState,
  uid: string,
  values: CommandValues,
): Publication[] {
  const peripheral = catalog.peripheral(uid)
  if (!peripheral) throw new CommandRefused('the device is gone')
  if (peripheral.entities.every((entity) => live.get(entity)?.away))
    throw new CommandRefused('the device is not reachable')
  return peripheral.command(values, look)
}

const topicsOf = ({ reads, availability }: Entity): string[] => [
  ...new Set([...reads, ...(availability?.topics ?? [])].map(({ topic }) => topic)),
]

/** A message whose JSON is parsed when somebody asks for it, and once. */
function incoming(text: string): Incoming {
  let body: unknown
  let parsed = false
  return {
    text,
    json() {
      if (parsed) return body
      parsed = true
      body = parseExactJson(text)
      return body
    },
  }
}
