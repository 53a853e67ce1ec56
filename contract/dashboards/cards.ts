import { z } from 'zod'
import { HistoryField } from '../devices/kinds/history-fields.ts'
import { right, type Right } from '../kernel/permissions.ts'
import { HomeID, Name, PeripheralUID, RoomID, SceneID } from '../kernel/scalars.ts'
import { HistoryPick, MAX_HISTORY_SERIES } from '../devices/history-calls.ts'

/** Columns of a dashboard's grid; its rows are 80 px high. */
export const COLUMNS = 12
/** The last row that a card may begin in. */
export const LAST_ROW = 399
/** Most rows of a card. */
export const MAX_CARD_ROWS = 12
/** Most cards of a dashboard. */
export const MAX_CARDS = 40
/** Most characters of a dashboard's cards as JSON. */
export const MAX_CARDS_LENGTH = 65_536
/** Most devices, or scenes, of a card. */
export const MAX_ITEMS_PER_CARD = 12
/** Most characters of a note. */
export const MAX_NOTE_LENGTH = 500

/** A cell count from `least` to `most`. */
const cells = (least: number, most: number) => z.number().int().min(least, 'tooSmall').max(most, 'tooBig')

/** Where a card stands, in columns and rows from 0, and how large it is. */
export const CardPlace = z.object({
  CardID: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'id'),
  X: cells(0, COLUMNS - 1),
  Y: cells(0, LAST_ROW),
  W: cells(1, COLUMNS),
  H: cells(1, MAX_CARD_ROWS),
  /** Instead of the name of its kind. */
  Title: Name.optional(),
})
export type CardPlace = z.infer<typeof CardPlace>

/** How far back a chart reaches. */
export const CHART_SPANS = ['day', 'week', 'month'] as const
export type ChartSpan = (typeof CHART_SPANS)[number]

const ofHome = { HomeID }
const ofAnyHome = { /** Null is every home. */ HomeID: HomeID.nullable() }

/** What each kind of card says beside its place. */
const FIELDS = {
  /** The value that a device last reported of one quantity. */
  number: { HomeID, PeripheralUID, Field: HistoryField },
  /** Stored quantities over the last day, week or month. */
  chart: {
    HomeID,
    Quantities: z.array(HistoryPick).min(1, 'required').max(MAX_HISTORY_SERIES, 'tooManyRows'),
    Span: z.enum(CHART_SPANS),
  },
  /** Energy, cost and carbon of today and this month, of all homes. */
  usage: {},
  /** Today beside yesterday, by the hour. */
  day: ofHome,
  /** The running quarter of an hour beside the contract. */
  demand: ofHome,
  /** Devices that used most this month. */
  ranking: ofHome,
  /** This month by the sort of device. */
  categories: ofHome,
  /** What the running bill has come to, and will. */
  bill: ofHome,
  /** What needs somebody. */
  attention: ofAnyHome,
  /** Hubs that are connected, and those that are not. */
  hubs: ofAnyHome,
  /** One room as its tile says it. */
  room: { HomeID, RoomID },
  /** Devices with their state, and their controls. */
  devices: {
    HomeID,
    PeripheralUIDs: z.array(PeripheralUID).min(1, 'required').max(MAX_ITEMS_PER_CARD, 'tooManyRows'),
  },
  /** Scenes that are run by a press. */
  scenes: { HomeID, SceneIDs: z.array(SceneID).min(1, 'required').max(MAX_ITEMS_PER_CARD, 'tooManyRows') },
  /** Meeting rooms that are free now, and until when. */
  freeRooms: ofAnyHome,
  /** Visitors of today. */
  visitors: {},
  /** Plain text. */
  note: { Text: z.string().trim().min(1, 'required').max(MAX_NOTE_LENGTH, 'tooLong') },
} as const

export const CARD_KINDS = Object.keys(FIELDS) as CardKind[]
export type CardKind = keyof typeof FIELDS

const kind = <K extends CardKind>(name: K) => CardPlace.extend({ Kind: z.literal(name), ...FIELDS[name] })

/** A card of each kind, by its kind. */
export const CARDS = {
  number: kind('number'),
  chart: kind('chart'),
  usage: kind('usage'),
  day: kind('day'),
  demand: kind('demand'),
  ranking: kind('ranking'),
  categories: kind('categories'),
  bill: kind('bill'),
  attention: kind('attention'),
  hubs: kind('hubs'),
  room: kind('room'),
  devices: kind('devices'),
  scenes: kind('scenes'),
  freeRooms: kind('freeRooms'),
  visitors: kind('visitors'),
  note: kind('note'),
} as const satisfies Record<CardKind, z.ZodObject>

const KnownCard = z.discriminatedUnion('Kind', [
  CARDS.number,
  CARDS.chart,
  CARDS.usage,
  CARDS.day,
  CARDS.demand,
  CARDS.ranking,
  CARDS.categories,
  CARDS.bill,
  CARDS.attention,
  CARDS.hubs,
  CARDS.room,
  CARDS.devices,
  CARDS.scenes,
  CARDS.freeRooms,
  CARDS.visitors,
  CARDS.note,
])
/** A card of a kind that this version knows. */
export type KnownCard = z.infer<typeof KnownCard>
export type CardOf<K extends CardKind> = z.infer<(typeof CARDS)[K]>

/** A card of a kind that a later version knows: kept with all that it says. */
const UnknownCard = z.looseObject({
  ...CardPlace.shape,
  Kind: z.string().regex(new RegExp(`^(?!(?:${Object.keys(FIELDS).join('|')})$)[A-Za-z][A-Za-z0-9]{0,31}$`), {
    error: 'invalid',
    abort: true,
  }),
})
export type UnknownCard = z.infer<typeof UnknownCard>

/** A card of a dashboard: what it shows, and where it stands. */
export const Card = z.union([KnownCard, UnknownCard])
export type Card = z.infer<typeof Card>

/** Whether this version can draw a card. */
export const isKnownCard = (card: Card): card is KnownCard => Object.hasOwn(FIELDS, card.Kind)

/** What a person needs to see what a card shows, by its kind. A card of a later version asks for nothing that is known here. */
export const RIGHTS_OF_CARD: Readonly<Record<CardKind, readonly Right[]>> = {
  number: [right('device', 'Read')],
  chart: [right('history', 'Read')],
  usage: [right('electricity', 'Read')],
  day: [right('electricity', 'Read')],
  demand: [right('electricity', 'Read')],
  ranking: [right('electricity', 'Read')],
  categories: [right('electricity', 'Read')],
  bill: [right('electricity', 'Read')],
  attention: [],
  hubs: [right('device', 'Read')],
  room: [right('device', 'Read')],
  devices: [right('device', 'Read')],
  scenes: [right('scene', 'Read'), right('device_control', 'Control')],
  freeRooms: [right('conference_room', 'Read')],
  visitors: [right('access_control_visitor', 'Read')],
  note: [],
}

export const rightsOfCard = (card: Card): readonly Right[] =>
  isKnownCard(card) ? RIGHTS_OF_CARD[card.Kind] : []

/** A card's place alone. */
export type Rect = Pick<CardPlace, 'X' | 'Y' | 'W' | 'H'>

/** Whether two cards lie over each other. */
export const overlaps = (a: Rect, b: Rect): boolean =>
  a.X < b.X + b.W && b.X < a.X + a.W && a.Y < b.Y + b.H && b.Y < a.Y + a.H

/** The cards of a dashboard: each with an id of its own, within the grid, and none over another. */
export const Cards = z
  .array(Card)
  .max(MAX_CARDS, 'tooManyRows')
  .superRefine((cards, context) => {
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    cards.forEach((card, i) => {
      const before = cards.slice(0, i)
      if (before.some(({ CardID }) => CardID === card.CardID)) refuse([i, 'CardID'], 'taken')
      if (card.X + card.W > COLUMNS) refuse([i, 'W'], 'tooBig')
      if (before.some((other) => overlaps(other, card))) refuse([i, 'X'], 'overlap')
    })
    if (JSON.stringify(cards).length > MAX_CARDS_LENGTH) refuse([], 'tooLong')
  })
