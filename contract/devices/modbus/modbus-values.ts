import { isExact } from '../../kernel/parse-json.ts'
import { type ModbusType, isBitArea, registersOf, sentinelsOf, type ModbusRow } from './modbus-table.ts'

/** Fields of a row that decode and encode its value. */
export type ModbusCoding = Pick<
  ModbusRow,
  | 'Area'
  | 'Address'
  | 'DataType'
  | 'Bit'
  | 'ByteOrder'
  | 'WordOrder'
  | 'Scale'
  | 'Offset'
  | 'Field'
  | 'Sentinels'
>

/** Significant digits of a double; further ones are rounding noise. */
const MEANT_DIGITS = 15

/**
 * Decodes the value of a row.
 *
 * words    its registers in the order of their addresses, each 0 to 65535; one bit, 0 or 1, in bit areas
 * returns  raw x Scale + Offset without binary rounding noise; null for sentinel values, NaN, infinity and missing words, by which
 *          meters report that they have no value, and for integers beyond 2^53, which would be rounded
 */
export function decode(row: ModbusCoding, words: readonly number[]): number | null {
  if (words.length < registersOf(row)) return null
  if (isBitArea(row.Area)) return words[0] ? 1 : 0
  const view = new DataView(new ArrayBuffer(8))
  inOrder(row, words.slice(0, registersOf(row))).forEach((word, i) => view.setUint16(i * 2, word))
  if (row.DataType === 'bool') {
    const word = view.getUint16(0)
    return (row.Bit === null ? word : (word >> row.Bit) & 1) ? 1 : 0
  }
  if (isSentinel(row, view)) return null
  const raw = READ[row.DataType](view)
  if (!Number.isFinite(raw)) return null
  const value = (row.DataType === 'float32' ? shortest(raw) : raw) * row.Scale + row.Offset
  return Number.isSafeInteger(value) ? value : Number(value.toPrecision(MEANT_DIGITS))
}

/**
 * Encodes a value as registers or a bit.
 *
 * returns  undefined if the value does not fit the row's type
 */
export function encode(row: ModbusCoding, value: number): number[] | undefined {
  if (!Number.isFinite(value)) return undefined
  if (row.DataType === 'bool') {
    if (value !== 0 && value !== 1) return undefined
    return isBitArea(row.Area) ? [value] : inOrder(row, [value])
  }
  const raw = (value - row.Offset) / row.Scale
  const rounded = row.DataType.startsWith('float') ? raw : Math.round(raw)
  const view = new DataView(new ArrayBuffer(8))
  if (!WRITE[row.DataType](view, rounded)) return undefined
  return inOrder(
    row,
    Array.from({ length: registersOf(row) }, (_, i) => view.getUint16(i * 2)),
  )
}

/**
 * Value that the device will store and report after a write: 21.57 becomes 21.6 in tenths.
 *
 * returns  undefined if the row is read-only, or the value is not allowed
 */
export function settleValue(row: ModbusRow, value: number): number | undefined {
  if (row.Access !== 'rw') return undefined
  if ((row.Min !== null && value < row.Min) || (row.Max !== null && value > row.Max)) return undefined
  const words = encode(row, value)
  return (words && decode(row, words)) ?? undefined
}

export function settleAll(
  rows: readonly ModbusRow[],
  values: Readonly<Record<string, number>>,
): Record<string, number> | undefined {
  const settled: Record<string, number> = {}
  for (const [key, value] of Object.entries(values)) {
    const row = rows.find((candidate) => candidate.Key === key)
    const held = row && settleValue(row, value)
    if (held === undefined) return undefined
    settled[key] = held
  }
  return settled
}

/** Converts words and their bytes between wire order and high first; its own inverse. */
function inOrder({ ByteOrder, WordOrder }: ModbusCoding, words: readonly number[]): number[] {
  const ordered = WordOrder === 'little' ? [...words].reverse() : [...words]
  return ByteOrder === 'little' ? ordered.map((word) => ((word & 0xff) << 8) | (word >> 8)) : ordered
}

function isSentinel(row: ModbusCoding, view: DataView): boolean {
  const sentinels = sentinelsOf(row)
  if (sentinels.length === 0) return false
  const bits = view.getBigUint64(0) >> BigInt(64 - registersOf(row) * 16)
  return sentinels.some((raw) => BigInt(raw) === bits)
}

/** Shortest number that equals this float32: 21.57, not 21.569999694824219. */
function shortest(float: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(float.toPrecision(digits))
    if (Math.fround(short) === float) return short
  }
  return float
}

/** NaN for integers that a number cannot represent exactly. */
const exactly = (integer: bigint): number => (isExact(Number(integer)) ? Number(integer) : NaN)

type Numeric = Exclude<ModbusType, 'bool'>

const READ: Record<Numeric, (view: DataView) => number> = {
  int16: (view) => view.getInt16(0),
  uint16: (view) => view.getUint16(0),
  int32: (view) => view.getInt32(0),
  uint32: (view) => view.getUint32(0),
  int64: (view) => exactly(view.getBigInt64(0)),
  uint64: (view) => exactly(view.getBigUint64(0)),
  float32: (view) => view.getFloat32(0),
  float64: (view) => view.getFloat64(0),
}

const writeWithin = (value: number, min: number, max: number, write: () => void): boolean => {
  if (value < min || value > max) return false
  write()
  return true
}

/** Writes a value if it fits, and returns whether it did. Integers beyond 2^53 are not exact and are rejected. */
const WRITE: Record<Numeric, (view: DataView, value: number) => boolean> = {
  int16: (view, value) => writeWithin(value, -32_768, 32_767, () => view.setInt16(0, value)),
  uint16: (view, value) => writeWithin(value, 0, 65_535, () => view.setUint16(0, value)),
  int32: (view, value) => writeWithin(value, -(2 ** 31), 2 ** 31 - 1, () => view.setInt32(0, value)),
  uint32: (view, value) => writeWithin(value, 0, 2 ** 32 - 1, () => view.setUint32(0, value)),
  int64: (view, value) =>
    writeWithin(value, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, () =>
      view.setBigInt64(0, BigInt(value)),
    ),
  uint64: (view, value) =>
    writeWithin(value, 0, Number.MAX_SAFE_INTEGER, () => view.setBigUint64(0, BigInt(value))),
  float32: (view, value) => writeWithin(Math.abs(value), 0, 3.4e38, () => view.setFloat32(0, value)),
  float64: (view, value) => {
    view.setFloat64(0, value)
    return true
  },
}
