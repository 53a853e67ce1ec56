import sharp from 'sharp'
import { floor, floorCalls, type FloorShape } from '../contract/homes/floor.ts'
import { home } from '../contract/homes/home.ts'
import { SCALE } from '../contract/homes/shapes.ts'
import type { Call } from './api.ts'

type Corner = [x: number, y: number]
const rectangle = (left: number, top: number, right: number, bottom: number): Corner[] => [
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
]

/** A room of the demo: its outline on the plan, or a pin; and its furniture on the drawing. */
type Drawn = { room: string; furniture?: 'desks' | 'table' | 'bays' | 'racks' } & (
  { outline: Corner[] } | { pin: Corner }
)

interface DrawnFloor {
  name: string
  order: number
  rooms: readonly Drawn[]
}

/** Floors of the head office; coordinates are ten-thousandths of the plan. */
const HOME = '內湖總部'
const FLOORS: readonly DrawnFloor[] = [
  {
    name: 'B1',
    order: -1,
    rooms: [{ room: '地下停車場', outline: rectangle(600, 700, 9400, 6300), furniture: 'bays' }],
  },
  {
    name: '1F',
    order: 1,
    rooms: [
      { room: '一樓大廳', outline: rectangle(600, 700, 6200, 6000) },
      { room: '訪客接待室', outline: rectangle(6400, 700, 9400, 4400), furniture: 'table' },
      { room: '一樓機電室', outline: rectangle(6400, 6600, 9400, 9300), furniture: 'racks' },
    ],
  },
  {
    name: '3F',
    order: 3,
    rooms: [
      {
        room: '三樓業務部',
        outline: [
          [600, 700],
          [5600, 700],
          [5600, 3600],
          [3600, 3600],
          [3600, 6000],
          [600, 6000],
        ],
        furniture: 'desks',
      },
      { room: '三樓行銷部', outline: rectangle(5800, 700, 9400, 4400), furniture: 'desks' },
      { room: '三樓大會議室', outline: rectangle(5800, 5200, 9400, 9300), furniture: 'table' },
      { room: '三樓茶水間', outline: rectangle(3600, 6800, 5600, 9300) },
    ],
  },
  {
    name: '5F',
    order: 5,
    rooms: [
      { room: '五樓研發部', outline: rectangle(600, 700, 6200, 6000), furniture: 'desks' },
      { room: '五樓管理部', outline: rectangle(6400, 700, 9400, 4600), furniture: 'desks' },
      { room: '五樓小會議室', outline: rectangle(6400, 5400, 9400, 9300), furniture: 'table' },
      { room: '五樓機房', outline: rectangle(3800, 6800, 6200, 9300), furniture: 'racks' },
    ],
  },
  { name: '頂樓', order: 9, rooms: [{ room: '頂樓機電區', pin: [5000, 3400] }] },
]

/** Size of the drawings in px; the gateway rescales them. */
const [WIDTH, HEIGHT] = [2400, 1500]
const [INK, PALE] = ['#36434c', '#c9d1d6']

/** Draws a floor plan: outer walls, rooms, stairs and elevator, and furniture. */
function drawingOf({ rooms }: DrawnFloor): string {
  const at = ([x, y]: Corner) => [(x * WIDTH) / SCALE, (y * HEIGHT) / SCALE] as const
  const path = (corners: readonly Corner[]) => `M${corners.map((corner) => at(corner).join(' ')).join('L')}Z`
  const walls = rooms.flatMap((one) => ('outline' in one ? [path(one.outline)] : []))
  const furniture = rooms.flatMap((one) =>
    'outline' in one && one.furniture ? inside(one.outline, one.furniture).map(path) : [],
  )
  const stairs = Array.from({ length: 9 }, (_, i) =>
    path(rectangle(700 + i * 150, 7000, 850 + i * 150, 9100)),
  )
  const elevator = rectangle(2300, 7000, 3200, 9100)
  const [cross, core] = [
    `M${at([2300, 7000]).join(' ')}L${at([3200, 9100]).join(' ')}M${at([3200, 7000]).join(' ')}L${at([2300, 9100]).join(' ')}`,
    rectangle(600, 6800, 3400, 9300),
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" fill="none">
    <rect width="100%" height="100%" fill="#fff"/>
    <path d="${[...furniture, ...stairs, path(elevator), cross].join('')}" stroke="${PALE}" stroke-width="4"/>
    <path d="${[...walls, path(core)].join('')}" stroke="${INK}" stroke-width="9"/>
    <path d="${path(rectangle(400, 450, 9600, 9550))}" stroke="${INK}" stroke-width="20"/>
  </svg>`
}

/** Size and spacing of furniture in ten-thousandths. */
const FURNITURE = {
  desks: { width: 520, height: 460, gapX: 700, gapY: 900 },
  bays: { width: 620, height: 1500, gapX: 640, gapY: 3400 },
  racks: { width: 260, height: 900, gapX: 480, gapY: 1200 },
} as const

/** Furniture of a room in rows, or a table in its middle. In a room that is not a rectangle, only pieces that fit completely. */
function inside(outline: readonly Corner[], kind: NonNullable<Drawn['furniture']>): Corner[][] {
  const [xs, ys] = [outline.map(([x]) => x), outline.map(([, y]) => y)]
  const [left, top, right, bottom] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
  if (kind === 'table') {
    const [x, y] = [(right - left) / 4, (bottom - top) / 3]
    return [rectangle(left + x, top + y, right - x, bottom - y)]
  }
  const { width, height, gapX, gapY } = FURNITURE[kind]
  const found: Corner[][] = []
  for (let y = top + 300; y + height + 200 < bottom; y += gapY)
    for (let x = left + 300; x + width + 200 < right; x += gapX) {
      const isParallel = outline.length > 4 && x + width > 3500 && y + height > 3500
      if (!isParallel) found.push(rectangle(x, y, x + width, y + height))
    }
  return found
}

/**
 * Creates the floors of the head office with drawings and rooms; existing floors stay unchanged.
 *
 * url  address of the gateway
 */
export async function seedFloors(call: Call, url: string): Promise<void> {
  const office = (await call(home.operations.list, {})).find(({ HomeName }) => HomeName === HOME)
  if (!office) return
  const { HomeID, RoomList } = office
  const known = await call(floor.operations.list, { HomeID })
  for (const drawn of FLOORS) {
    const { name: FloorName, order: Order, rooms } = drawn
    if (known.some((one) => one.FloorName === FloorName)) continue
    const { FloorID, Version } = await call(floor.operations.create, { HomeID, FloorName, Order })
    const Shapes = rooms.flatMap((one): FloorShape[] => {
      const RoomID = RoomList.find(({ RoomName }) => RoomName === one.room)?.RoomID
      if (RoomID === undefined) return []
      return ['outline' in one ? { RoomID, Points: one.outline } : { RoomID, At: one.pin }]
    })
    await call(floor.operations.update, { HomeID, FloorID, Version, Shapes })
    const ContentType = 'image/png'
    const { UploadUrl } = await call(floorCalls.uploadPlan, { HomeID, FloorID, ContentType })
    const body = await sharp(Buffer.from(drawingOf(drawn)))
      .png()
      .toBuffer()
    const answer = await fetch(new URL(UploadUrl, url), {
      method: 'PUT',
      headers: { 'content-type': ContentType },
      body: new Uint8Array(body),
    })
    if (!answer.ok) throw new Error(`The plan of ${FloorName} was refused: ${answer.status}`)
  }
}
