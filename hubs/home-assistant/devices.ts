import type { UnmappedReason } from '../../contract/devices/channels/hub-setup.ts'
import type { CommandValues } from '../../contract/devices/capabilities/capability.ts'
import { parseStatusFields } from '../../contract/devices/kinds/status.ts'
import { parseExactJson } from '../../contract/kernel/parse-json.ts'
import type { Clock } from '../../device-link/clock.ts'
import { CommandRefused } from '../lib/commands.ts'
import { createCatalog } from './catalog.ts'
import type { Entity, Incoming, NotShown, Publication } from './entities/entity.ts'
import { createLiveEntity, type LiveEntity, createReaders, type Reader, type Readers } from './readers.ts'
import { notShown, type ReadEntity, type Peripheral } from './peripheral.ts'
import type { Problems } from './problems.ts'
import type { Source } from './sources/source.ts'

/** Maximum size of a message in bytes; the list of a large Zigbee network has some hundred kilobytes. */
const MAX_MESSAGE = 8 * 1024 * 1024

export interface DevicesOptions {
  sources: readonly Source[]
  clock: Clock
  problems: Problems
  /** Called when a message changed the status of a peripheral. */
  onChanged(PeripheralUID: string): void
  /** Called when entities were added or removed; `buildPeripherals` then builds the peripherals. */
  onEntitiesChanged(): void
  subscribe(topics: readonly string[]): void
  unsubscribe(topics: readonly string[]): void
  /** Queues queries to devices, to be sent slowly; a query is skipped if the device has answered by itself meanwhile. */
  enqueueQueries(publications: readonly Publication[], isAnswered?: () => boolean): void
}

export type Devices = ReturnType<typeof createDevices>

interface DevicesState {
  options: DevicesOptions
  catalog: ReturnType<typeof createCatalog>
  liveEntities: Map<Entity, LiveEntity>
  readers: Readers
  /** Cache of status fields by PeripheralUID, until something of the device changes. */
  statusCache: Map<string, Record<string, unknown>>
  /** Last known value of an aspect of an entity. */
  readEntity: ReadEntity
}

/** State of the devices on a broker, derived from their messages alone. */
export function createDevices(options: DevicesOptions) {
  const catalog = createCatalog(options.problems)
  const live = new Map<Entity, LiveEntity>()
  const readEntity: ReadEntity = (entity, aspect) => live.get(entity)?.value(aspect)
  const state: DevicesState = {
    options,
    catalog,
    liveEntities: live,
    readers: createReaders(),
    statusCache: new Map(),
    readEntity,
  }
  return {
    /** Processes a message of the device broker; `retained` if it was stored there before the subscription. */
    receive: (topic: string, payload: Buffer, retained = false) => receive(state, topic, payload, retained),
    /** Called before the broker sends its retained messages again. */
    begin: () => state.readers.dropAll(),
    /** Builds peripherals of the announced entities; returns whether the list of them changed. */
    buildPeripherals(): boolean {
      state.statusCache.clear()
      return catalog.buildPeripherals()
    },
    peripherals: catalog.peripherals,
    unmapped: () => options.problems.report((topic) => state.readers.has(topic)),
    figures: catalog.figures,
    /** The status fields of a peripheral that its type allows; undefined while nothing is known. */
    status: (uid: string) => readStatus(state, uid),
    /** Time of the last message of a peripheral, epoch ms; undefined before the first. */
    heardAt: (uid: string) => lastMessageAt(state, uid),
    /** The messages to publish for a command. errors  CommandRefused */
    command: (uid: string, values: CommandValues) => commandFor(state, uid, values),
    /** Stores a sent value as current, for a device that does not report it. */
    applyAssumption({ assumedValue }: Publication): void {
      if (assumedValue && live.get(assumedValue.entity)?.setValue(assumedValue.aspect, assumedValue.value))
        onEntityChanged(state, assumedValue.entity)
    },
    close(): void {
      for (const one of live.values()) one.close()
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
  for (const source of sources) onAnnouncement(state, source, topic, text)
  // Runs last: an announcement may carry a state that its new entities read.
  const topicReaders = readers.readersOf(topic)
  if (topicReaders.length === 0) return
  readValues(state, topicReaders, text)
  readers.store(topic, text, retained, clock.now())
}

function onAnnouncement(state: DevicesState, source: Source, topic: string, text: string): void {
  const { problems, enqueueQueries } = state.options
  const { rank } = source
  try {
    const parsed = source.parse(topic, text)
    for (const { place, entities, skipped } of parsed?.announcements ?? []) {
      problems.replace('unmapped', place, skipped)
      replace(state, place, source.rank, entities)
    }
    if (parsed?.queries) enqueueQueries(parsed.queries)
    problems.replace('announcement', `${rank} ${topic}`, [])
  } catch (error) {
    problems.replace('announcement', `${rank} ${topic}`, [
      problem(topic, 'malformed', (error as Error).message),
    ])
  }
}

const problem = (id: string, code: UnmappedReason, reason: string): NotShown => ({ id, code, reason })

/** Adds and removes entities when the announcement at a place changes. */
function replace(state: DevicesState, place: string, rank: number, entities: readonly Entity[]): void {
  const { options, catalog, liveEntities, readers } = state
  const { added, removed } = catalog.announce(place, rank, entities)
  if (added.length + removed.length === 0) return
  const earlier = new Map(removed.map((entity) => [entity.id, liveEntities.get(entity)]))
  const unreadTopics = removed.flatMap((entity) => removeEntity(state, entity))
  for (const entity of added) addEntity(state, entity, earlier.get(entity.id))
  const unsubscribed = unreadTopics.filter((topic) => !readers.has(topic))
  for (const topic of unsubscribed) readers.deleteUnread(topic)
  // Mostly one message answers the queries of all entities; removed entities need not answer.
  const isAnswered = () => added.every((entity) => liveEntities.get(entity)?.hasValue ?? true)
  for (const { queries } of added) if (queries) options.enqueueQueries(queries, isAnswered)
  options.unsubscribe(unsubscribed)
  options.subscribe(added.flatMap(topicsOf))
  options.onEntitiesChanged()
}

/** earlier  the previous entity with the same id, whose values remain until new ones arrive */
function addEntity(state: DevicesState, entity: Entity, earlier: LiveEntity | undefined): void {
  const { options, liveEntities, readers } = state
  const liveEntity = createLiveEntity(entity, options.clock, () => onEntityChanged(state, entity), earlier)
  liveEntities.set(entity, liveEntity)
  for (const topic of topicsOf(entity)) {
    const reads = entity.reads.filter((read) => read.topic === topic)
    const isAvailability = entity.availability?.topics.some((said) => said.topic === topic) ?? false
    const reader = { liveEntity, topic, reads, isAvailability }
    readers.add(reader)
    // The broker sends a retained message only to the first subscription; later readers of the topic get the stored copy.
    for (const { text, at } of readers.storedMessages(topic)) readValues(state, [reader], text, at)
  }
}

/** Removes an entity; returns the topics that no other entity reads. */
function removeEntity({ liveEntities, readers }: DevicesState, entity: Entity): string[] {
  const liveEntity = liveEntities.get(entity)
  if (!liveEntity) return []
  liveEntity.close()
  liveEntities.delete(entity)
  return topicsOf(entity).filter((topic) => readers.remove(topic, entity))
}

function readValues(state: DevicesState, topicReaders: readonly Reader[], text: string, at?: number): void {
  const { problems } = state.options
  const message = incoming(text)
  for (const { liveEntity, topic, reads, isAvailability } of topicReaders) {
    let changed = false
    try {
      if (isAvailability) changed = liveEntity.updateAvailability(topic, message)
      for (const { aspect, read } of reads) {
        const value = read(message)
        if (value !== undefined && liveEntity.setValue(aspect, value, at)) changed = true
      }
      problems.replace('template', liveEntity.entity.id, [])
    } catch (error) {
      const { message } = error as Error
      problems.replace('template', liveEntity.entity.id, [notShown(liveEntity.entity, 'template', message)])
    }
    if (changed) onEntityChanged(state, liveEntity.entity)
  }
}

/** Reports a change of each peripheral that the entity is a part of. */
function onEntityChanged({ catalog, statusCache, options }: DevicesState, entity: Entity): void {
  for (const { PeripheralUID } of catalog.madeOf(entity)) {
    statusCache.delete(PeripheralUID)
    options.onChanged(PeripheralUID)
  }
}

function readStatus(state: DevicesState, uid: string): Record<string, unknown> | undefined {
  const { catalog, statusCache } = state
  const peripheral = catalog.peripheral(uid)
  if (!peripheral) return undefined
  let fields = statusCache.get(uid)
  if (!fields) {
    fields = computeStatus(state, peripheral)
    // Values that expire by time are not cached.
    if (!peripheral.entities.some(({ expireAfter }) => expireAfter !== undefined))
      statusCache.set(uid, fields)
  }
  // TaiSEIAType describes the device; it is not a reported value.
  const hasValues = Object.keys(fields).some((field) => field !== 'TaiSEIAType')
  return hasValues ? fields : undefined
}

function lastMessageAt({ catalog, liveEntities }: DevicesState, uid: string): number | undefined {
  const entities = catalog.peripheral(uid)?.entities ?? []
  return (
    Math.max(0, ...entities.map((entity) => liveEntities.get(entity)?.memory.lastMessageAt ?? 0)) || undefined
  )
}

function computeStatus(
  { readEntity, options }: DevicesState,
  peripheral: Peripheral,
): Record<string, unknown> {
  const { PeripheralUID, PeripheralName, PeripheralType } = peripheral
  const fields = peripheral.status(readEntity)
  const parsed = parseStatusFields(PeripheralType, fields)
  const invalid: NotShown[] = []
  if (parsed && !parsed.success)
    for (const { path, message } of parsed.error.issues) {
      const field = String(path[0])
      invalid.push({ ...problem(`${PeripheralUID} ${field}`, 'value', message), name: PeripheralName })
      delete fields[field]
    }
  options.problems.replace('value', PeripheralUID, invalid)
  return fields
}

function commandFor(
  { catalog, liveEntities, readEntity }: DevicesState,
  uid: string,
  values: CommandValues,
): Publication[] {
  const peripheral = catalog.peripheral(uid)
  if (!peripheral) throw new CommandRefused('the device is gone')
  if (peripheral.entities.every((entity) => liveEntities.get(entity)?.isOffline))
    throw new CommandRefused('the device is not reachable')
  return peripheral.command(values, readEntity)
}

const topicsOf = ({ reads, availability }: Entity): string[] => [
  ...new Set([...reads, ...(availability?.topics ?? [])].map(({ topic }) => topic)),
]

/** A message whose JSON is parsed on first use, once. */
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
