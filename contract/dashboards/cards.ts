import { z } from 'zod'
import { HistoryField } from '../devices/kinds/history-fields.ts'
import { right, type Right } from '../kernel/permissions.ts'
import { HomeID, Name, PeripheralUID, RoomID, SceneID } from '../kernel/scalars.ts'
import { HistoryPick, MAX_HISTORY_SERIES } from '../devices/history-calls.ts'

/** Number of columns of a dashboard's grid; rows are 80 px high. */
export const COLUMNS = 12
/** Last row in which a card may begin. */
export const LAST_ROW = 399
export const MAX_CARD_ROWS = 12
export const MAX_CARDS = 40
/** Maximum length of a dashboard's cards as JSON, in characters. */
export const MAX_CARDS_LENGTH = 65_536
/** Maximum number of devices or scenes on a card. */
export const MAX_ITEMS_PER_CARD = 12
/** Maximum length of a note in characters. */
export const MAX_NOTE_LENGTH = 500

/** Number of cells from `min` to `max`. */
const cells = (min: number, max: number) => z.number().int().min(min, 'tooSmall').max(max, 'tooBig')

/** Position and size of a card in grid cells, from 0. */
export const CardPlace = z.object({
  CardID: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'id'),
  X: cells(0, COLUMNS - 1),
  Y: cells(0, LAST_ROW),
  W: cells(1, COLUMNS),
  H: cells(1, MAX_CARD_ROWS),
  /** Replaces the name of the card's kind. */
  Title: Name.optional(),
})
export type CardPlace = z.infer<typeof CardPlace>

/** Time ranges of a chart. */
export const CHART_SPANS = ['day', 'week', 'month'] as const
export type ChartSpan = (typeof CHART_SPANS)[number]

const ofHome = { HomeID }
const ofAnyHome = { /** Null means every home. */ HomeID: HomeID.nullable() }

/** Fields of each kind of card in addition to its place. */
const FIELDS = {
  /** Last reported value of one device quantity. */
  number: { HomeID, PeripheralUID, Field: HistoryField },
  /** Recorded quantities over the last day, week or month. */
  chart: {
    HomeID,
    Quantities: z.array(HistoryPick).min(1, 'required').max(MAX_HISTORY_SERIES, 'tooManyRows'),
    Span: z.enum(CHART_SPANS),
  },
  /** Energy, cost and carbon of today and this month, of all homes. */
  usage: {},
  /** Today and yesterday by hour. */
  day: ofHome,
  /** Demand of the running quarter-hour compared with the contract. */
  demand: ofHome,
  /** Devices with the highest use this month. */
  ranking: ofHome,
  /** This month by device category. */
  categories: ofHome,
  /** Running bill so far, and its forecast. */
  bill: ofHome,
  /** Items that need attention. */
  attention: ofAnyHome,
  /** Connected and disconnected hubs. */
  hubs: ofAnyHome,
  room: { HomeID, RoomID },
  /** Devices with state and controls. */
  devices: {
    HomeID,
    PeripheralUIDs: z.array(PeripheralUID).min(1, 'required').max(MAX_ITEMS_PER_CARD, 'tooManyRows'),
  },
  scenes: { HomeID, SceneIDs: z.array(SceneID).min(1, 'required').max(MAX_ITEMS_PER_CARD, 'tooManyRows') },
  /** Conference rooms that are free now, and until when. */
  freeRooms: ofAnyHome,
  visitors: {},
  note: { Text: z.string().trim().min(1, 'required').max(MAX_NOTE_LENGTH, 'tooLong') },
} as const

export const CARD_KINDS = Object.keys(FIELDS) as CardKind[]
export type CardKind = keyof typeof FIELDS

const kind = <K extends CardKind>(name: K) => CardPlace.extend({ Kind: z.literal(name), ...FIELDS[name] })

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
/** Card of a kind that this version supports. */
export type KnownCard = z.infer<typeof KnownCard>
export type CardOf<K extends CardKind> = z.infer<(typeof CARDS)[K]>

/** Card of a kind from a later version: stored with all its fields. */
const UnknownCard = z.looseObject({
  ...CardPlace.shape,
  Kind: z.string().regex(new RegExp(`^(?!(?:${Object.keys(FIELDS).join('|')})$)[A-Za-z][A-Za-z0-9]{0,31}$`), {
    error: 'invalid',
    abort: true,
  }),
})

/** Card of a dashboard with its place. */
export const Card = z.union([KnownCard, UnknownCard])
export type Card = z.infer<typeof Card>

/** Whether this version supports a card. */
export const isKnownCard = (card: Card): card is KnownCard => Object.hasOwn(FIELDS, card.Kind)

/** Rights required to see the content of a card, by kind. A card of a later version has no requirements here. */
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

export type Rect = Pick<CardPlace, 'X' | 'Y' | 'W' | 'H'>

export const overlaps = (a: Rect, b: Rect): boolean =>
  a.X < b.X + b.W && b.X < a.X + a.W && a.Y < b.Y + b.H && b.Y < a.Y + a.H

/** Cards of a dashboard: with unique ids, within the grid, not overlapping. */
export const Cards = z
  .array(Card)
  .max(MAX_CARDS, 'tooManyRows')
  .superRefine((cards, context) => {
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    cards.forEach((card, i) => {
      const earlierCards = cards.slice(0, i)
      if (earlierCards.some(({ CardID }) => CardID === card.CardID)) refuse([i, 'CardID'], 'taken')
      if (card.X + card.W > COLUMNS) refuse([i, 'W'], 'tooBig')
      if (earlierCards.some((other) => overlaps(other, card))) refuse([i, 'X'], 'overlap')
    })
    if (JSON.stringify(cards).length > MAX_CARDS_LENGTH) refuse([], 'tooLong')
  })
